import { type ErrorRequestHandler, json } from 'express'
import { version } from 'express/package.json'
import { ChangeRequestError, type ErrorName, memoryStorage, type Storage } from '../../../src'
import { errorStatuses } from '../../../src/errors'
import { changeRequestsPath, enable, people, startApp, type TestApp } from '../../support/app'
import { type RawRequest, sendRaw } from '../support/raw-request'

const { Authorization, ...asJson } = { Authorization: people.ann.key, 'Content-Type': 'application/json' }
const one = '/api/admin/projects/shop/change-requests/1'
const keyed = { 'Idempotency-Key': 'once' }

const propose = (body: unknown, headers: Readonly<Record<string, string>> = {}, path = changeRequestsPath()) => ({
  path,
  headers: { Authorization, ...asJson, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const apply = (headers: Readonly<Record<string, string>>): RawRequest => ({
  ...propose({ state: 'Applied' }, headers, `${one}/state`),
  method: 'PUT',
})

/** Requests after ann has proposed one change with the key `once`. */
const requests: readonly (readonly [what: string, name: ErrorName, request: RawRequest])[] = [
  ['an unknown action', 'BadDataError', propose({ action: 'explode' })],
  ['a missing property', 'BadDataError', propose([enable(), { ...enable(), payload: {} }])],
  ['a body that is no JSON', 'BadDataError', propose('{')],
  ['a body that is no object', 'BadDataError', propose('1')],
  ['a malformed name', 'BadDataError', propose(enable(), {}, changeRequestsPath('a%20b'))],
  [
    'a malformed query',
    'BadDataError',
    { method: 'GET', path: '/api/admin/events?project=a&project=b', headers: { Authorization } },
  ],
  ['a malformed escape', 'BadDataError', propose(enable(), {}, changeRequestsPath('%zz'))],
  ['a malformed Idempotency-Key', 'BadDataError', propose(enable(), { 'Idempotency-Key': 'a b' })],
  ['data that the database refuses', 'BadDataError', propose(enable(), {}, changeRequestsPath('refused-data'))],
  ['too many changes', 'ExceedsLimitError', propose([enable(), enable(), enable()])],
  ['no key', 'AuthenticationRequired', { path: changeRequestsPath() }],
  ['an unknown key', 'UnauthorizedError', propose(enable(), { Authorization: 'unknown' })],
  ['a missing permission', 'PermissionError', propose(enable(), { Authorization: people.eve.key })],
  ['a caller without an id', 'OperationDeniedError', propose(enable(), { Authorization: people.robot.key })],
  ['a client key', 'ForbiddenError', propose(enable(), { Authorization: `shop:production.${'a'.repeat(64)}` })],
  ['an unknown id', 'NotFoundError', { method: 'GET', path: `${one}9`, headers: { Authorization } }],
  ['applying a draft', 'ConflictError', apply({ 'If-Match': '"1-1"' })],
  ['an outdated tag', 'PreconditionFailedError', apply({ 'If-Match': '"1-9"' })],
  ['no tag', 'PreconditionRequiredError', apply({})],
  ['a large body', 'PayloadTooLargeError', propose(enable('a'.repeat(2_000)))],
  ['a text', 'ContentTypeError', propose('a', { 'Content-Type': 'text/plain' })],
  ['a key for another body', 'IdempotencyMismatchError', propose(enable('other'), keyed)],
  ['an unknown failure', 'UnknownError', propose(enable(), {}, changeRequestsPath('broken'))],
  ['an outage', 'UnavailableError', propose(enable(), {}, changeRequestsPath('busy'))],
]

/** Fails for the projects with the name of a failure. */
function failingStorage(): Storage {
  const storage = memoryStorage()
  return {
    ...storage,
    commit: async (write) => {
      const { project } = write.changeRequest
      if (project !== 'shop') throw new Error(project)
      return storage.commit(write)
    },
    failureOf: (error) => {
      const { message } = error as Error
      return message === 'refused-data' || message === 'busy' ? message : undefined
    },
  }
}

describe(`the errors of a router on Express ${version}`, () => {
  const handed: unknown[] = []
  const apps: Record<string, TestApp> = {}

  beforeAll(async () => {
    const answer: ErrorRequestHandler = (error, _req, res, _next) => {
      handed.push(error)
      res.status(418).end()
    }
    for (const errors of ['respond', 'next'] as const) {
      const limits = { changesPerRequest: 2, bodyBytes: 1_000 }
      const options = { storage: failingStorage(), requireRevision: true, limits, errors }
      const app = await startApp(options, { after: (express) => void express.use(answer) })
      expect((await app.propose(enable(), { headers: keyed })).status).toBe(200)
      apps[errors] = app
    }
  })

  beforeEach(() => {
    handed.length = 0
  })

  afterAll(() => Promise.all(Object.values(apps).map((app) => app.close())))

  const send = (errors: 'respond' | 'next', request: RawRequest) => sendRaw(apps[errors]?.port ?? 0, request)

  it('are all tried', () => {
    expect([...new Set(requests.map(([, name]) => name))].sort()).toEqual(Object.keys(errorStatuses).sort())
  })

  it.each(requests)('are the same as a response and for the host app: %s is %s', async (_what, name, request) => {
    const { status, body } = await send('respond', request)
    expect([status, body.name]).toEqual([errorStatuses[name], name])
    expect(handed).toEqual([])

    expect((await send('next', request)).status).toBe(418)
    const { id: _, ...shown } = body
    expect(handed).toEqual([expect.objectContaining({ ...shown, status })])
    expect(ChangeRequestError.is(handed[0])).toBe(true)
  })

  it.each(['respond', 'next'] as const)('have no body for HEAD with errors: %s', async (errors) => {
    const { status, text } = await send(errors, { method: 'HEAD', path: `${one}9`, headers: { Authorization } })
    expect([status, text]).toEqual([errors === 'next' ? 418 : 404, ''])
    expect(handed).toHaveLength(errors === 'next' ? 1 : 0)
  })
})

describe.each(['respond', 'next'] as const)('errors of the host app, with errors: %s', (errors) => {
  const statuses = Object.assign(new Error('theirs'), { status: 400 })
  const theirs = [statuses, new URIError('theirs'), 'theirs', { status: 400 }]

  it.each(theirs)('stay as they are: %p', async (theirError) => {
    const handed: unknown[] = []
    const answer: ErrorRequestHandler = (error, _req, res, _next) => {
      handed.push(error)
      res.status(418).end()
    }
    const app = await startApp({ storage: memoryStorage(), errors }, { after: (express) => void express.use(answer) })
    app.router.param('projectId', (_req, _res, next) => next(theirError))
    expect((await app.propose(enable())).status).toBe(418)
    expect(handed[0]).toBe(theirError)
    await app.close()
  })

  it('stay as they are before the router: a body that is no JSON', async () => {
    const handed: unknown[] = []
    const answer: ErrorRequestHandler = (error, _req, res, _next) => {
      handed.push(error)
      res.status(418).end()
    }
    const before = (express: { use: (handler: ReturnType<typeof json>) => unknown }) => void express.use(json())
    const app = await startApp(
      { storage: memoryStorage(), errors },
      { before, after: (express) => void express.use(answer) },
    )
    expect((await sendRaw(app.port, propose('{'))).status).toBe(418)
    expect(handed).toEqual([expect.objectContaining({ type: 'entity.parse.failed', status: 400 })])
    await app.close()
  })
})
