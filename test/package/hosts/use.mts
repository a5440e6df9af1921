import express from 'express'
import { type ApiKey, apiKeys, createChangeRequestRouter, memoryStorage } from 'express-change-requests'
import { tryOut } from './serve.js'

const key = 'user:a-key-of-this-host'
const ann: ApiKey = { key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }
const app = express()
app.use(createChangeRequestRouter({ storage: memoryStorage(), authenticate: apiKeys([ann]) }))

process.stdout.write(JSON.stringify(await tryOut(app, key)))
