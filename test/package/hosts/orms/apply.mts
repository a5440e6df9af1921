import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { apiKeys, createChangeRequestRouter, type FlagGateway } from 'express-change-requests'
import type { PostgresStorage } from 'express-change-requests/postgres'

const key = 'user:a-key-of-this-host'
const headers = { Authorization: key, 'Content-Type': 'application/json' }

/** Proposes a change of each flag and applies it. Prints the status of each apply and the events. */
export async function applyBoth<Transaction>(
  storage: PostgresStorage<Transaction>,
  insertFlag: (transaction: Transaction, name: string) => Promise<unknown>,
): Promise<void> {
  await storage.migrate()
  const flags: FlagGateway<Transaction> = {
    transactional: true,
    actions: ['updateEnabled'],
    current: async ({ features }) => ({
      features: new Map(features.map((name) => [name, { archived: false, enabled: false }])),
      segments: new Map(),
    }),
    async apply(changes, { transaction }) {
      for (const { feature } of changes) {
        await insertFlag(transaction, feature ?? '')
        if (feature === 'unwanted') throw new Error('no')
      }
      return []
    },
  }
  const router = createChangeRequestRouter({
    storage,
    authenticate: apiKeys([{ key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }]),
    adminSelfApproval: true,
    flags,
    logger: false,
  })
  const app = express()
  app.use(router)
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/admin`

  const apply = async (feature: string) => {
    const change = JSON.stringify({ action: 'updateEnabled', feature, payload: { enabled: true } })
    const path = `${api}/projects/shop/environments/production/change-requests`
    const proposed = await fetch(path, { method: 'POST', headers, body: change })
    const { id } = (await proposed.json()) as { id: number }
    let status = 0
    for (const state of ['In review', 'Approved', 'Applied']) {
      const place = `${api}/projects/shop/change-requests/${id}/state`
      status = (await fetch(place, { method: 'PUT', headers, body: JSON.stringify({ state }) })).status
    }
    return status
  }
  const applied = [await apply('checkout'), await apply('unwanted')]
  const log = (await (await fetch(`${api}/events`, { headers })).json()) as { events: { type: string }[] }
  process.stdout.write(
    JSON.stringify({ applied, events: log.events.filter(({ type }) => type === 'change-request-applied').length }),
  )
  server.close()
  server.closeAllConnections()
  await router.close()
}
