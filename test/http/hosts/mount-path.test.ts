import express from 'express'
import {
  apiKeys,
  type ChangeRequestRouterOptions,
  createChangeRequestRouter,
  memoryStorage,
  type OpenApiOptions,
} from '../../../src'
import { plain, readText, table } from '../../package/support/markdown'
import { people } from '../../support/app'
import { sendRaw } from '../support/raw-request'
import { listen, type RunningHost, readLog } from './host-apps'

/** Where the router is mounted, and what clients request. */
const mounts: readonly {
  readonly mountPath: string
  readonly options?: Partial<ChangeRequestRouterOptions>
  readonly base: string
  readonly elsewhere: readonly string[]
}[] = [
  { mountPath: '/', base: '/api/admin', elsewhere: ['', '/admin'] },
  { mountPath: '/internal/ff', base: '/internal/ff/api/admin', elsewhere: ['/internal/ff', '/api/admin'] },
  { mountPath: '/api/admin', base: '/api/admin/api/admin', elsewhere: ['/api/admin'] },
  { mountPath: '/api/admin', options: { basePath: '' }, base: '/api/admin', elsewhere: ['', '/api/admin/api/admin'] },
  { mountPath: '/internal/ff', options: { basePath: '' }, base: '/internal/ff', elsewhere: ['/internal/ff/api/admin'] },
  { mountPath: '/', options: { basePath: '/v1' }, base: '/v1', elsewhere: ['/api/admin', '/v1/api/admin'] },
]

const examples: Readonly<Record<string, string>> = { projectId: 'shop', environment: 'production', featureName: 'x' }
const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? '1')

it('the paths in docs/mounting.md are among these', () => {
  const code = ({ mountPath, options }: (typeof mounts)[number]) => [
    mountPath === '/' ? 'app.use(router)' : `app.use('${mountPath}', router)`,
    options === undefined ? '(default)' : `basePath: '${options.basePath}'`,
  ]
  const served = mounts.map((mount) => [...code(mount), `${mount.base}/events`])
  const rows = table(readText('docs/mounting.md'), '## Choose the paths', 'Mount').map((cells) => cells.map(plain))
  expect(rows).toHaveLength(4)
  expect(served).toEqual(expect.arrayContaining(rows))
})

describe.each(mounts)(
  'app.use($mountPath, router) with the options $options',
  ({ mountPath, options, base, elsewhere }) => {
    const authenticate = apiKeys(Object.values(people))
    const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate, logger: false, ...options })
    let host: RunningHost

    beforeAll(async () => {
      host = await listen(express().use(mountPath, router))
    })

    afterAll(() => host.close())

    it(`is served below ${base}, and nowhere else`, async () => {
      expect((await readLog(host, base)).status).toBe(200)
      for (const place of elsewhere) expect([place, (await readLog(host, place)).status]).toEqual([place, 404])
    })

    it('router.openapi({ mountPath }) has the served paths', async () => {
      const { paths } = router.openapi({ mountPath } satisfies OpenApiOptions)
      const operations = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => [method.toUpperCase(), filled(path)] as const),
      )
      expect(operations.length).toBeGreaterThan(20)
      for (const [method, path] of operations) {
        expect([method, path, (await sendRaw(host.port, { method, path })).status]).toEqual([method, path, 401])
        expect((await sendRaw(host.port, { method, path: `${path}/no/such/path` })).status).toBe(404)
      }
    })
  },
)

describe('a router that is mounted at its own base path', () => {
  it.each([
    ['/api/admin', {}, '/api/admin/events', 1],
    ['/x/api/admin', {}, '/x/api/admin/projects/shop/change-requests/1', 1],
    ['/api/admin', {}, '/api/admin/of-the-host', 0],
    ['/api/admin', {}, '/api/admin/api/admin/events', 0],
    ['/api/admin', { basePath: '' }, '/api/admin/events', 0],
    ['/', {}, '/events', 0],
  ])('%s with %j is warned of at the first request that shows it: %s', async (mountPath, options, path, warnings) => {
    const lines: string[] = []
    const logger = { debug() {}, info() {}, warn: (_: object, text: string) => void lines.push(text), error() {} }
    const authenticate = apiKeys(Object.values(people))
    const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate, logger, ...options })
    const host = await listen(express().use(mountPath, router))
    for (const _ of [1, 2]) await sendRaw(host.port, { path })
    await host.close()
    expect(lines).toEqual(
      Array(warnings).fill(
        `A request to ${path} matches no route, because the router is mounted at ${mountPath} and adds /api/admin ` +
          "again. Mount it with app.use(router), or set basePath: ''.",
      ),
    )
  })
})
