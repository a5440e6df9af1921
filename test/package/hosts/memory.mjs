import express from 'express'
import { apiKeys, createChangeRequestRouter, memoryStorage } from 'express-change-requests'
import { tryOut } from './serve.js'

const key = 'user:a-key-of-this-host'
const ann = { key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }
const app = express()
app.use(createChangeRequestRouter({ storage: memoryStorage(), authenticate: apiKeys([ann]) }))

void tryOut(app, key).then((answers) => process.stdout.write(JSON.stringify(answers)))
