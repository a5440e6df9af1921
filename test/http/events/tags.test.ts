import { enable, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'

describe('GET /api/admin/events with If-None-Match', () => {
  let database: OpenDatabase
  let app: TestApp
  let reads = 0

  beforeAll(async () => {
    database = await sqlite.open()
    const { storage } = database
    const eventPage: typeof storage.eventPage = (...page) => {
      reads += 1
      return storage.eventPage(...page)
    }
    app = await startApp({ storage: { ...storage, eventPage } })
    await app.router.events.record([
      { type: 'project-created', project: 'shop' },
      { type: 'project-created', project: 'blog' },
    ])
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  const tagOf = async (query: string) => (await app.events(query)).headers.etag ?? ''

  it.each(['', '?project=shop', '?project=nothing'])(
    'is 304 while nothing is new, and reads no event (%p)',
    async (query) => {
      const tag = await tagOf(query)
      reads = 0
      for (const value of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*']) {
        const answer = await app.events(query, { headers: { 'If-None-Match': value } })
        expect([value, answer.status, answer.text]).toEqual([value, 304, ''])
        expect(answer.headers).toMatchObject({
          etag: tag,
          'cache-control': 'private, no-cache',
          vary: expect.stringContaining('Authorization'),
        })
      }
      expect(reads).toBe(0)
    },
  )

  it.each(['"other"', '', 'rubbish', '"'])('is 200 for another tag (%p)', async (tag) => {
    for (const query of ['', '?project=shop']) {
      expect((await app.events(query, { headers: { 'If-None-Match': tag } })).status).toBe(200)
    }
  })

  it('has an ETag per scope, which only changes with an event in that scope', async () => {
    const before = [await tagOf(''), await tagOf('?project=shop'), await tagOf('?project=blog')]
    expect(new Set(before).size).toBe(3)
    await app.propose(enable(), { project: 'blog' })
    const after = [await tagOf(''), await tagOf('?project=shop'), await tagOf('?project=blog')]
    expect(after.map((tag, index) => tag === before[index])).toEqual([false, true, false])
    const stale = await app.events('?project=blog', { headers: { 'If-None-Match': before[2] ?? '' } })
    expect([stale.status, stale.body.totalEvents]).toEqual([200, 3])
  })
})
