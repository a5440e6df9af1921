import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiKeys } from 'express-change-requests'
import { type Callers, describeHttp } from 'express-change-requests/testing'
import { createApp } from './app'

const place = { project: 'shop', environment: 'production' }
const grantsOf = (...names: string[]) =>
  names.map((name) => ({ permission: `${name}_CHANGE_REQUEST` as 'READ_CHANGE_REQUEST', ...place }))

const grants = {
  author: grantsOf('CREATE', 'APPROVE', 'APPLY'),
  reviewer: grantsOf('APPROVE', 'APPLY'),
  reviewer2: grantsOf('APPROVE', 'APPLY'),
  admin: [{ permission: 'ADMIN' as const }],
  reader: [{ permission: 'READ_CHANGE_REQUEST' as const, project: place.project }],
  nobody: [],
  token: [{ permission: 'ADMIN' as const }],
}
const people = ['author', 'reviewer', 'reviewer2', 'admin', 'reader', 'nobody'].map((username, index) => {
  const groups = username === 'reviewer2' ? ['payments'] : []
  return { id: index + 1, username, email: `${username}@example.com`, groups }
})
const keyOf = (name: string) => `user:a-key-of-the-${name}`
const keys = Object.entries(grants).map(([name, granted]) => {
  return { key: keyOf(name), user: people.find(({ username }) => username === name) ?? { id: null }, grants: granted }
})
const callers = Object.fromEntries(
  Object.keys(grants).map((name) => [name, { Authorization: keyOf(name) }]),
) as unknown as Callers

const ruled = { name: 'payments owners', when: { features: ['pay*'] }, approvals: 1, from: { groups: ['payments'] } }

const path = mkdtempSync(join(tmpdir(), 'change-requests-lmdb-'))
let url = ''
let stop = async () => {}

beforeAll(async () => {
  const users = {
    find: (ids: readonly number[]) => people.filter(({ id }) => ids.includes(id)),
    reviewers: () => people.slice(0, 4),
  }
  const { app, close } = await createApp(path, {
    authenticate: apiKeys(keys),
    users,
    recordOnly: true,
    approvalRules: [ruled],
    emergency: true,
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.keepAliveTimeout = 0
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/admin`
  stop = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    await close()
    rmSync(path, { recursive: true })
  }
})
afterAll(() => stop())

// The same host for every rule: none may rely on an empty store.
describeHttp({ describe, it, expect }, async () => {
  return {
    url,
    callers,
    ...place,
    otherProject: 'blog',
    feature: 'checkout',
    ruled: { feature: 'payment-form', rule: ruled.name },
    emergency: true,
    close: async () => {},
  }
})
