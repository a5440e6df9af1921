import { gzipSync } from 'node:zlib'
import { changeRequestsPath, enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { contents } from '../../support/databases/tables'
import { type BadRequest, bytes, json, keys, paths, sized } from '../support/bad-requests'
import { sendRaw } from '../support/raw-request'
import { expectRefusal } from '../support/refusal'
import { violations } from '../support/schema'

describe('bad input to POST change-requests', () => {
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

  const tables: Readonly<Record<string, readonly BadRequest[]>> = {
    'the key': keys,
    'the bytes of the body': bytes,
    'the path': paths,
  }

  describe.each(Object.keys(tables))('in %s is rejected:', (part) => {
    let before: object

    beforeAll(async () => {
      before = await contents(database.knex)
    })

    const rows = tables[part] ?? []
    it.each(rows.map((row) => [row[0], row] as const))('%s', async (_flaw, [, request, status, name, path]) => {
      const answer = await sendRaw(app.port, request)
      expectRefusal(answer, status, name)
      expect(answer.body.details[0].path).toBe(path)
    })

    it('and changes nothing', async () => {
      expect(await contents(database.knex)).toEqual(before)
    })
  })

  it.each([
    ['application/problem+json', true],
    ['text/html, application/problem+json;q=0.5', true],
    ['application/problem+json;q=0', false],
    ['application/problem+json;q=0, */*', false],
    ['*/*', false],
    ['application/*', false],
    ['application/json', false],
    ['application/problem+xml', false],
  ])('Accept: %s, problem details: %p', async (accept, isProblem) => {
    const answer = await app.propose([], { headers: { Accept: accept } })
    const media = isProblem ? 'application/problem+json' : 'application/json; charset=utf-8'
    expect([answer.status, answer.headers['content-type']]).toEqual([400, media])
    expect(violations(isProblem ? 'problem' : 'error', answer.body)).toEqual([])
    if (!isProblem) return
    const same = (await app.propose([])).body
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: same.message,
      ...same,
      id: expect.any(String),
    })
  })

  it.each([
    ['the key alone', { Authorization: people.ann.key }],
    ['Bearer', { Authorization: `Bearer ${people.ann.key}` }],
    ['bearer and more blanks', { Authorization: `bearer   ${people.ann.key}` }],
    ['another case of the content type', { 'Content-Type': 'Application/JSON' }],
    ['a charset', { 'Content-Type': 'application/json; charset=UTF-8' }],
    ['a parameter', { 'Content-Type': 'application/json;v=1' }],
    ['an Accept that it does not serve', { Accept: 'text/html' }],
    ['no Accept', {}],
  ])('accepts %s', async (_name, headers) => {
    const answer = await sendRaw(app.port, { ...sized(200), headers: { ...json, ...headers } })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  })

  it.each([
    ['102,400 bytes', sized(102_400)],
    [
      'gzip',
      { ...sized(0), headers: { ...json, 'Content-Encoding': 'gzip' }, body: gzipSync(JSON.stringify(enable())) },
    ],
    ['names of 100 characters', { ...sized(0), path: changeRequestsPath('p'.repeat(100), 'e'.repeat(100)) }],
    ['all marks of a name', { ...sized(0), path: changeRequestsPath("-_.!~*'()", '...') }],
    ['names of objects', { ...sized(0), path: changeRequestsPath('constructor', '__proto__') }],
    ['a flag that has the name of an object', { ...sized(0), body: JSON.stringify(enable('__proto__')) }],
    ['a slash at the end', { ...sized(0), path: `${changeRequestsPath()}/` }],
  ])('accepts %s', async (_name, request) => {
    expect((await sendRaw(app.port, request)).status).toBe(200)
  })
})
