import { people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { sendRaw } from '../support/raw-request'
import { violations } from '../support/schema'

const idsOf = ({ body }: { body: { events: { id: number }[] } }) => body.events.map(({ id }) => id)
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

describe('GET /api/admin/events', () => {
  let database: OpenDatabase
  let app: TestApp

  /** 1,234 events of project many between 33 of others, so that its ids have gaps and its list has three pages. */
  beforeAll(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage })
    for (const [project, count] of [
      ['few', 17],
      ['many', 700],
      ['few', 13],
      ['many', 534],
      ['few', 3],
    ] as const) {
      await app.router.events.record(Array.from({ length: count }, () => ({ type: 'feature-updated', project })))
    }
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('returns the newest 100 of the instance, newest first, and the total', async () => {
    const answer = await app.events()
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['version', 'events', 'totalEvents'])
    expect(answer.body).toMatchObject({ version: 1, totalEvents: 1267 })
    expect(idsOf(answer)).toEqual(down(1267, 1168))
    expect(violations('event-list', answer.body)).toEqual([])
  })

  it('returns all events of a project', async () => {
    const answer = await app.events('?project=many')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ version: 1, totalEvents: 1234 })
    expect(idsOf(answer)).toEqual([...down(1264, 731), ...down(717, 18)])
    expect(violations('event-list', answer.body)).toEqual([])
    const few = await app.events('?project=few')
    expect(few.body.totalEvents).toBe(33)
    expect(idsOf(few)).toEqual([...down(1267, 1265), ...down(730, 718), ...down(17, 1)])
  })

  it.each([
    ['an unknown project', 'nothing'],
    ['NUL', '%00'],
    ['NUL behind a known name', 'few%00'],
    ['two dots', '..'],
    ['a slash', 'few%2F..'],
    ['a blank', '%20'],
    ['a known name with a blank', 'few%20'],
    ['another case', 'Few'],
    ['quotes', "'%20or%20'1'='1"],
    ['wildcards', '%25'],
    ['line breaks', 'few%0d%0aX-Injected:%201'],
    ['a broken escape', '%zz'],
    ['bytes that are no UTF-8', '%ff%fe'],
    ['a surrogate in UTF-8', '%ed%a0%80'],
    ['10 kB', 'x'.repeat(10_000)],
    ['a name of objects', '__proto__'],
  ])('returns an empty list for %s as the project', async (_name, project) => {
    const path = `/api/admin/events?project=${project}`
    const headers = { Authorization: people.ann.key }
    const answer = await sendRaw(app.port, { method: 'GET', path, headers })
    expect([answer.status, answer.text]).toEqual([200, '{"version":1,"events":[],"totalEvents":0}'])
    expect(answer.headers).not.toHaveProperty('x-injected')
  })

  it.each(['?project=', '?', '?Project=few', '?other=few&project=', '?project[]=few', '?project[a]=few'])(
    'treats %p as no project',
    async (query) => {
      expect((await app.events(query)).body.totalEvents).toBe(1267)
    },
  )

  it.each(['?project=few&project=few', '?project=few&project=', '?project=&project=', '?project=few&%70roject=many'])(
    'rejects %p: the parameter occurs twice',
    async (query) => {
      const { status, body } = await app.events(query)
      expect([status, body.name]).toEqual([400, 'BadDataError'])
      expect(body.details).toEqual([{ message: expect.stringContaining('once'), path: '/query/project' }])
    },
  )

  it('handles HEAD like GET, without the body', async () => {
    for (const query of ['', '?project=many']) {
      const path = `/api/admin/events${query}`
      const headers = { Authorization: people.ann.key }
      const answer = await sendRaw(app.port, { method: 'HEAD', path, headers })
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect(answer.headers.etag).toBe((await app.events(query)).headers.etag)
    }
  })
})
