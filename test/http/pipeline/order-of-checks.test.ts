import { changeRequestsPath, enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { contents } from '../../support/databases/tables'
import { sendRaw } from '../support/raw-request'

/**
 * The errors of a POST of changes in the order of the checks (contract 11.4): a request with one error and all later ones
 * gets the response for the first.
 */
const flaws = [
  ['no key', 401, 'AuthenticationRequired'],
  ['a malformed name in the path', 400, 'BadDataError'],
  ['no permission', 403, 'PermissionError'],
  ['an unknown project', 404, 'NotFoundError'],
  ['another content type', 415, 'ContentTypeError'],
  ['a body that is too large', 413, 'PayloadTooLargeError'],
  ['a malformed body', 400, 'BadDataError'],
  ['a body that fits no schema', 400, 'BadDataError'],
  ['a caller that is no person', 403, 'OperationDeniedError'],
  ['a stale If-Match', 412, 'PreconditionFailedError'],
  ['change requests that are off', 400, 'BadDataError'],
  ['an unknown flag', 404, 'NotFoundError'],
  ['a request that is full', 400, 'ExceedsLimitError'],
] as const

describe('the order of checks of POST change-requests', () => {
  let database: OpenDatabase
  let app: TestApp
  let switchedOff: TestApp

  const start = (changeRequestsEnabled: boolean) =>
    startApp({
      storage: database.storage,
      changeRequestsEnabled,
      limits: { bodyBytes: 300, changesPerChangeRequest: 1 },
      directory: {
        hasProject: (project) => project === 'shop',
        knownFeatures: (_project, features) => features.filter((name) => name !== 'ghost'),
      },
    })

  beforeAll(async () => {
    database = await sqlite.open()
    app = await start(true)
    switchedOff = await start(false)
    await app.propose(enable())
  })

  afterAll(async () => {
    await app.close()
    await switchedOff.close()
    await database.close()
  })

  it.each(flaws.map(([flaw, status, name], index) => ({ flaw, status, name, index })))(
    '$flaw is checked before all later ones: $status $name',
    async ({ status, name, index }) => {
      const before = await contents(database.knex)
      const isOff = index <= flaws.findIndex(([flaw]) => flaw === 'change requests that are off')
      const answer = await sendRaw((isOff ? switchedOff : app).port, requestWithFlawsFrom(index))
      expect([answer.status, answer.body.name]).toEqual([status, name])
      expect(await contents(database.knex)).toEqual(before)
    },
  )

  it('a POST without flaws passes', async () => {
    const answer = await app.propose(enable(), { environment: 'development' })
    expect(answer.status).toBe(200)
  })
})

function requestWithFlawsFrom(first: number) {
  const flawed = (flaw: (typeof flaws)[number][0]) => flaws.findIndex(([name]) => name === flaw) >= first
  const noPerson = flawed('a caller that is no person')
  const key = flawed('no permission') ? people.eve.key : noPerson ? people.robot.key : people.ann.key
  const path = flawed('a malformed name in the path')
    ? changeRequestsPath('bad%20name')
    : changeRequestsPath(flawed('an unknown project') ? 'blog' : 'shop')
  return {
    path,
    headers: {
      ...(flawed('no key') ? {} : { Authorization: key }),
      ...(flawed('a stale If-Match') ? { 'If-Match': '"1-99"' } : {}),
      'Content-Type': flawed('another content type') ? 'text/plain' : 'application/json',
    },
    body: bodyWith(flawed),
  }
}

function bodyWith(flawed: (flaw: (typeof flaws)[number][0]) => boolean): string {
  if (flawed('a body that is too large')) return `{"action":"none","rest":"${'x'.repeat(300)}\0`
  if (flawed('a malformed body')) return '{"action":"none"'
  if (flawed('a body that fits no schema')) return '{"action":"none"}'
  return JSON.stringify(enable(flawed('an unknown flag') ? 'ghost' : 'checkout'))
}
