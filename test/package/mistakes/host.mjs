// What the mistakes have in common: a host app whose responses are printed, one JSON line each.
import { createServer } from 'node:http'
import express from 'express'
import { apiKeys, createChangeRequestRouter, memoryStorage } from 'express-change-requests'

const user = (id, username, permission) => ({
  key: `key-of-${username}`,
  user: { id, username },
  grants: [{ permission }],
})

export const authenticate = apiKeys([user(1, 'ann', 'ADMIN'), user(2, 'ben', 'ADMIN'), user(3, 'eve', 'READ_EVENTS')])
export const base = '/api/admin'
export const changeRequests = `${base}/projects/shop/environments/production/change-requests`
export const enable = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
export const rollout = (value) => ({
  action: 'addStrategy',
  feature: 'checkout',
  payload: { name: 'flexibleRollout', constraints: [], parameters: { rollout: value } },
})

export function createRouter(options = {}) {
  return createChangeRequestRouter({ storage: memoryStorage(), authenticate, recordOnly: !options.flags, ...options })
}

/** Serves the app, prints what each call was answered, and ends. Call n can use the body of call n-1. */
export async function ask(app, ...calls) {
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  let last
  for (const call of calls) {
    const [who, method, path, body, headers = {}] = typeof call === 'function' ? call(last) : call
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
      method,
      headers: {
        ...(who && { Authorization: `key-of-${who}` }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    last = text.startsWith('{') ? JSON.parse(text) : {}
    const { id, message, details, state } = last
    console.log(JSON.stringify({ status: answer.status, id, state, message, details }))
  }
  server.close()
}

export const propose = (change = enable, headers) => ['ann', 'POST', changeRequests, change, headers]
export const put =
  (who, body) =>
  ({ id }) => [who, 'PUT', `${base}/projects/shop/change-requests/${id}/state`, body]

/** An app with the router alone. */
export const withRouter = (options) => express().use(createRouter(options))

/** The flags of a host in memory. */
export const flags = {
  current: async ({ features, segments }) => ({
    features: new Map(features.map((name) => [name, { archived: false, enabled: false, strategies: [] }])),
    segments: new Map(segments.map((id) => [id, { name: 'all' }])),
  }),
  apply: async () => [],
  outcome: async () => null,
}
