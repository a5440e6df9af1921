const { apiKeys, createChangeRequestRouter, memoryStorage } = require('express-change-requests')
const { describeHttp, describeStorage } = require('express-change-requests/testing')
const express = require('express')
const { once } = require('node:events')
const { tryOut } = require('./serve')

test('the router answers in the Jest of a host', async () => {
  const key = 'user:a-key-of-this-host'
  const grants = [{ permission: 'ADMIN' }]
  const authenticate = apiKeys([{ key, user: { id: 1, username: 'ann' }, grants }])
  const app = express()
  app.use(createChangeRequestRouter({ storage: memoryStorage(), authenticate }))
  expect(await tryOut(app, key)).toEqual({
    proposed: [200, 'Draft'],
    log: [200, ['change-added', 'change-request-created']],
    unknownKey: 401,
  })
})

describeStorage({ describe, it, expect }, 'the memory storage', async () => {
  const storage = memoryStorage()
  await storage.migrate()
  return { storage, close: () => storage.close() }
})

const place = { project: 'shop', environment: 'production' }
const grantsOf = (...names) => names.map((name) => ({ permission: `${name}_CHANGE_REQUEST`, ...place }))
const callers = {
  author: grantsOf('CREATE', 'APPROVE', 'APPLY'),
  reviewer: grantsOf('APPROVE', 'APPLY'),
  reviewer2: grantsOf('APPROVE', 'APPLY'),
  admin: [{ permission: 'ADMIN' }],
  reader: [{ permission: 'READ_CHANGE_REQUEST', project: 'shop' }],
  nobody: [],
  token: [{ permission: 'ADMIN' }],
}
const keys = Object.entries(callers).map(([name, grants], index) => ({
  key: `user:a-key-of-the-${name}`,
  user: name === 'token' ? { id: null } : { id: index + 1, email: `${name}@example.com` },
  grants,
}))
const people = keys.map(({ user }) => user).filter(({ id }) => id !== null)
const reviewers = people.slice(0, 4)

describeHttp({ describe, it, expect }, async () => {
  const app = express()
  const router = createChangeRequestRouter({
    storage: memoryStorage(),
    authenticate: apiKeys(keys),
    users: { find: (ids) => people.filter(({ id }) => ids.includes(id)), reviewers: () => reviewers },
    recordOnly: true,
  })
  const server = app.use(router).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/api/admin`,
    callers: Object.fromEntries(
      Object.keys(callers).map((name) => [name, { Authorization: `user:a-key-of-the-${name}` }]),
    ),
    ...place,
    otherProject: 'blog',
    feature: 'checkout',
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
})
