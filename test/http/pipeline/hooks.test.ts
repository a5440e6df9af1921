import type { ErrorRequestHandler } from 'express'
import { ChangeRequestError, type ChangeRequestRouterOptions, memoryStorage } from '../../../src'
import { changeRequestsPath, enable, type Host, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { sendRaw } from '../support/raw-request'
import { violations } from '../support/schema'

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
  ])('%s: 503, neither allowed nor denied', async (_name, options) => {
    const { status, body, headers } = await (await start(options)).propose(enable())
    expect([status, body.name, headers['retry-after']]).toEqual([503, 'UnavailableError', '1'])
    expect(violations('error', body)).toEqual([])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  const rule = { message: 'too bold', path: '/body/0/payload/enabled' }
  it.each([
    ['a list', [enable()], '/body/0/payload/enabled'],
    ['a single change', enable(), '/body/payload/enabled'],
  ])('validate returns details about %s: 400 with their place in the body', async (_name, proposed, path) => {
    const { status, body } = await (await start({ validate: () => [rule] })).propose(proposed)
    expect([status, body.name]).toEqual([400, 'BadDataError'])
    expect(body.details).toEqual([{ message: 'too bold', path, code: 'invalid' }])
    expect(violations('error', body)).toEqual([])
  })

  it.each([
    ['throws', fail],
    ['rejects', reject],
  ])('validate %s: 503', async (_name, validate) => {
    const { status, body } = await (await start({ validate })).propose(enable())
    expect([status, body.name]).toEqual([503, 'UnavailableError'])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  /** Records the log from level warn on. */
  function keeper() {
    const lines: { level: string; facts: object; message: string }[] = []
    const keep = (level: string) => (facts: object, message: string) => void lines.push({ level, facts, message })
    return { lines, logger: { debug() {}, info() {}, warn: keep('warn'), error: keep('error') } }
  }

  it.each([undefined, null, false, '', Promise.resolve(undefined)])(
    'authenticate returns %p: 401, and a message that mentions no key',
    async (thing) => {
      const { status, body } = await (await start({ authenticate: wrongThing(thing) })).propose(enable())
      expect([status, body.name, body.message]).toEqual([401, 'UnauthorizedError', expect.stringMatching(/Sign in/)])
    },
  )

  const uuid = '5f0c7f5e-6a43-4a57-9d0a-b54f3c2d1e00'
  const idFault = (id: string) => `authenticate returned the id ${id}; it must be a positive integer or null.`
  const kindFault = (kind: string) =>
    `authenticate returned ${kind}; it must be an object with an id, or null for an unknown caller.`
  it.each([
    [{ id: '1' }, idFault("'1'")],
    [{ id: uuid }, idFault(`'${uuid}'`)],
    [{ id: `${'x'.repeat(50)}\n${'y'.repeat(1e6)}` }, idFault(`'${'x'.repeat(50)}'... 1000001 more characters`)],
    [{ id: 'a\nb' }, idFault("'a\\nb'")],
    [{ id: Number.NaN }, idFault('NaN')],
    [{ id: 0 }, idFault('0')],
    [{ id: -42 }, idFault('-42')],
    [{ id: 1.5 }, idFault('1.5')],
    [{ id: 2 ** 53 }, idFault('9007199254740992')],
    [{ id: 1n }, idFault('1n')],
    [{ id: { secret: 1 } }, idFault('an object')],
    [{ username: 'ann' }, idFault('undefined')],
    [[{ id: 1 }], kindFault('an array')],
    [true, kindFault('a boolean')],
    [1, kindFault('a number')],
    ['a secret key', kindFault('a string')],
    [() => ({ id: 1 }), kindFault('a function')],
    [Promise.resolve({ id: '1' }), idFault("'1'")],
  ])('authenticate returns %p: 500 for reads and writes, and the log names it', async (thing, message) => {
    const { lines, logger } = keeper()
    await start({ authenticate: wrongThing(thing), authorize: () => true, logger })
    for (const answer of [await app?.events(), await app?.propose(enable())]) {
      expect([answer?.status, answer?.body.name]).toEqual([500, 'UnknownError'])
      expect(violations('error', answer?.body)).toEqual([])
      expect(lines.shift()).toEqual({
        level: 'error',
        facts: expect.objectContaining({ id: answer?.body.id, err: expect.objectContaining({ message }) }),
        message,
      })
      expect(JSON.stringify(answer?.body)).not.toMatch(/authenticate|secret/)
    }
    expect(lines).toEqual([])
  })

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [0, '0'],
    [1, '1'],
    ['yes', "'yes'"],
    [{}, 'an object'],
    [[true], 'an array'],
    [Promise.resolve({}), 'an object'],
  ])('authorize returns %p: 403, and one warning for each router', async (thing, named) => {
    for (const _router of ['one', 'another']) {
      const { lines, logger } = keeper()
      const router = await startApp({ storage: memoryStorage(), authorize: wrongThing(thing), logger })
      try {
        const answers = [await router.propose(enable()), await router.propose(enable()), await router.events()]
        expect(answers.map(({ status, body }) => [status, body.name])).toEqual(Array(3).fill([403, 'PermissionError']))
      } finally {
        await router.close()
      }
      const message = `authorize returned ${named}; it must be true or false. The permission is denied.`
      expect(lines).toEqual([{ level: 'warn', facts: { hook: 'authorize' }, message }])
    }
  })

  it.each([false, Promise.resolve(false)])('authorize returns %p: 403, and the log stays empty', async (thing) => {
    const { lines, logger } = keeper()
    const { status } = await (await start({ authorize: wrongThing(thing), logger })).propose(enable())
    expect([status, lines]).toEqual([403, []])
  })

  describe('a caller that authenticate rejects', () => {
    const ask = (headers: Record<string, string>) =>
      sendRaw(app?.port ?? 0, { method: 'GET', path: eventsPath, headers })
    const eventsPath = '/api/admin/events'

    it.each([
      ['nothing', {}, 'AuthenticationRequired', 'Sign in first.'],
      [
        'a header',
        { Authorization: 'Basic abc' },
        'UnauthorizedError',
        'Your credentials are not valid. Sign in again.',
      ],
    ])(
      'has sent %s: the response mentions neither a key nor the scheme of the router',
      async (_name, headers, name, message) => {
        await start({ authenticate: () => null })
        const answer = await ask(headers)
        expect([answer.status, answer.body]).toMatchObject([401, { name, message }])
        expect(answer.headers['www-authenticate']).toBe('Custom')
      },
    )

    it('gets the scheme that the host has set', async () => {
      const authenticate: ChangeRequestRouterOptions['authenticate'] = ({ res }) => {
        res?.setHeader('WWW-Authenticate', 'Basic realm="flags"')
        return null
      }
      await start({ authenticate })
      expect((await ask({})).headers['www-authenticate']).toBe('Basic realm="flags"')
    })

    it('must send a key with apiKeys()', async () => {
      await start({})
      expect((await ask({})).body).toMatchObject({ message: 'Send your API key in the header Authorization.' })
      const wrong = await ask({ Authorization: 'nobody' })
      expect(wrong.body).toMatchObject({ message: 'The API key is unknown. Check the header Authorization.' })
      expect(wrong.headers['www-authenticate']).toBe('Bearer')
    })
  })

  it.each([undefined, null, 1, 'yes', {}])('directory.hasProject returns %p: 404', async (thing) => {
    const { status } = await (await start({ directory: { hasProject: wrongThing(thing) } })).propose(enable())
    expect(status).toBe(404)
  })

  it('a ChangeRequestError of a hook is returned unchanged', async () => {
    const authenticate = () => {
      throw new ChangeRequestError('ForbiddenError', 'Your account is locked.')
    }
    const { status, body } = await (await start({ authenticate })).propose(enable())
    expect([status, body.name, body.message]).toEqual([403, 'ForbiddenError', 'Your account is locked.'])
  })

  it('authorize receives the permission, the project and the environment', async () => {
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

  it('clock provides the times', async () => {
    const times: string[] = []
    await start({ clock: () => new Date(times.shift() ?? 0) })
    times.push('2026-01-01T00:00:00.001Z', '2025-12-31T23:59:59.999Z')
    await app?.propose(enable())
    const { body } = (await app?.propose(enable())) ?? {}
    expect(body.createdAt).toBe('2026-01-01T00:00:00.001Z')
    expect(body.features[0].changes[1].createdAt).toBe('2025-12-31T23:59:59.999Z')
  })
})

describe("errors: 'next'", () => {
  let database: OpenDatabase
  let app: TestApp
  const handed: unknown[] = []

  beforeAll(async () => {
    database = await sqlite.open({ migrate: false })
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

  it('passes a database failure to the host, with the error of the driver as its cause', async () => {
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
  ])('also passes on rejections: %s', async (_name, path, headers, name) => {
    expect((await sendRaw(app.port, { path, headers })).status).toBe(418)
    expect(handed).toEqual([expect.objectContaining({ name })])
  })
})

describe('other paths', () => {
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
  ])('%s %s is left to the host', async (method, path) => {
    const headers = { Authorization: people.ann.key, 'X-HTTP-Method-Override': 'POST' }
    const answer = await sendRaw(app.port, { method, path, headers })
    expect([answer.status, answer.text]).toEqual([418, path])
    expect(answer.headers).not.toHaveProperty('x-content-type-options')
  })
})
