import { enable, startApp, type TestApp } from '../../support/app'
import { databases, type OpenDatabase } from '../../support/databases'
import { rowCounts } from '../../support/databases/tables'
import { expectConsistent } from '../../support/verify/expect-consistent'

const fifty = Array.from({ length: 50 }, (_, index) => index + 1)

describe.each(databases)('50 parallel POSTs of changes on $name', ({ open }) => {
  let database: OpenDatabase
  let app: TestApp

  beforeEach(async () => {
    database = await open()
    app = await startApp({
      storage: database.storage,
      authenticate: ({ headers }) => ({ id: Number(headers.authorization) || 1, username: 'someone' }),
      authorize: () => true,
    })
  })

  afterEach(async () => {
    await app.close()
    await expectConsistent(database.storage)
    await database.close()
  })

  it('by one caller create one change request with 50 changes and 51 events, ids in order', async () => {
    const answers = await Promise.all(fifty.map((n) => app.propose(enable(`flag-${n}`), { key: '1' })))
    expect(answers.map(({ status }) => status)).toEqual(fifty.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    for (const [index, { body, headers }] of answers.entries()) {
      expect(body.features.map(({ name }: { name: string }) => name)).toContain(`flag-${index + 1}`)
      expect(headers.etag).toBe(`"${body.id}-${body.features.length}"`)
    }
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(50)
    expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 1, events: 51 })

    const { body } = await app.events()
    const [created, ...added] = body.events.reverse()
    expect(created.type).toBe('change-request-created')
    expect(added.map(({ type }: { type: string }) => type)).toEqual(fifty.map(() => 'change-added'))
    const changeIds = added.map(({ data }: { data: { changeId: number } }) => data.changeId)
    expect(changeIds).toEqual([...changeIds].sort((one, other) => one - other))
    const final = await app.propose(enable('last'), { key: '1' })
    const shown = final.body.features.flatMap(({ changes }: { changes: { id: number }[] }) =>
      changes.map(({ id }) => id),
    )
    expect(shown.slice(0, -1)).toEqual(changeIds)
    expect(new Set(final.body.features.map(({ name }: { name: string }) => name)).size).toBe(51)
  })

  it('by 50 callers create 50 change requests', async () => {
    const answers = await Promise.all(fifty.map((n) => app.propose(enable(), { key: String(n) })))
    expect(answers.map(({ status }) => status)).toEqual(fifty.map(() => 200))
    expect(answers.map(({ body }) => body.createdBy.id)).toEqual(fifty)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(50)
    expect(await rowCounts(database.knex)).toMatchObject({ change_requests: 50, events: 100 })
    expect((await app.events('?project=shop')).body.totalEvents).toBe(100)
  })

  it('of lists keep each list together and in its order', async () => {
    const list = ['x', 'y', 'z'].map((name) => enable(name))
    await Promise.all(fifty.slice(0, 20).map(() => app.propose(list, { key: '1' })))
    const { body } = await app.events()
    const flags = body.events
      .reverse()
      .slice(1)
      .map(({ featureName }: { featureName: string }) => featureName)
    expect(flags).toEqual(fifty.slice(0, 20).flatMap(() => ['x', 'y', 'z']))
  })
})
