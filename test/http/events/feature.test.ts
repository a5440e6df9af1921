import { sendRaw } from '../support/raw-request'
import { expectRefusal } from '../support/refusal'
import { violations } from '../support/schema'
import { type EventFixture, type Reader, startEventFixture } from './support/readers-fixture'

describe('GET /api/admin/events/:featureName', () => {
  let app: EventFixture

  beforeAll(async () => {
    app = await startEventFixture()
  })

  afterAll(() => app.close())

  const idsOf = ({ body }: { body: { events: { id: number }[] } }) => body.events.map(({ id }) => id)
  const log = (name: string, reader: Reader = 'admin', headers = {}) => app.get(`/events/${name}`, reader, headers)

  it('returns the events of the flag, newest first, with its name and the total', async () => {
    const answer = await log('checkout')
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['version', 'toggleName', 'events', 'totalEvents'])
    expect(answer.body).toMatchObject({ version: 1, toggleName: 'checkout', totalEvents: 3 })
    expect(idsOf(answer)).toEqual([7, 2, 1])
    expect(violations('feature-event-list', answer.body)).toEqual([])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: expect.stringContaining('Authorization'),
    })
  })

  it.each(['unknown', 'Checkout', 'constructor', '__proto__', 'x'.repeat(100), "-_.!~*'()"])(
    'returns no events for %s',
    async (name) => {
      const { status, body } = await log(name)
      expect([status, body]).toEqual([200, { version: 1, toggleName: name, events: [], totalEvents: 0 }])
    },
  )

  it.each<[Reader, readonly number[]]>([
    ['admin', [7, 2, 1]],
    ['auditor', [7, 2, 1]],
    ['ofShop', [7, 1]],
    ['adminOfShop', [7, 1]],
    ['ofShopAndBlog', [7, 2, 1]],
    ['ofWiki', []],
    ['ofShopInProduction', []],
    ['authorInShop', []],
    ['nobody', []],
  ])('shows %s %j', async (reader, ids) => {
    const answer = await log('checkout', reader)
    expect([answer.status, idsOf(answer), answer.body.totalEvents]).toEqual([200, ids, ids.length])
  })

  it('returns 304 while the reader has no new events', async () => {
    const tag = async (reader: Reader) => (await log('basket', reader)).headers.etag as string
    const [all, ofShop] = [await tag('admin'), await tag('ofShop')]
    expect(ofShop).not.toBe(all)
    expect((await log('checkout')).headers.etag).not.toBe(all)
    await app.router.events.record({ type: 'feature-updated', project: 'shop', featureName: 'other' })

    const again = await log('basket', 'admin', { 'If-None-Match': all })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', all])

    await app.router.events.record({ type: 'feature-updated', project: 'blog', featureName: 'basket' })
    expect((await log('basket', 'admin', { 'If-None-Match': all })).status).toBe(200)
    expect((await log('basket', 'ofShop', { 'If-None-Match': ofShop })).status).toBe(304)
  })

  it('ignores limits and filters of the search', async () => {
    expect(idsOf(await app.get('/events/checkout?limit=1&offset=1&project=blog&from=x'))).toEqual([7, 2, 1])
  })

  it.each<[string, string, Record<string, string>, number, string, string?]>([
    ['no key', 'checkout', {}, 401, 'AuthenticationRequired'],
    ['an unknown key', 'checkout', { Authorization: 'stranger' }, 401, 'UnauthorizedError'],
    ['an unknown key before a malformed name', 'a%20b', { Authorization: 'stranger' }, 401, 'UnauthorizedError'],
    ...['%00', 'a%00', 'a%20b', '%2F', 'a%2Fb', '%C3%A4', 'x'.repeat(101), '%25', 'a;b'].map(
      (name): [string, string, Record<string, string>, number, string, string] => [
        `the flag ${name}`,
        name,
        { Authorization: 'nobody' },
        400,
        'BadDataError',
        '/params/featureName',
      ],
    ),
    ['two dots', '%2e%2e', { Authorization: 'admin' }, 400, 'BadDataError', '/params/featureName'],
    ['a broken escape', '%zz', { Authorization: 'admin' }, 400, 'BadDataError'],
  ])('rejects %s', async (...[, name, headers, status, error, path]) => {
    const answer = await sendRaw(app.port, { method: 'GET', path: `/api/admin/events/${name}`, headers })
    expectRefusal(answer, status, error)
    expect(answer.body.details[0].path).toBe(path)
  })
})
