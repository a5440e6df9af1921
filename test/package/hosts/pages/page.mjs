import { once } from 'node:events'
import express from 'express'
import { apiKeys, createChangeRequestRouter, memoryStorage } from 'express-change-requests'
import { ClientError, createClient } from 'express-change-requests/client'
import { reviewPage } from 'express-change-requests/page'

const key = 'user:a-key-of-this-host'
const ann = { key, user: { id: 1, username: 'ann' }, grants: [{ permission: 'ADMIN' }] }
const app = express()
app.use(createChangeRequestRouter({ storage: memoryStorage(), authenticate: apiKeys([ann]) }))
app.use('/review', reviewPage({ api: '/api/admin', signIn: 'key' }))
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${server.address().port}`
const page = await fetch(`${origin}/review/projects/shop/change-requests/42`)
const [, script] = /<script type="module" src="([^"]*)"/.exec(await page.text())
const file = await fetch(new URL(script, page.url))
await file.text()
const client = createClient({ api: `${origin}/api/admin`, key })
const refused = await client.changeRequest({ project: 'shop', id: 42 }).catch((error) => error)
const { body } = await client.me()
server.close()
process.stdout.write(
  JSON.stringify({
    page: page.status,
    script: [file.status, file.headers.get('content-encoding')],
    refused: refused instanceof ClientError && refused.name,
    me: body.username,
  }),
)
