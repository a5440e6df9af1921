import type { Express, RequestHandler, Router } from 'express'
import { version } from 'express/package.json'
import helmet from 'helmet'
import { apiKeys, type ChangeRequestRouterOptions, createChangeRequestRouter, memoryStorage } from '../../../src'
import { enable, people } from '../../support/app'
import { sendRaw } from '../support/raw-request'
import { type ExpressModule, hosts, listen, oneChange, propose, type RunningHost, readLog } from './host-apps'

/** A way to mount the router. */
interface Mount {
  readonly how: string
  /** Where the paths of the router begin for a client. */
  readonly base: string
  readonly basePath?: string
  /** What `authenticate` reads of the path that the host mounts at. */
  readonly tenant?: string
  readonly put: (app: Express, router: Router, express: ExpressModule) => unknown
}

const below = ({ Router }: ExpressModule, path: string, router: Router) =>
  Router({ mergeParams: true }).use(path, router)

/** Every way. */
const mounts: readonly Mount[] = [
  { how: 'at /', base: '/api/admin', put: (app, router) => app.use(router) },
  { how: 'under a prefix', base: '/flags/api/admin', put: (app, router) => app.use('/flags', router) },
  {
    how: 'two deep',
    base: '/deep/down/api/admin',
    put: (app, router, express) => app.use('/deep', below(express, '/down', router)),
  },
  { how: 'with a base path of its own', base: '/v1', basePath: '/v1', put: (app, router) => app.use(router) },
  { how: 'without a base path', base: '/v1', basePath: '', put: (app, router) => app.use('/v1', router) },
  {
    how: 'behind /:tenant',
    base: '/acme/api/admin',
    tenant: 'acme',
    put: (app, router) => app.use('/:tenant', router),
  },
  {
    how: 'behind /:tenant in a router with mergeParams',
    base: '/acme/flags/api/admin',
    tenant: 'acme',
    put: (app, router, express) => app.use('/:tenant', below(express, '/flags', router)),
  },
  {
    how: 'behind a parameter of the same name as ours',
    base: '/acme/api/admin',
    put: (app, router) => app.use('/:environment', router),
  },
]

/** Body parsers of a host. */
interface Parsers {
  readonly parsers: string
  /** Parsers that read every body, but not as JSON. */
  readonly readAll?: true
  readonly make: (express: ExpressModule) => RequestHandler[]
}

const bodyParsers: readonly Parsers[] = [
  { parsers: 'json', make: ({ json }) => [json()] },
  { parsers: 'json twice', make: ({ json }) => [json(), json()] },
  { parsers: 'json that takes any value', make: ({ json }) => [json({ strict: false })] },
  { parsers: 'urlencoded', make: ({ urlencoded }) => [urlencoded({ extended: true })] },
  { parsers: 'urlencoded, then json', make: ({ json, urlencoded }) => [urlencoded({ extended: false }), json()] },
  { parsers: 'json, then urlencoded', make: ({ json, urlencoded }) => [json(), urlencoded({ extended: true })] },
  { parsers: 'text of texts', make: ({ text }) => [text()] },
  { parsers: 'raw of bytes', make: ({ raw }) => [raw()] },
  { parsers: 'text of everything', readAll: true, make: ({ text }) => [text({ type: () => true })] },
  { parsers: 'raw of everything', readAll: true, make: ({ raw }) => [raw({ type: () => true })] },
]

/** Every position of the router among the parsers of the host. */
const orders = [
  { order: 'without', parsers: 'a parser', make: () => [] },
  ...bodyParsers.map((row) => ({ order: 'before', ...row })),
  ...bodyParsers.map((row) => ({ order: 'behind', ...row })),
] as readonly (Parsers & { readonly order: 'without' | 'before' | 'behind' })[]

/** The parsers matter to the first mount as to all others. */
const cells = mounts.flatMap((mount, index) =>
  (index === 0 ? orders : orders.slice(0, 2)).map((row) => ({ ...mount, ...row })),
)

const running: RunningHost[] = []

afterEach(async () => {
  for (const host of running.splice(0)) await host.close()
})

async function start(express: ExpressModule, build: (app: Express) => void): Promise<RunningHost> {
  const app = express()
  build(app)
  const host = await listen(app)
  running.push(host)
  return host
}

const authenticate = apiKeys(Object.values(people))

const newRouter = (options: Partial<ChangeRequestRouterOptions> = {}) =>
  createChangeRequestRouter({ storage: memoryStorage(), authenticate, logger: false, ...options })

const works = { one: 200, list: 200, form: 415, text: 415, nothing: 400, null: 400, events: 4 }
// The body cannot be read again after a parser of the host: a clear error, and never a wrong change. Whether such a
// parser reads an empty body differs between Express 4 and 5.
const clear = { ...works, one: 500, list: 500, nothing: expect.any(Number), null: 500, events: 0 }

describe.each(hosts)(`A router of Express ${version} in an app of $host`, ({ module }) => {
  it.each(cells)(
    'mounted $how, serves $order $parsers, and does not change the routes of the host',
    async ({ base, basePath, tenant, put, order, readAll, make }) => {
      const router = newRouter({
        authenticate: (req) => (req.params.tenant === tenant ? authenticate(req) : null),
        ...(basePath === undefined ? {} : { basePath }),
      })
      const mine: RequestHandler = (req, res) => void res.json([req.body, req.query, Object.keys(res.locals)])
      const host = await start(module, (app) => {
        app.post('/without', ...make(module), mine)
        if (order === 'before') put(app, router, module)
        for (const parser of make(module)) app.use(parser)
        if (order !== 'before') put(app, router, module)
        app.post('/with', mine)
      })

      const status = async (body?: string, headers = {}) => (await propose(host, base, headers, body)).status
      const answers = {
        one: await status(oneChange),
        list: await status(JSON.stringify([enable(), enable()])),
        form: await status('a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }),
        text: await status('a', { 'Content-Type': 'text/plain' }),
        nothing: await status(),
        null: await status('null'),
        events: (await readLog(host, base)).body.totalEvents,
      }
      expect(answers).toEqual(readAll && order === 'behind' ? clear : works)

      const [together, alone] = await Promise.all(['/with', '/without'].map((path) => sendMine(host, path)))
      expect(together).toEqual(alone)
    },
  )

  it('behind helmet and a Vary of the host: their headers stay, and ours are there', async () => {
    const varies: RequestHandler = (_req, res, next) => {
      res.vary('Origin')
      next()
    }
    const host = await start(module, (app) => void app.use(helmet(), varies, newRouter()))
    const proposed = await propose(host, '/api/admin', {}, oneChange)
    const log = await readLog(host, '/api/admin')
    const refused = await propose(host, '/api/admin', { Authorization: 'nobody' }, oneChange)
    const ofBoth = {
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'strict-transport-security': expect.stringContaining('max-age='),
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
    }
    expect([proposed.status, log.status, refused.status]).toEqual([200, 200, 401])
    expect(proposed.headers).toMatchObject({ ...ofBoth, 'cache-control': 'no-store', etag: expect.any(String) })
    expect(log.headers).toMatchObject({
      ...ofBoth,
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization, Accept',
    })
    expect(refused.headers).toMatchObject({ ...ofBoth, 'cache-control': 'no-store', 'www-authenticate': 'Bearer' })
    for (const { headers } of [proposed, log, refused])
      expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it.each([
    { recordIp: true, proxy: undefined, ip: '127.0.0.1' },
    { recordIp: true, proxy: 1, ip: '203.0.113.9' },
    { recordIp: true, proxy: true, ip: '198.51.100.7' },
    { recordIp: false, proxy: true, ip: null },
  ])('with trust proxy $proxy and recordIp $recordIp: the address of the caller is $ip', async (cell) => {
    const host = await start(module, (app) => {
      if (cell.proxy !== undefined) app.set('trust proxy', cell.proxy)
      app.use(newRouter({ recordIp: cell.recordIp }))
    })
    await propose(host, '/api/admin', { 'X-Forwarded-For': '198.51.100.7, 203.0.113.9' }, oneChange)
    const { body } = await readLog(host, '/api/admin')
    expect(body.events.map(({ ip }: { ip?: string | null }) => ip)).toEqual([cell.ip, cell.ip])
  })

  it('separates two routers of one process', async () => {
    const host = await start(module, (app) => {
      app.use('/one', newRouter())
      app.use('/two', newRouter({ basePath: '/admin' }))
    })
    const bases = ['/one/api/admin', '/two/admin', '/one/api/admin']
    const counts: unknown[] = []
    for (const base of bases) counts.push((await propose(host, base, {}, oneChange)).body.features[0].changes.length)
    expect(counts).toEqual([1, 1, 2])
  })
})

async function sendMine({ port }: RunningHost, path: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  return (await sendRaw(port, { path: `${path}?a=1`, headers, body: oneChange })).body
}
