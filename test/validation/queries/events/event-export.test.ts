import { parseEventRange } from '../../../../src/validation/queries/events/event-export'
import { createQueryReader } from '../../../../src/validation/queries/query-reader'
import { rejection } from '../../rejection'

const range = (query: Record<string, string>) => parseEventRange(createQueryReader(new URLSearchParams(query)))

describe('the range of an export', () => {
  it.each([
    [{}, { oldestFirst: false, after: 0, before: Number.MAX_SAFE_INTEGER }],
    [{ order: 'desc' }, { oldestFirst: false, after: 0, before: Number.MAX_SAFE_INTEGER }],
    [
      { order: 'asc', after: '3', before: '4' },
      { oldestFirst: true, after: 3, before: 4 },
    ],
  ])('with %j is %j', (query, expected) => {
    expect(range(query)).toEqual(expected)
  })

  it.each([
    [{ order: 'ASC' }, { path: '/query/order', message: 'must be asc or desc, got "ASC"' }],
    [{ before: 'x' }, { path: '/query/before', message: 'must be the id of an event, got "x"' }],
    [
      { after: '4', before: '4' },
      { path: '/query/after', message: 'must be less than before' },
    ],
  ])('rejects %j', (query, detail) => {
    expect(rejection(() => range(query)).details).toEqual([detail])
  })
})
