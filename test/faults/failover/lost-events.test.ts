import { people } from '../../support/app'
import { openSource } from '../../support/events/event-source'
import { nightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { type FailoverApp, startFailoverApp } from '../support/failover-app'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres'
import { until } from '../support/server'

const headers = { Authorization: people.ann.key }
const lost = 50

/** @see reliability T64, T65, P17 */
nightly('a process whose primary moves to an asynchronous standby that lacks 50 events', () => {
  let pair: ReplicatedPostgres
  let app: FailoverApp

  beforeAll(async () => {
    pair = await startReplicatedPostgres()
    app = await startFailoverApp(pair.proxy.url, () => ({ limits: { consumerLeaseMs: 1_000 } }))
    await app.router.migrate()
  })

  afterAll(async () => {
    await app?.close()
    await pair?.end()
  })

  const record = (count: number, project: string) =>
    app.router.events.record(Array.from({ length: count }, () => ({ type: 'feature-updated' as const, project })))
  const get = (path: string, more = {}) =>
    fetch(`http://127.0.0.1:${app.port}/api/admin${path}`, { headers: { ...headers, ...more } })
  const follow = () => openSource(`http://127.0.0.1:${app.port}/api/admin/events`, { headers })
  const newest = async (): Promise<number> => (await app.router.health()).lastEventId

  it('serves no lost event, and every reader notices that its position is lost', async () => {
    await record(100, 'kept')
    await pair.synchronize(false)
    // The consumer and its position are on the standby; it is caught up.
    const handled: number[] = []
    app.router.events.consume({
      name: 'audit',
      from: 'beginning',
      handle: async (events) => void handled.push(...events.map(({ id }) => id)),
    })
    app.router.start()
    await until(() => handled.length === 100)
    const position = async () => (await app.router.health()).consumers.items[0]?.position
    await until(async () => (await position()) === 100)
    await pair.synchronize(false)

    await pair.standby.stop('fast')
    const stream = await follow()
    const followed: number[] = []
    const leaving = new AbortController()
    const following = (async () => {
      for await (const { id } of app.router.events.follow({ signal: leaving.signal })) followed.push(id)
    })()
    await until(() => stream.lastEventId() !== '')
    await record(lost, 'lost')
    await until(() => stream.messages.length === lost && followed.length === lost && handled.length === 100 + lost)
    const list = await get('/events')
    const tag = list.headers.get('etag') as string
    await list.text()
    expect((await get('/search/events?project=IS:lost')).status).toBe(200)

    await pair.primary.stop('kill')
    await pair.standby.start()
    await pair.failOver('kill')
    await until(async () => (await get('/events')).status === 200)
    await stream.ended
    await until(async () =>
      record(1, 'new').then(
        () => true,
        () => false,
      ),
    )
    await until(() => followed.length > lost)

    const rejected = await get('/events', { Accept: 'text/event-stream', 'Last-Event-ID': stream.lastEventId() })
    const { details } = (await rejected.json()) as { details: { code: string; lastEventId: string }[] }
    expect([rejected.status, details[0]?.code]).toEqual([409, 'position-lost'])
    const [detail] = details
    const again = await openSource(`http://127.0.0.1:${app.port}/api/admin/events`, {
      headers: { ...headers, 'Last-Event-ID': detail?.lastEventId ?? '' },
    })
    await record(60, 'new')
    await until(() => again.messages.length === 60)

    // As many events as before, and the same ids: nothing of the lost log is served.
    const answer = await get('/events', { 'If-None-Match': tag })
    expect(answer.status).toBe(200)
    const { events } = (await answer.json()) as { events: { id: number; project: string }[] }
    expect(events.filter(({ project }) => project === 'lost')).toEqual([])
    expect(((await (await get('/search/events?project=IS:lost')).json()) as { total: number }).total).toBe(0)

    const texts = () => app.lines.map(([level, text]) => `${level} ${text.split('.')[0]}`)
    // Before it, there may be a warning that the consumer could not read.
    const errorsOfConsumer = () => texts().filter((text) => /^error .*consumer/.test(text))
    await until(() => errorsOfConsumer().length > 0)
    expect(texts().filter((text) => text.startsWith('error The event log was replaced'))).toHaveLength(1)
    expect(errorsOfConsumer()).toEqual([
      expect.stringMatching(/^error (The stored position of a consumer is behind|A consumer was stopped)/),
    ])
    expect(texts().filter((text) => /unreachable|is back/.test(text))).toHaveLength(2)
    expect(await newest()).toBeGreaterThanOrEqual(161)
    again.leave()
    leaving.abort()
    await following
    await expectConsistent(app.storage)
  })
})
