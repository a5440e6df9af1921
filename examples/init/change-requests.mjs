import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import express from 'express'
import { apiKeys, createChangeRequestRouter, sameOrigin } from 'express-change-requests'
import { reviewPage } from 'express-change-requests/page'
import { plainFlags, sqliteStorage } from 'express-change-requests/sqlite'

// Your database, and the table that your app reads its flags from.
const database = new DatabaseSync('change-requests.sqlite')
database.exec('create table if not exists flags (name text primary key, enabled boolean, rollout integer)')
database.exec("insert into flags values ('checkout', false, 100), ('new-search', true, 5) on conflict do nothing")
const columns = { name: 'name', enabled: 'enabled', rollout: 'rollout' }
const flags = plainFlags({ database, table: 'flags', columns, project: 'default', environment: 'production' })

// Your users. Their keys are new at each start. Nobody can approve their own change, and nobody needs ADMIN.
const permissions = ['CREATE_CHANGE_REQUEST', 'APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'READ_EVENTS']
const grants = permissions.map((permission) => ({ permission }))
const newKey = () => randomBytes(32).toString('hex')
const users = ['ann', 'ben'].map((username, index) => ({ key: newKey(), user: { id: index + 1, username }, grants }))

const storage = sqliteStorage({ database })
const router = createChangeRequestRouter({ storage, authenticate: apiKeys(users), pageUrl: '/review', ...flags })
await router.migrate()

const app = express()
// Your sign-in. Here, a link stores its key in a cookie, and requests of the page are sent with that key.
const cookie = { httpOnly: true, sameSite: 'strict' }
app.get('/as/:key', ({ params }, res) => res.cookie('review-key', params.key, cookie).redirect('/review'))
app.use((req, _res, next) => {
  const [, key] = /review-key=(\w+)/.exec(req.headers.cookie ?? '') ?? []
  if (key && sameOrigin(req)) req.headers.authorization ??= key
  next()
})
app.use(router)
app.use('/review', reviewPage({ api: '/api/admin', signIn: 'host' }))
app.get('/flags', (_req, res) => res.json(database.prepare('select * from flags').all()))
const server = app.listen(process.env.PORT ?? 3000, '127.0.0.1', (error) => {
  if (error) throw error
  const url = `http://127.0.0.1:${server.address().port}`
  for (const { key, user } of users) console.log(`${user.username}: ${url}/as/${key}`)
  console.log(`Open each link in a browser of its own. The flags are at ${url}/flags\nlistening on ${url}`)
})
