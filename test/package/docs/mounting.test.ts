import express from 'express'
import supertest from 'supertest'
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
  const { status } = await supertest(express().use(mountPath, router)).get(path).set('Authorization', key)
  await router.close()
  return status
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
