import type { Express, Router } from 'express'
import { version } from 'express/package.json'
import { reviewPage } from '../../../src/page'
import { sendRaw } from '../support/raw-request'
import { type ExpressModule, hosts, listen } from './host-apps'

type Mount = (app: Express, page: Router, express: ExpressModule) => unknown

const nested: Mount = (app, page, { Router }) => app.use('/admin', Router().use('/review', page))

/** Addresses that a host app may pass to the page, also unusual ones. */
const mounts: readonly (readonly [how: string, mount: Mount, addresses: readonly string[]])[] = [
  ['at /', (app, page) => app.use(page), ['/', '//', '/log', '//log', '/log/', '/?a=//b', '/a:b']],
  [
    'at /admin/review',
    (app, page) => app.use('/admin/review', page),
    [
      '/admin/review',
      '/admin/review/',
      '/admin/review//log',
      '/admin//review',
      '/admin/./review',
      '/ADMIN/Review',
      '/admin/review?a=/b/c/',
    ],
  ],
  ['in a nested router', nested, ['/admin/review', '/admin//review?a=1', '/admin//review/log', '/admin/review//log']],
  ['at a path with a slash at its end', (app, page) => app.use('/review/', page), ['/review', '/review/', '/review//']],
  ['at several paths', (app, page) => app.use(['/a', '/b/c'], page), ['/a', '/b/c', '/b//c', '/b/c/']],
  ['at a regular expression', (app, page) => app.use(/^\/v\d\/review/, page), ['/v1/review', '/v2/review/log']],
  [
    'at a parameter',
    (app, page) => app.use('/:tenant/review', page),
    ['/acme/review', '/acme//review', '/a%2Fb/review', '/a%2Fb/review/log', '/a:b/review'],
  ],
  ['at a parameter at its end', (app, page) => app.use('/review/:tenant', page), ['/review/a:b', '/review/a%2Fb']],
]

const cells = mounts.flatMap(([how, mount, addresses]) => addresses.map((address) => ({ how, mount, address })))
const [{ module: own }] = hosts.filter(({ host }) => host.endsWith(version.slice(0, 1))) as [(typeof hosts)[number]]

describe(`the page on Express ${version}, or 404`, () => {
  it.each(cells)('$how: its files are found from $address', async ({ mount, address }) => {
    const app = own()
    mount(app, reviewPage({ api: '/api/admin', signIn: 'host' }), own)
    const host = await listen(app)
    try {
      for (const method of ['GET', 'HEAD']) {
        const { status, text } = await sendRaw(host.port, { method, path: address })
        if (status === 404) return
        expect(status).toBe(200)
        const files = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, file]) => String(file))
        expect(files.length >= 3).toBe(method === 'GET')
        // As a browser resolves it.
        const at = `http://host${address}`
        for (const file of files) {
          const { pathname } = new URL(file, at)
          const { status, headers } = await sendRaw(host.port, { method: 'GET', path: pathname })
          expect([file, status, headers['content-type']]).toEqual([file, 200, expect.not.stringContaining('html')])
        }
      }
    } finally {
      await host.close()
    }
  })

  it('is there for the addresses that hosts use', async () => {
    const app = own()
    nested(app, reviewPage({ api: '/api/admin', signIn: 'host' }), own)
    const host = await listen(app)
    for (const path of ['/admin/review', '/admin/review/', '/admin/review/log?a=1']) {
      expect((await sendRaw(host.port, { method: 'GET', path })).status).toBe(200)
    }
    await host.close()
  })
})
