const { apiKeys, createChangeRequestRouter, memoryStorage } = require('express-change-requests')
const { describeStorage } = require('express-change-requests/testing')
const express = require('express')
const { tryOut } = require('./serve')

test('the router answers in the Jest of a host', async () => {
  const key = 'user:a-key-of-this-host'
  const grants = [{ permission: 'ADMIN' }]
  const authenticate = apiKeys([{ key, user: { id: 1, username: 'ann' }, grants }])
  const app = express()
  app.use(createChangeRequestRouter({ storage: memoryStorage(), authenticate }))
  expect(await tryOut(app, key)).toMatchObject({ proposed: [200, 'Draft'] })
})

describeStorage({ describe, it, expect }, 'the memory storage', async () => {
  const storage = memoryStorage()
  await storage.migrate()
  return { storage, close: () => storage.close() }
})
