import { parseLastEventId } from '../../../../src/validation/queries/events/event-id'
import { rejection } from '../../rejection'

describe('the header Last-Event-ID', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['0', { id: 0, fingerprint: '' }],
    ['42', { id: 42, fingerprint: '' }],
    ['42-0a1b2c3d', { id: 42, fingerprint: '0a1b2c3d' }],
  ])('of %j is %j', (header, id) => {
    expect(parseLastEventId(header)).toEqual(id)
  })

  it.each(['x', '-1', '9007199254740992', '1,2', '42-', '42-0a1b2c3', '42-0A1B2C3D', '42-0a1b2c3d4'])(
    'is rejected when it is %j',
    (header) => {
      const message = 'The header Last-Event-ID must be the id of an event in the stream, or a number.'
      expect(rejection(() => parseLastEventId(header)).details).toEqual([{ message }])
    },
  )
})
