const { apiKeys, createChangeRequestRouter, ChangeRequestError } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const types = require('express-change-requests/types')
const openapi = require('express-change-requests/openapi.json')
const schema = require('express-change-requests/schemas/error.json')
const express = require('express')
const createKnex = require('knex')
const { tryOut } = require('./serve')

async function main() {
  const key = 'user:a-key-of-this-host'
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
  })
  const user = { id: 1, username: 'ann' }
  const router = createChangeRequestRouter({
    storage: knexStorage({ knex }),
    authenticate: apiKeys([{ key, user, grants: [{ permission: 'ADMIN' }] }]),
  })
  await router.migrate()
  const app = express()
  app.use(router)
  const answers = await tryOut(app, key)
  const paths = Object.keys(router.openapi({ mountPath: '/flags' }).paths)
  const failure = await router.events.record({ type: 'no-such-type' }).catch((error) => error)
  await router.close()
  await knex.destroy()
  const express4 = typeof app.del === 'function'
  const refused = ChangeRequestError.is(failure) && failure.name
  process.stdout.write(
    JSON.stringify({
      express4,
      ...answers,
      refused,
      files: [openapi.openapi, typeof schema, typeof types],
      below: paths[0],
    }),
  )
}

void main()
