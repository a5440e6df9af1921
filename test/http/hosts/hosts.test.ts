import type { Express, RequestHandler } from 'express'
import { version } from 'express/package.json'
import helmet from 'helmet'
import { apiKeys, type ChangeRequestRouterOptions, createChangeRequestRouter, memoryStorage } from '../../../src'
import { enable, people } from '../../support/app'
import { type OpenDatabase, postgres, sqlite } from '../../support/databases'
import { sendRaw } from '../support/raw-request'
import { type ExpressModule, hosts, listen, oneChange, propose, type RunningHost, readLog } from './host-apps'
import { mounts, ordersOf } from './hosts-tables'

const running: RunningHost[] = []
const opened: OpenDatabase[] = []

afterEach(async () => {
  for (const host of running.splice(0)) await host.close()
  for (const database of opened.splice(0)) await database.close()
})

async function start(express: ExpressModule, build: (app: Express) => void): Promise<RunningHost> {
  const app = express()
  build(app)
  const host = await listen(app)
  running.push(host)
  return host
}

async function open({ open }: typeof sqlite) {
  const database = await open()
  opened.push(database)
  return database.storage
}

const authenticate = apiKeys(Object.values(people))

const newRouter = (options: Partial<ChangeRequestRouterOptions> = {}) =>
  createChangeRequestRouter({ storage: memoryStorage(), authenticate, logger: false, ...options })

const works = { one: 200, list: 200, form: 415, text: 415, nothing: 400, null: 400, events: 4 }
// The body cannot be read again after a parser of the host: a clear error, and never a wrong change. Whether such a
// parser reads an empty body differs between Express 4 and 5.
const clear = { ...works, one: 500, list: 500, nothing: expect.any(Number), null: 500, events: 0 }

describe.each(hosts)(`A router of Express ${version} in an app of $host`, ({ host: major, module }) => {
  describe.each(mounts)('mounted $how', (mount) => {
    const { base, basePath, tenant, put } = mount
    it.each(ordersOf(mount))('serves $order $parsers, and does not change the routes of the host', async (cell) => {
      const { order, readAll, make } = cell
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
    })
  })

  it('is 500 if the host read the body', async () => {
    const host = await start(module, (app) => void app.use(module.text({ type: () => true }), newRouter()))
    const { body } = await propose(host, '/api/admin', {}, oneChange)
    expect(body).toMatchObject({ name: 'UnknownError', message: expect.stringContaining('app read the body') })
  })

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

  it.each([
    { of: 'memory and memory', storages: () => [memoryStorage(), memoryStorage()] },
    { of: 'memory and SQLite', storages: async () => [memoryStorage(), await open(sqlite)] },
    { of: 'SQLite and SQLite', storages: async () => [await open(sqlite), await open(sqlite)] },
    { of: 'SQLite and Postgres', storages: async () => [await open(sqlite), await open(postgres)] },
  ])('separates two routers of one process: $of', async ({ storages }) => {
    const [one, two] = await storages()
    const host = await start(module, (app) => {
      app.use('/one', newRouter({ ...(one && { storage: one }) }))
      app.use('/two', newRouter({ ...(two && { storage: two }), basePath: '/admin' }))
    })
    const bases = ['/one/api/admin', '/two/admin', '/one/api/admin']
    const ids: unknown[] = []
    for (const base of bases) ids.push((await propose(host, base, {}, oneChange)).body.features[0].changes.length)
    const [first, second] = await Promise.all(bases.slice(0, 2).map((base) => readLog(host, base)))
    expect(ids).toEqual([1, 1, 2])
    expect([first?.body.totalEvents, second?.body.totalEvents]).toEqual([3, 2])
  })

  it('needs a key only with apiKeys(): an authenticate of the host decides alone', async () => {
    const ann = { id: 1, username: 'ann', grants: [{ permission: 'ADMIN' }] }
    const host = await start(module, (app) => {
      app.use('/keyless', newRouter({ authenticate: () => ann }))
      app.use('/keyed', newRouter())
    })
    const send = async (place: string) =>
      (await propose(host, `${place}/api/admin`, { Authorization: '' }, oneChange)).status
    expect([major, await send('/keyless'), await send('/keyed')]).toEqual([major, 200, 401])
  })
})

async function sendMine({ port }: RunningHost, path: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  return (await sendRaw(port, { path: `${path}?a=1`, headers, body: oneChange })).body
}
