import { type EventQuery, toParameters } from '../../../../src/client/event-calls'
import type { EventFilter } from '../../../../src/ports/storage/events'
import {
  parseEventPage,
  parseEventRange,
  parseLastEventId,
  parseStreamStart,
} from '../../../../src/validation/queries/events/event-page'
import { eventSearchParameters, parseEventSearch } from '../../../../src/validation/queries/events/event-search'
import { createQueryReader } from '../../../../src/validation/queries/query-reader'
import { rejection } from '../../rejection'

const reader = (query: Record<string, string>) => createQueryReader(new URLSearchParams(query))
const search = (query: Record<string, string>) => parseEventSearch(reader(query))
const page = (query: Record<string, string>) => parseEventPage(reader(query))

describe('the filters of GET /api/admin/search/events', () => {
  it.each([
    [{}, {}],
    [{ id: 'IS:7' }, { ids: [7] }],
    [{ id: 'IS_ANY_OF:7, 8 ,,x,-9,1.5' }, { ids: [7, 8, -9] }],
    [{ id: 'IS:99999999999999999' }, { ids: [] }],
    [{ type: 'IS:' }, { types: [] }],
    [{ type: 'IS_ANY_OF:a,b' }, { types: ['a', 'b'] }],
    [{ createdBy: 'IS:1' }, { createdBy: [1] }],
    [{ environment: 'IS:production' }, { environments: ['production'] }],
    [{ groupId: 'IS:01J' }, { groupIds: ['01J'] }],
    [{ query: 'IS:text' }, { query: 'IS:text' }],
    [{ from: 'IS:2024-02-29' }, { from: '2024-02-29' }],
    [{ to: 'IS:2024-12-31' }, { to: '2024-12-31' }],
    [{ to: 'IS:9999-12-31' }, { to: '9999-12-31' }],
    [{ from: 'IS:2026-11-18T08:00:00Z' }, { from: '2026-11-18T08:00:00.000Z' }],
    [{ to: 'IS:2026-11-18T08:00:00.25Z' }, { to: '2026-11-18T08:00:00.250Z' }],
  ])('read %j as %j', (query, filter) => {
    const { requested, ...found } = search(query)
    expect(found).toEqual({ filter, features: undefined, projects: undefined })
    expect(Object.keys(requested)).toEqual(Object.keys(query))
  })

  it('separate flags and projects from the rest', () => {
    const found = search({ feature: 'IS:checkout', project: 'IS_ANY_OF:shop,blog' })
    const requested = { feature: ['checkout'], project: ['shop', 'blog'] }
    expect(found).toEqual({ filter: {}, features: ['checkout'], projects: ['shop', 'blog'], requested })
  })

  /** One of each kind. */
  const all: Required<EventQuery> = {
    query: 'text',
    id: 7,
    feature: 'checkout',
    project: 'shop',
    type: 'change-added',
    createdBy: 1,
    environment: 'production',
    groupId: '01J',
    from: '2024-02-29',
    to: '2024-02-29',
  }

  it('are those of the client', () => {
    const others = ['offset', 'limit', 'before', 'after', 'order']
    const described = Object.keys(eventSearchParameters).filter((name) => !others.includes(name))
    expect(described.sort()).toEqual(Object.keys(all).sort())
  })

  it('are parts of the filter of the storage', () => {
    const { filter } = search(toParameters({ ...all, feature: undefined, project: undefined }))
    expect(filter).toEqual({
      ...{ query: 'text', ids: [7], types: ['change-added'], createdBy: [1], environments: ['production'] },
      ...{ groupIds: ['01J'], from: '2024-02-29', to: '2024-02-29' },
    } satisfies EventFilter)
  })

  const list = 'must begin with IS: or IS_ANY_OF:'
  const day = 'must be IS: and a day as yyyy-MM-dd, or an instant as yyyy-MM-ddTHH:mm:ssZ'

  it.each([
    ['id', '7', list],
    ['feature', 'is:checkout', list],
    ['project', 'IS_NOT:shop', list],
    ['from', '2024-01-01', day],
    ['from', 'IS:2023-02-29', day],
    ['from', 'IS:0000-01-01', day],
    ['to', 'IS:2024-1-1', day],
    ['to', 'IS:2024-01-01T00:00', day],
    ['to', 'IS:2024-01-01T00:00:00', day],
    ['to', 'IS:2024-01-01T00:00:00+01:00', day],
    ['from', 'IS:2024-01-01T24:00:00Z', day],
    ['from', 'IS:2023-02-29T00:00:00Z', day],
  ])('reject %s=%j', (parameter, value, message) => {
    const error = rejection(() => search({ [parameter]: value }))
    expect(error.details).toEqual([
      { path: `/query/${parameter}`, message: `${message}, got ${JSON.stringify(value)}` },
    ])
  })
})

describe('the page of GET /api/admin/search/events', () => {
  const first = { offset: 0, limit: 50, cursor: undefined }

  it.each([
    [{}, {}],
    [
      { offset: '20', limit: '1000' },
      { offset: 20, limit: 1000 },
    ],
    [{ offset: '-1', limit: '1001' }, {}],
    [{ offset: '-0', limit: '0' }, {}],
    [{ offset: 'x', limit: '1.5' }, {}],
    [{ before: '7' }, { cursor: { before: 7 } }],
    [{ after: '0' }, { cursor: { after: 0 } }],
  ])('read from %j is %j, otherwise the first 50', (query, expected) => {
    expect(page(query)).toStrictEqual({ ...first, ...expected })
  })

  it.each([
    [{ before: 'x' }, { path: '/query/before', message: 'must be the id of an event, got "x"' }],
    [{ after: '-1' }, { path: '/query/after', message: 'must be the id of an event, got "-1"' }],
    [{ after: '9007199254740992' }, { path: '/query/after', message: /^must be the id/ }],
    [
      { before: '7', after: '1' },
      { path: '/query/after', message: 'send either before or after, not both' },
    ],
  ])('rejects %j', (query, { path, message }) => {
    const [detail] = rejection(() => page(query)).details
    expect(detail?.path).toBe(path)
    expect(detail?.message).toMatch(message)
  })
})

describe('the start of a stream', () => {
  it.each([
    [{}, undefined],
    [{ after: '7' }, 7],
  ])('with %j is %j', (query, id) => {
    expect(parseStreamStart(reader(query))).toBe(id)
  })

  it('is not `before` an event', () => {
    const error = rejection(() => parseStreamStart(reader({ before: '7' })))
    const message = 'before cannot be used with text/event-stream'
    expect(error).toMatchObject({ message, details: [{ message, path: '/query/before' }] })
  })
})

describe('the range of an export', () => {
  it.each([
    [{}, { oldestFirst: false, after: 0, before: Number.MAX_SAFE_INTEGER }],
    [{ order: 'desc' }, { oldestFirst: false, after: 0, before: Number.MAX_SAFE_INTEGER }],
    [
      { order: 'asc', after: '3', before: '4' },
      { oldestFirst: true, after: 3, before: 4 },
    ],
  ])('with %j is %j', (query, expected) => {
    expect(parseEventRange(reader(query))).toEqual(expected)
  })

  it.each([
    [{ order: 'ASC' }, { path: '/query/order', message: 'must be asc or desc, got "ASC"' }],
    [{ before: 'x' }, { path: '/query/before', message: 'must be the id of an event, got "x"' }],
    [
      { after: '4', before: '4' },
      { path: '/query/after', message: 'must be less than before' },
    ],
  ])('rejects %j', (query, detail) => {
    expect(rejection(() => parseEventRange(reader(query))).details).toEqual([detail])
  })
})

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
