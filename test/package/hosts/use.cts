import express = require('express')
import changeRequests = require('express-change-requests')
import serve = require('./serve')

const { apiKeys, createChangeRequestRouter, memoryStorage } = changeRequests
const key = 'user:a-key-of-this-host'
const ann: changeRequests.ApiKey = { key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }
const app = express()
app.use(createChangeRequestRouter({ storage: memoryStorage(), authenticate: apiKeys([ann]) }))

void serve.tryOut(app, key).then((answers) => process.stdout.write(JSON.stringify(answers)))
