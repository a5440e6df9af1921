import { noon, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { ndjson, openExport, parseNdjson, readExport } from './support/export-request'

const total = 1_000
/** The first event that stays. */
const first = 601

describe('keeping the oldest events elsewhere', () => {
  let database: OpenDatabase
  let app: TestApp

  const exported = async (path: string) => {
    const answer = await readExport(await openExport({ port: app.port, path, accept: ndjson }))
    return { lines: answer.text.split('\n').slice(0, -2), ...parseNdjson(answer.text) }
  }
  const listed = async (path: string) => {
    const { text } = await readExport(await openExport({ port: app.port, path, accept: 'application/json' }))
    return JSON.parse(text)
  }

  beforeAll(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage })
    await app.router.events.record(
      Array.from({ length: total }, (_, index) => ({
        type: 'feature-updated' as const,
        project: index < 500 ? 'old' : 'shop',
        featureName: index % 2 === 0 ? 'checkout' : 'basket',
        createdBy: people.ann.user.username,
        createdByUserId: index < 550 ? people.ann.user.id : people.ben.user.id,
      })),
    )
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('exports events below an id, lets the operator delete them, and recounts', async () => {
    const whole = await exported('/events?order=asc')
    const archive = await exported(`/events?order=asc&before=${first}`)
    expect(archive.trailer).toMatchObject({ count: first - 1, firstId: 1, lastId: first - 1 })
    expect(archive.lines).toEqual(whole.lines.slice(0, first - 1))

    expect(await database.knex('ffcr_events').where('id', '<', first).delete()).toBe(archive.trailer.count)
    await app.router.events.recount()

    const rest = await exported('/events?order=asc')
    expect([...archive.lines, ...rest.lines]).toEqual(whole.lines)
    expect(rest.trailer).toMatchObject({ count: total - first + 1, firstId: first, lastId: total })
    for (const [path, count] of [
      ['/events', rest.trailer.count],
      ['/events?project=shop', rest.trailer.count],
      ['/events?project=old', 0],
      ['/events/checkout', rest.trailer.count / 2],
    ] as const) {
      const { events, totalEvents } = await listed(path)
      expect([path, totalEvents]).toEqual([path, count])
      expect(events).toHaveLength(Math.min(count, path === '/events' ? 100 : count))
    }
    expect((await listed('/search/events')).total).toBe(rest.trailer.count)
    expect((await listed('/event-creators')).map(({ id }: { id: number }) => id)).toEqual([people.ben.user.id])

    await app.router.events.record({ type: 'feature-archived', project: 'shop' })
    const { events, totalEvents } = await listed('/events')
    expect([totalEvents, events[0].id, events[0].createdAt]).toEqual([total - first + 2, total + 1, noon])
  })
})
