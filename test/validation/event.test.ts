import { changeRequestEventTypes, eventTypes } from '../../src/generated/lists'
import { parseRecordedEvent } from '../../src/validation/check-body'
import { isDateTime } from '../../src/validation/core/registry'
import { rejection } from './rejection'

const type = 'feature-archived'
const tags = [{ type: 'simple', value: 'web' }]

describe('an event of the host', () => {
  it.each([
    [{ type }],
    [{ type: 'cdn-token-created', createdBy: 'ann', createdByUserId: -1337, ip: '::1' }],
    [{ type, project: 'web', environment: 'production', featureName: 'checkout', data: { a: [1] }, preData: {}, tags }],
    [
      {
        type,
        createdByUserId: null,
        project: null,
        environment: null,
        featureName: null,
        data: null,
        tags: null,
        ip: null,
      },
    ],
    [{ type, groupType: 'transaction', groupId: '01JQ5Z' }],
  ])('may be %j', (event) => {
    expect(parseRecordedEvent(event)).toEqual(event)
  })

  it.each(eventTypes.filter((type) => /^change-/.test(type)))(
    'must not be of the type %s, which the router writes',
    (type) => {
      const message = `${type} is written only by the router. Leave the event out, or record it with another type.`
      expect(rejection(() => parseRecordedEvent({ type })).details).toEqual([{ path: '/event/type', message }])
      expect(changeRequestEventTypes).toContain(type)
    },
  )

  it('may be of each other type', () => {
    const others = eventTypes.filter((type) => !/^change-/.test(type))
    expect(others.map((type) => parseRecordedEvent({ type }).type)).toEqual(others)
    expect([others.length, changeRequestEventTypes.length]).toEqual([162, 17])
  })

  it('may have properties that are undefined', () => {
    expect(Object.keys(parseRecordedEvent({ type, tags: undefined, data: { a: undefined } }))).toEqual(['type', 'data'])
  })

  it.each([
    [{}, '/event/type', 'type is required and missing'],
    [{ type: 'made-up' }, 'type', 'got "made-up"'],
    [{ type: 1 }, '/event/type', 'must be string, got 1'],
    [{ type, id: 1 }, '/event/id', 'not allowed there'],
    [{ type, createdAt: '2030-01-01T00:00:00Z' }, '/event/createdAt', 'not allowed there'],
    [{ type, createdBy: null }, '/event/createdBy', 'must be string'],
    [{ type, createdByUserId: 1.5 }, '/event/createdByUserId', 'must be integer or null'],
    [{ type, createdByUserId: 2 ** 53 }, '/event/createdByUserId', 'must be at most'],
    [{ type, project: 'a b' }, '/event/project', 'must have 1 to 100 characters, only'],
    [{ type, environment: '..' }, '/event/environment', 'must have 1 to 100 characters, only'],
    [{ type, featureName: '' }, '/event/featureName', 'at least 1 character'],
    [{ type, data: [] }, '/event/data', 'must be object or null'],
    [{ type, preData: 'x' }, '/event/preData', 'must be object or null'],
    [{ type, tags: {} }, '/event/tags', 'must be array or null'],
    [{ type, tags: [{ type: 'x', value: 'ok' }] }, '/event/tags/0/type', 'at least 2 characters'],
    [{ type, tags: [{ type: 'simple', value: 'x'.repeat(51) }] }, '/event/tags/0/value', 'at most 50 characters'],
    [{ type, tags: [{ type: 'simple', value: 'ok', color: '#fff' }] }, '/event/tags/0/color', 'not allowed there'],
    [{ type, groupType: 'other' }, 'groupType', '"change-request", "transaction"'],
    [{ type, groupId: null }, '/event/groupId', 'must be string'],
    [{ type, data: { at: new Date(0) } }, '/event/data/at', 'a value that JSON does not have (Date)'],
    [{ type, data: { a: '\0' } }, '/event/data/a', 'NUL'],
    [JSON.parse('{"type":"feature-archived","data":{"__proto__":{}}}'), '/event/data/__proto__', 'not allowed'],
    [[], '/event', 'must be object'],
    [null, '/event', 'must be an object'],
    ['text', '/event', 'must be an object'],
  ])('must not be %j', (event, path, message) => {
    const error = rejection(() => parseRecordedEvent(event))
    expect(error.name).toBe('BadDataError')
    expect(error.details).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe('a point in time', () => {
  it.each([
    '2030-01-01T00:00:00Z',
    '2030-01-01T00:00:00.123456Z',
    '2028-02-29T23:59:59+05:30',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('may be %s', (text) => {
    expect(isDateTime(text)).toBe(true)
    expect(() => new Date(text).toISOString()).not.toThrow()
  })

  it.each([
    '2030-01-01T23:59:60Z',
    '2030-01-01 00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+275760-09-13T00:00:00Z',
    '2030-02-30T00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-01-01T00:00:00',
    '2030-01-01T00:00:00+01',
    '2030-01-01',
    'tomorrow',
    '',
  ])('must not be %s', (text) => {
    expect(isDateTime(text)).toBe(false)
  })
})
