import { memoryStorage } from '../../../src'
import { startApp } from '../../support/app'
import { violations } from '../support/schema'
import { authenticate, type EventFixture, type Reader, readable, startEventFixture } from './support/readers-fixture'

describe('GET /api/admin/search/events/activity', () => {
  let app: EventFixture
  beforeAll(async () => {
    app = await startEventFixture({ storage: memoryStorage() })
  })
  afterAll(() => app.close())

  const activity = (query: string, reader: Reader = 'admin') => app.get(`/search/events/activity${query}`, reader)
  const march = '?from=2026-03-01&to=2026-03-31'

  it('returns the number of events per day, like the search', async () => {
    const { status, body } = await activity(march)
    expect(status).toBe(200)
    expect(violations('event-activity', body)).toEqual([])
    for (const { date, total } of body.days) {
      const found = await app.get(`/search/events?from=IS:${date}&to=IS:${date}`, 'admin')
      expect([date, total]).toEqual([date, found.body.total])
    }
    expect(body.days.length).toBeGreaterThan(1)
  })

  it('returns one project, and nothing for a project without events', async () => {
    const [all, shop, none] = [
      await activity(march),
      await activity(`${march}&project=shop`),
      await activity(`${march}&project=none`),
    ]
    const sum = ({ body }: typeof all) =>
      body.days.reduce((total: number, day: { total: number }) => total + day.total, 0)
    const found = await app.get('/search/events?project=IS:shop&from=IS:2026-03-01&to=IS:2026-03-31', 'admin')

    expect([sum(shop), none.body]).toEqual([found.body.total, { days: [] }])
    expect(sum(shop)).toBeLessThan(sum(all))
  })

  it.each([
    ['', '/query/from'],
    ['?from=2026-03-01', '/query/to'],
    ['?from=IS:2026-03-01&to=2026-03-31', '/query/from'],
    ['?from=2026-03-01&to=2026-02-30', '/query/to'],
  ])('rejects %j', async (query, path) => {
    const { status, body } = await activity(query)
    expect([status, body.details[0].path]).toEqual([400, path])
  })
})

describe('the total of a search that examines few events', () => {
  it('states in a header that there may be more', async () => {
    const storage = memoryStorage()
    const bounded = readable(
      await startApp({
        storage: {
          ...storage,
          searchEvents: async (search) => ({ ...(await storage.searchEvents(search)), isExact: false }),
        },
        authenticate,
      }),
    )
    const whole = readable(await startApp({ storage, authenticate }))
    try {
      expect((await bounded.get('/search/events?type=IS:feature-updated', 'admin')).headers['total-count']).toBe(
        'at-least',
      )
      expect((await whole.get('/search/events?type=IS:feature-updated', 'admin')).headers).not.toHaveProperty(
        'total-count',
      )
    } finally {
      await bounded.close()
      await whole.close()
    }
  })
})
