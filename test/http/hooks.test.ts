import type { ErrorRequestHandler } from 'express'
import { ChangeRequestError, type ChangeRequestRouterOptions, memoryStorage } from '../../src/index'
import { changeRequestsPath, enable, type Host, people, startApp, type TestApp } from '../support/app'
import { databases, type OpenDatabase } from '../support/databases'
import { sendRaw } from './raw-request'
import { violations } from './schema'

describe('hooks of the host', () => {
  let app: TestApp | undefined

  afterEach(async () => {
    await app?.close()
  })

  async function start(options: Partial<ChangeRequestRouterOptions>): Promise<TestApp> {
    app = await startApp({ storage: memoryStorage(), ...options })
    return app
  }

  const fail = () => {
    throw new Error('secret')
  }
  const reject = async () => fail()
  const wrongThing = (thing: unknown) => () => thing as never

  it.each([
    ['authenticate throws', { authenticate: fail }],
    ['authenticate rejects', { authenticate: reject }],
    ['authorize throws', { authorize: fail }],
    ['authorize rejects', { authorize: reject }],
    ['directory.hasProject throws', { directory: { hasProject: fail } }],
    ['directory.hasProject rejects', { directory: { hasProject: reject } }],
  ])('%s: 503, neither yes nor no', async (_name, options) => {
    const { status, body, headers } = await (await start(options)).propose(enable())
    expect([status, body.name, headers['retry-after']]).toEqual([503, 'UnavailableError', '1'])
    expect(violations('error', body)).toEqual([])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it.each([undefined, null, false, true, 1, 'ann', Promise.resolve(undefined)])(
    'authenticate answers %p: 401',
    async (thing) => {
      const { status } = await (await start({ authenticate: wrongThing(thing), authorize: () => true })).propose(
        enable(),
      )
      expect(status).toBe(401)
    },
  )

  it.each([undefined, null, false, 0, 1, 'yes', {}, Promise.resolve(false), Promise.resolve({})])(
    'authorize answers %p: 403',
    async (thing) => {
      const { status, body } = await (await start({ authorize: wrongThing(thing) })).propose(enable())
      expect([status, body.name]).toEqual([403, 'PermissionError'])
    },
  )

  it.each([undefined, null, 1, 'yes', {}])('directory.hasProject answers %p: 404', async (thing) => {
    const { status } = await (await start({ directory: { hasProject: wrongThing(thing) } })).propose(enable())
    expect(status).toBe(404)
  })

  it('a ChangeRequestError of a hook is answered as it is', async () => {
    const authenticate = () => {
      throw new ChangeRequestError('ForbiddenError', 'Your account is locked.')
    }
    const { status, body } = await (await start({ authenticate })).propose(enable())
    expect([status, body.name, body.message]).toEqual([403, 'ForbiddenError', 'Your account is locked.'])
  })

  it('authorize is asked for the permission in project and environment', async () => {
    const asked: unknown[] = []
    const authorize: ChangeRequestRouterOptions['authorize'] = ({ id }, permission, scope) => {
      asked.push([id, permission, scope])
      return true
    }
    await start({ authorize })
    await app?.propose(enable())
    await app?.events()
    await app?.events('?project=blog')
    expect(asked).toEqual([
      [1, 'CREATE_CHANGE_REQUEST', { project: 'shop', environment: 'production' }],
      [1, 'READ_EVENTS', {}],
      [1, 'READ_EVENTS', { project: 'blog' }],
    ])
  })

  it('clock gives the times', async () => {
    const times = ['2026-01-01T00:00:00.001Z', '2025-12-31T23:59:59.999Z']
    await start({ clock: () => new Date(times.shift() ?? 0) })
    await app?.propose(enable())
    const { body } = (await app?.propose(enable())) ?? {}
    expect(body.createdAt).toBe('2026-01-01T00:00:00.001Z')
    expect(body.features[0].changes[1].createdAt).toBe('2025-12-31T23:59:59.999Z')
  })
})

describe.each(databases)("errors: 'next' on $name", ({ open }) => {
  let database: OpenDatabase
  let app: TestApp
  const handed: unknown[] = []

  beforeAll(async () => {
    database = await open({ migrate: false })
    const answer: ErrorRequestHandler = (error, _req, res, _next) => {
      handed.push(error)
      res.status(418).end()
    }
    const host: Host = { after: (express) => void express.use(answer) }
    app = await startApp({ storage: database.storage, errors: 'next' }, host)
  })

  beforeEach(() => {
    handed.length = 0
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it("hands a failure of the database to the host, wrapped, with the driver's error as its cause", async () => {
    expect((await app.propose(enable())).status).toBe(418)
    expect(handed).toHaveLength(1)
    expect(ChangeRequestError.is(handed[0])).toBe(true)
    expect(handed[0]).toMatchObject({
      name: 'UnavailableError',
      message: expect.stringContaining('migrate()'),
      cause: expect.objectContaining({ message: expect.stringContaining('ffcr_') }),
    })
  })

  it.each([
    ['no key', changeRequestsPath(), {}, 'AuthenticationRequired'],
    ['a broken escape', changeRequestsPath('%zz'), { Authorization: people.ann.key }, 'BadDataError'],
    ['no body', changeRequestsPath(), { Authorization: people.ann.key }, 'ContentTypeError'],
  ])('hands on refusals as well: %s', async (_name, path, headers, name) => {
    expect((await sendRaw(app.port, { path, headers })).status).toBe(418)
    expect(handed).toEqual([expect.objectContaining({ name })])
  })
})

describe('what is not ours', () => {
  let app: TestApp

  beforeAll(async () => {
    const after: Host['after'] = (express) => void express.use((req, res) => void res.status(418).end(req.url))
    app = await startApp({ storage: memoryStorage() }, { after })
  })

  afterAll(() => app.close())

  const events = '/api/admin/events'
  it.each([
    ['GET', '/'],
    ['GET', '/api/admin'],
    ['GET', '/api/admin/event'],
    ['GET', '/API/admin/events'],
    ['GET', '/api/admin/Events'],
    ['GET', '//api/admin/events'],
    ['GET', '/api/admin//events'],
    ['GET', '/events'],
    ['GET', `${events}/a/b`],
    ['POST', events],
    ['DELETE', events],
    ['PATCH', changeRequestsPath()],
    ['PUT', changeRequestsPath()],
    ['GET', changeRequestsPath()],
    ['POST', `${changeRequestsPath()}/1`],
    ['POST', changeRequestsPath('')],
    ['POST', changeRequestsPath('a/b')],
  ])('%s %s goes on to the host', async (method, path) => {
    const headers = { Authorization: people.ann.key, 'X-HTTP-Method-Override': 'POST' }
    const answer = await sendRaw(app.port, { method, path, headers })
    expect([answer.status, answer.text]).toEqual([418, path])
    expect(answer.headers).not.toHaveProperty('x-content-type-options')
  })
})
