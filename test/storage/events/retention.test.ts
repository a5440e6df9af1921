import { generateKeyPairSync } from 'node:crypto'
import supertest from 'supertest'
import { createEventChain } from '../../../src'
import { people, startApp, type TestApp } from '../../support/app'
import { databases, type OpenDatabase } from '../../support/databases'
import { wrongCounts } from '../../support/databases/stored-counts'
import { memoryLedger } from '../../support/memory-ledger'

/** The number of events that are removed, and of those that stay. */
const each = 300

describe.each(databases)('after the oldest events were exported and removed by SQL on $name', ({ open }) => {
  let database: OpenDatabase
  let app: TestApp
  let now = new Date()
  const get = (path: string, headers = {}) =>
    supertest(app.server)
      .get(`/api/admin${path}`)
      .set({ Authorization: people.ann.key, ...headers })
  const archive = async (path: string) => {
    const { text } = await get(path, { Accept: 'application/x-ndjson' }).buffer(true).parse(asText)
    const lines = text.trimEnd().split('\n')
    return { trailer: JSON.parse(lines.pop() ?? '').trailer, lines }
  }
  const record = (project: string, createdByUserId: number) =>
    app.router.events.record(
      Array.from({ length: each }, (_, index) => ({
        type: 'feature-updated' as const,
        project,
        featureName: index % 2 === 0 ? 'checkout' : 'basket',
        createdBy: `user-${createdByUserId}`,
        createdByUserId,
      })),
    )

  beforeAll(async () => {
    database = await open()
    app = await startApp({ storage: database.storage, clock: () => now })
  })
  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('every read is right: lists, totals, search, history of a flag, creators, cursors, ETags, the chain', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const chain = createEventChain({ storage: database.storage, ledger: memoryLedger(), privateKey })
    await record('old', 1)
    await chain.seal()
    now = new Date(now.getTime() + 32 * 24 * 60 * 60 * 1000)
    await record('shop', 2)
    await chain.seal()
    const whole = await archive('/events?order=asc')
    const { headers } = await get('/events')

    const exported = await archive(`/events?order=asc&before=${each + 1}`)
    expect(exported.trailer).toMatchObject({ count: each, firstId: 1, lastId: each })
    await database.knex('ffcr_events').where('id', '<=', each).del()
    await app.router.events.recount()
    expect(await wrongCounts(database.knex)).toEqual([])

    const rest = await archive('/events?order=asc')
    expect([...exported.lines, ...rest.lines]).toEqual(whole.lines)
    expect(rest.trailer).toMatchObject({ count: each, firstId: each + 1, lastId: 2 * each })
    const remaining = await get('/events')
    expect(remaining.body.totalEvents).toBe(each)
    expect(remaining.headers.etag).not.toBe(headers.etag)
    await get('/events', { 'If-None-Match': headers.etag }).expect(200)
    await get('/events', { 'If-None-Match': remaining.headers.etag }).expect(304)
    expect((await get('/events?project=old')).body).toMatchObject({ events: [], totalEvents: 0 })
    expect((await get('/events/checkout')).body).toMatchObject({ totalEvents: each / 2 })
    expect((await get('/search/events?feature=IS:basket')).body).toMatchObject({ total: each / 2 })
    expect((await get('/search/events')).body).toMatchObject({ total: each })
    expect((await get('/event-creators')).body).toEqual([{ id: 2, name: 'user-2' }])
    // A cursor in the removed part continues with the first event that stays.
    expect((await archive('/events?order=asc&after=17')).trailer).toEqual(rest.trailer)
    expect(await chain.verify({ after: each })).toEqual({ intact: true, events: each, lastId: 2 * each })
    expect(await chain.verify()).toMatchObject({ intact: false, firstBadId: 1 })

    await record('shop', 3)
    const { totalEvents, events } = (await get('/events')).body
    expect([totalEvents, events[0].id]).toEqual([2 * each, 3 * each])
    expect(await wrongCounts(database.knex)).toEqual([])
  })
})

/** Superagent knows no NDJSON. */
function asText(answer: supertest.Response, done: (error: Error | null, text: string) => void): void {
  const stream = answer as unknown as NodeJS.ReadableStream & { text: string }
  stream.text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    stream.text += chunk
  })
  stream.on('end', () => done(null, stream.text))
}
