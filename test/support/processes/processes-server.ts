import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Storage } from '../../../src/ports/storage/storage'
import { createChangeRequestRouter } from '../../../src/router'
import { longTimeoutLimits } from '../databases/long-timeouts'

/** Migrates, listens, and expects 200 from a POST and from a GET that shows its effect. */
export async function serveOnce(storage: Storage, project: string): Promise<void> {
  const router = createChangeRequestRouter({
    storage,
    authenticate: () => ({ id: 1, username: 'ann', grants: [{ permission: 'ADMIN' }] }),
    limits: longTimeoutLimits,
  })
  await router.migrate()
  const server = express().use(router).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/admin`
    const posted = await fetch(`${url}/projects/${project}/environments/production/change-requests`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }),
    })
    const { id } = await expectOk(posted)
    const read = await fetch(`${url}/projects/${project}/change-requests/${id}`, { headers: { Connection: 'close' } })
    const { features } = await expectOk(read)
    if (features[0]?.name !== 'checkout') throw new Error(`Read back: ${JSON.stringify(features)}`)
  } finally {
    await new Promise((resolve) => server.close(resolve))
    await router.close()
  }
}

async function expectOk(response: Response) {
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return JSON.parse(text)
}
