import { enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { contents } from '../../support/databases/tables'

describe('POST change-requests with If-Match', () => {
  let database: OpenDatabase
  let app: TestApp

  beforeAll(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage })
    for (const flag of ['a', 'b']) await app.propose(enable(flag), { project: 'tagged' })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  const propose = (ifMatch: string, project = 'tagged') =>
    app.propose(enable(), { project, headers: { 'If-Match': ifMatch } })

  it('returns an ETag of id and version, which increases with each write', async () => {
    const tags = []
    for (const key of [people.ann.key, people.ann.key]) {
      tags.push((await app.propose(enable(), { key, project: 'growing' })).headers.etag)
    }
    const id = Number(/\d+/.exec(tags[0] ?? ''))
    expect(tags).toEqual([`"${id}-1"`, `"${id}-2"`])
  })

  it('writes if the ETag is current, alone or in a list, or with *', async () => {
    const versions = []
    for (const tag of ['"1-2"', '"9-9", "1-3"', '"1-4","0-0"', '*', ' * ']) {
      versions.push((await propose(tag)).headers.etag)
    }
    expect(versions).toEqual(['"1-3"', '"1-4"', '"1-5"', '"1-6"', '"1-7"'])
  })

  it('lets one of two callers with the same revision win', async () => {
    const { etag = '' } = (await app.propose(enable(), { project: 'raced' })).headers
    const answers = await Promise.all([propose(etag, 'raced'), propose(etag, 'raced')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  it.each([
    ['an older version', '"1-1"', 'tagged'],
    ['another request', '"2-1"', 'tagged'],
    ['a weak tag of the present version', 'W/"1-7"', 'tagged'],
    ['no quotes', '1-7', 'tagged'],
    ['an empty value', '', 'tagged'],
    ['rubbish', '"', 'tagged'],
    ['any, where a new request would be made', '*', 'untouched'],
    ['some, where a new request would be made', '"1-7"', 'untouched'],
  ])('%s is 412, and nothing is written', async (_name, tag, project) => {
    const before = await contents(database.knex)
    const { status, body, headers } = await propose(tag, project)
    expect([status, body.name]).toEqual([412, 'PreconditionFailedError'])
    expect(body.details).toEqual([{ message: body.message, code: 'outdated-revision' }])
    expect(headers).not.toHaveProperty('etag')
    expect(await contents(database.knex)).toEqual(before)
  })
})

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

  it('lets one of two concurrent runs win', async () => {
    const answers = await Promise.all([propose('raced'), propose('raced')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
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
