const express = require('express4') // Express 4, where Express 5 is installed as well; else 'express'
const { createChangeRequestRouter } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const createKnex = require('knex')

const knex = createKnex({
  client: 'better-sqlite3',
  connection: { filename: process.env.DATABASE_FILE ?? 'app.sqlite' },
  useNullAsDefault: true,
})
if (!process.env.ANN_KEY) throw new Error('ANN_KEY must be set.')
const users = new Map([[process.env.ANN_KEY, { id: 1, email: 'ann@example.com', canPropose: true }]])
const router = createChangeRequestRouter({
  storage: knexStorage({ knex }),
  authenticate: (req) => req.user ?? null, // the user that the app has authenticated
  authorize: (user, permission) =>
    permission.startsWith('READ_') || (permission === 'CREATE_CHANGE_REQUEST' && user.canPropose),
})

const app = express()
app.use(express.json())
app.use((req, _res, next) => {
  req.user = users.get(req.get('authorization'))
  next()
})
app.get('/', (_req, res) => res.send('the app that was there before'))
app.use('/flags', router) // after the body parsers and the authentication of the app, at a path

router.migrate().then(() => {
  const server = app.listen(process.env.PORT ?? 3000, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`)
  })
})
