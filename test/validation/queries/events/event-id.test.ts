import { parseLastEventId } from '../../../../src/validation/queries/events/event-id'
import { rejection } from '../../rejection'

describe('the header Last-Event-ID', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['0', 0],
    ['42', 42],
  ])('of %j is %j', (header, id) => {
    expect(parseLastEventId(header)).toBe(id)
  })

  it.each(['x', '-1', '9007199254740992', '1,2'])('is rejected when it is %j', (header) => {
    const message = 'The header Last-Event-ID must be the id of an event.'
    expect(rejection(() => parseLastEventId(header)).details).toEqual([{ message }])
  })
})
