import fc from 'fast-check'
import { changeSchemas } from '../../../src/validation/core/registry'
import { changeRequestsPath, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, postgres } from '../../support/databases'
import { random, seed } from '../../support/random'
import { sendRaw } from '../support/raw-request'
import { expectRefusal } from '../support/refusal'
import { violations } from '../support/schema'

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    '\0',
    '\ud800',
    '..',
    '2026-02-30',
    '1e400',
    "'; drop table",
  ),
)
const action = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...changeSchemas.keys()) },
  { weight: 1, arbitrary: oddText },
)
const value = fc.jsonValue({ depthSize: 'medium' })
const payload = fc.oneof(
  value,
  fc.dictionary(
    fc.oneof(fc.constantFrom('enabled', 'id', 'name', 'constraints', 'parameters', 'variants'), oddText),
    value,
  ),
)
const change = fc.record(
  { action, feature: fc.oneof(fc.constant('checkout'), oddText, value), payload },
  { requiredKeys: ['action'] },
)
const body = fc.oneof(change, fc.array(change, { maxLength: 5 }), value).map((json) => JSON.stringify(json) ?? 'null')
const bytes = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json().map((text) => text.slice(1)),
)
const segment = fc.oneof(
  oddText.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))),
  fc.stringMatching(/^[A-Za-z0-9%._~;,'()*-]+$/),
)

describe(`any request (SEED=${seed})`, () => {
  let database: OpenDatabase
  let app: TestApp

  beforeAll(async () => {
    database = await postgres.open()
    app = await startApp({ storage: database.storage, limits: { changesPerChangeRequest: 1_000_000 } })
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  const headers = { Authorization: people.ann.key, 'Content-Type': 'application/json' }

  it('a body is accepted or rejected with a reason, never a 5xx', async () => {
    const property = fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: body }, bytes), async (text) => {
      const answer = await sendRaw(app.port, { path: changeRequestsPath('fuzz'), headers, body: text })
      if (answer.status === 200) expect(violations('change-request', answer.body)).toEqual([])
      else expectRefusal(answer, 400, 'BadDataError', text)
    })
    await fc.assert(property, random(30))
  })

  it('a path is accepted, rejected or left to the host', async () => {
    const property = fc.asyncProperty(segment, segment, async (project, environment) => {
      const path = changeRequestsPath(project, environment)
      const answer = await sendRaw(app.port, { path, headers, body: '{"action":"deleteSegment","payload":{"id":1}}' })
      if (answer.status === 400) expectRefusal(answer, 400, 'BadDataError')
      else expect([200, 404]).toContain(answer.status)
    })
    await fc.assert(property, random(30))
  })

  it('a query of the log returns a list, or is rejected if project occurs twice', async () => {
    const query = fc.oneof(
      fc.array(segment, { maxLength: 3 }).map((values) => values.map((text) => `project=${text}`).join('&')),
      fc.webQueryParameters(),
    )
    const property = fc.asyncProperty(query, async (text) => {
      const answer = await sendRaw(app.port, { method: 'GET', path: `/api/admin/events?${encodeURI(text)}`, headers })
      if (answer.status === 200) expect(violations('event-list', answer.body)).toEqual([])
      else expectRefusal(answer, 400, 'BadDataError')
    })
    await fc.assert(property, random(30))
  })
})
