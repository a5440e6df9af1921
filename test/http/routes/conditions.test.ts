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
