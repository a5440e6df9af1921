import express from 'express'
import { apiKeys, createChangeRequestRouter } from 'express-change-requests'
import { knexStorage } from 'express-change-requests/knex'
import createKnex from 'knex'

const knex = createKnex({
  client: 'better-sqlite3',
  connection: { filename: process.env.DATABASE_FILE ?? 'app.sqlite' },
  useNullAsDefault: true,
})
const ann = { id: 1, username: 'ann', email: 'ann@example.com' }
const grants = [{ permission: 'CREATE_CHANGE_REQUEST' }, { permission: 'READ_EVENTS' }]
const router = createChangeRequestRouter({
  storage: knexStorage({ knex }),
  authenticate: apiKeys([{ key: process.env.ANN_KEY, user: ann, grants }]),
})
await router.migrate()

const app = express()
app.use(router) // before the parsers of the app, so that the limits and messages of the router apply
app.use(express.json())
app.get('/', (_req, res) => res.send('the app that was there before'))

const server = app.listen(process.env.PORT ?? 3000, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
