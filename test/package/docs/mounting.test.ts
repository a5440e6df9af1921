import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { apiKeys, createChangeRequestRouter, memoryStorage } from '../../../src/index'
import { plain, readText, table } from '../support/markdown'

const key = 'user:a-key-of-ann-for-this-test'
const authenticate = apiKeys([{ key, user: { id: 1 }, grants: [{ permission: 'ADMIN' }] }])

/** The status of a request to an app with this mount. */
async function statusOf(mountPath: string, basePath: string | undefined, path: string): Promise<number> {
  const router = createChangeRequestRouter({
    storage: memoryStorage(),
    authenticate,
    ...(basePath !== undefined && { basePath }),
  })
  const server = createServer(express().use(mountPath, router)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: key } })).status
  } finally {
    server.closeAllConnections()
    server.close()
    await router.close()
  }
}

describe('the paths in docs/mounting.md', () => {
  const rows = table(readText('docs/mounting.md'), '## Choose the paths', 'Mount').map((cells) => {
    const [mount = '', option = '', path = ''] = cells.map(plain)
    return { mount, option, path }
  })

  it('are four', () => {
    expect(rows).toHaveLength(4)
  })

  it.each(rows)('$mount with $option serves $path', async ({ mount, option, path }) => {
    const mountPath = /^app\.use\((?:'([^']+)', )?router\)$/.exec(mount)?.[1] ?? '/'
    const basePath = /^basePath: '([^']*)'$/.exec(option)?.[1]
    expect([basePath === undefined, option]).toEqual([option === '(default)', option])
    expect(await statusOf(mountPath, basePath, path)).toBe(200)
  })

  it('are doubled if base path and mount path are the same, as stated below them', async () => {
    expect(await statusOf('/api/admin', undefined, '/api/admin/api/admin/events')).toBe(200)
  })
})
