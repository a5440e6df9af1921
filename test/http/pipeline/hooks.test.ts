import { type ChangeRequestRouterOptions, memoryStorage } from '../../../src'
import { changeRequestsPath, enable, type Host, people, startApp, type TestApp } from '../../support/app'
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
    ['authorize rejects', { authorize: reject }],
    ['directory.hasProject rejects', { directory: { hasProject: reject } }],
  ])('%s: 503, neither allowed nor denied', async (_name, options) => {
    const { status, body, headers } = await (await start(options)).propose(enable())
    expect([status, body.name, headers['retry-after']]).toEqual([503, 'UnavailableError', '1'])
    expect(violations('error', body)).toEqual([])
    expect(JSON.stringify(body)).not.toContain('secret')
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
