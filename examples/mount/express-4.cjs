const express = require('express4') // Express 4 under the name it has in this repository; yours is 'express'
const { createChangeRequestRouter } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const createKnex = require('knex')

const knex = createKnex({
  client: 'better-sqlite3',
  connection: { filename: process.env.DATABASE_FILE ?? 'app.sqlite' },
  useNullAsDefault: true,
})
if (!process.env.ANN_KEY) throw new Error('ANN_KEY must be set.')
const users = new Map([[process.env.ANN_KEY, { id: 1, email: 'ann@example.com', isAdmin: true }]])
const router = createChangeRequestRouter({
  storage: knexStorage({ knex }),
  authenticate: (req) => req.user ?? null, // the one that the app knows already
  authorize: (user, permission) => user.isAdmin || permission.startsWith('READ_'),
})

const app = express()
app.use(express.json())
app.use((req, _res, next) => {
  req.user = users.get(req.get('authorization'))
  next()
})
app.get('/', (_req, res) => res.send('the app that was there before'))
app.use('/flags', router) // behind the parsers and the users of the app, and below a path

router.migrate().then(() => {
  const server = app.listen(process.env.PORT ?? 3000, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`)
  })
})
