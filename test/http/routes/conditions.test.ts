import { enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { contents } from '../../support/databases/tables'

describe('POST change-requests with If-None-Match: *', () => {
  let database: OpenDatabase
  let app: TestApp

  beforeAll(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  const propose = (project: string, more: Readonly<Record<string, string>> = {}) =>
    app.propose(enable(), { project, headers: { 'If-None-Match': '*', ...more } })

  it('creates a change request; a second one is 412 with the path of the first, and nothing is written', async () => {
    const { status, body } = await propose('own')
    expect([status, body.state]).toEqual([200, 'Draft'])
    const before = await contents(database.knex)
    const refused = await propose('own')
    expect([refused.status, refused.body.name]).toEqual([412, 'PreconditionFailedError'])
    const path = `/api/admin/projects/own/change-requests/${body.id}`
    expect(refused.body.details).toEqual([{ message: refused.body.message, code: 'outdated-revision', path }])
    expect(refused.body.message).toContain(`your change request ${body.id} (Draft)`)
    expect(await contents(database.knex)).toEqual(before)
  })

  it('does not affect the retry of a stored call', async () => {
    const key = { 'Idempotency-Key': 'deploy-7' }
    const first = await propose('retried', key)
    const second = await propose('retried', key)
    expect([second.status, second.headers['idempotency-replayed'], second.body]).toEqual([200, 'true', first.body])
  })

  it('does not count the change request of another author', async () => {
    await app.propose(enable(), { project: 'shop' })
    const other = await app.propose(enable(), { key: people.ben.key, headers: { 'If-None-Match': ' * ' } })
    expect([other.status, other.body.features[0].changes.length]).toEqual([200, 1])
  })

  it('is ignored with any other value', async () => {
    await propose('ignored')
    for (const value of ['"1-1"', '', '"*"'])
      expect((await propose('ignored', { 'If-None-Match': value })).status).toBe(200)
  })
})
