import express from 'express'
import { apiKeys, ChangeRequestError, createChangeRequestRouter } from 'express-change-requests'
import { knexStorage } from 'express-change-requests/knex'
import openapi from 'express-change-requests/openapi.json' with { type: 'json' }
import schema from 'express-change-requests/schemas/error.json' with { type: 'json' }
import * as types from 'express-change-requests/types'
import createKnex from 'knex'
import { tryOut } from './serve.js'

const key = 'user:a-key-of-this-host'
const knex = createKnex({ client: 'better-sqlite3', connection: { filename: ':memory:' }, useNullAsDefault: true })
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
