import express, { type Express } from 'express'
import { createChangeRequestRouter, memoryStorage } from '../../src/index'
import { enable, people, startApp, type TestApp } from '../support/app'
import { sendRaw } from './raw-request'

const authenticate = () => ({ id: 1, username: 'ann', grants: [{ permission: 'ADMIN' }] })
const headers = { 'Content-Type': 'application/json' }
const body = JSON.stringify(enable())
const changeRequests = '/projects/shop/environments/production/change-requests'

describe('app.use(router)', () => {
  const apps: TestApp[] = []

  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close()
  })

  async function startHost(before: (app: Express) => void): Promise<number> {
    const app = await startApp({ storage: memoryStorage() }, { before })
    apps.push(app)
    return app.port
  }

  const newRouter = (basePath?: string) =>
    createChangeRequestRouter({
      storage: memoryStorage(),
      authenticate,
      ...(basePath === undefined ? {} : { basePath }),
    })

  const places: readonly {
    readonly how: string
    readonly mount: string
    readonly basePath?: string
    readonly base: string
  }[] = [
    { how: 'at the root', mount: '/', base: '/api/admin' },
    { how: 'two deep', mount: '/deep/down', base: '/deep/down/api/admin' },
    { how: 'with a base path of its own', mount: '/', basePath: '/flags', base: '/flags' },
    { how: 'without a base path', mount: '/flags/v1', basePath: '', base: '/flags/v1' },
    { how: 'below a parameter', mount: '/:tenant', base: '/acme/api/admin' },
    { how: 'below a parameter of the same name as ours', mount: '/:environment', base: '/acme/api/admin' },
  ]

  it.each(places)('works $how', async ({ mount, basePath, base }) => {
    const port = await startHost((app) => {
      const parent = express.Router({ mergeParams: true })
      parent.use(newRouter(basePath))
      app.use(mount, parent)
    })
    const posted = await sendRaw(port, { path: `${base}${changeRequests}`, headers, body })
    const listed = await sendRaw(port, { method: 'GET', path: `${base}/events?project=shop`, headers })
    expect([posted.status, posted.body.environment]).toEqual([200, 'production'])
    expect([listed.status, listed.body.totalEvents]).toEqual([200, 2])
  })

  it('keeps two routers of one process apart', async () => {
    const port = await startHost((app) => {
      app.use(newRouter('/one'))
      app.use(newRouter('/two'))
    })
    for (const base of ['/one', '/one', '/two']) {
      expect((await sendRaw(port, { path: `${base}${changeRequests}`, headers, body })).status).toBe(200)
    }
    const totals = []
    for (const base of ['/one', '/two']) {
      totals.push((await sendRaw(port, { method: 'GET', path: `${base}/events` })).body.totalEvents)
    }
    expect(totals).toEqual([3, 2])
  })

  it('asks nobody but the host for keys: the same request is 401 at a router with keys', async () => {
    const port = await startHost(() => undefined)
    expect((await sendRaw(port, { path: `/api/admin${changeRequests}`, headers, body })).status).toBe(401)
    const keyed = { ...headers, Authorization: people.ann.key }
    expect((await sendRaw(port, { path: `/api/admin${changeRequests}`, headers: keyed, body })).status).toBe(200)
  })

  it('leaves app and request as they were: a route behind it sees the query and an unread body', async () => {
    const seen: unknown[] = []
    const app = await startApp(
      { storage: memoryStorage() },
      {
        after: (host) =>
          void host.post('/mine', express.json(), (req, res) => {
            seen.push(req.query, req.body, Object.keys(res.locals))
            res.end()
          }),
      },
    )
    apps.push(app)
    await sendRaw(app.port, { path: '/mine?a=1', headers, body })
    expect(seen).toEqual([{ a: '1' }, enable(), []])
  })
})
