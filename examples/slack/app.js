const { randomBytes } = require('node:crypto')
const express = require('express')
const { apiKeys, createChangeRequestRouter } = require('express-change-requests')
const { createClient } = require('express-change-requests/client')
const { knexStorage, plainFlags } = require('express-change-requests/knex')
const { reviewPage } = require('express-change-requests/page')
const { acceptCallers, fetchFrom } = require('./in-process')
const { createInteractions } = require('./interactions')
const { byEmail } = require('./link-member')
const { createMessages, createTable } = require('./messages')
const { createWebApi } = require('./web-api')

const api = 'http://localhost/api/admin'
const columns = { name: 'name', enabled: 'enabled', rollout: 'rollout' }
const [project, environment] = ['default', 'production']

/** An app with flags in one table, whose change requests are decided in Slack, too. */
async function createApp({ knex, users, slack, publicUrl, logger, findUsers = byEmail(actorsOf(users)), limits = {} }) {
  const reader = {
    key: randomBytes(32).toString('hex'),
    user: { id: null, username: 'slack' },
    grants: [{ permission: 'READ_CHANGE_REQUEST', project }],
  }
  if (!(await knex.schema.hasTable('flags'))) await createFlags(knex)
  const router = createChangeRequestRouter({
    storage: knexStorage({ knex }),
    authenticate: acceptCallers(apiKeys([...users, reader])),
    ...plainFlags({ knex, table: 'flags', columns, project, environment }),
    objections: true,
    pageUrl: `${publicUrl}/review`,
    limits,
    logger,
  })
  const call = createWebApi(slack)
  const client = createClient({ api, key: reader.key, fetch: fetchFrom(router) })
  const show = createMessages({ knex, call, client, project, channel: slack.channel })
  router.events.consume({
    name: 'slack',
    filter: { projects: [project] },
    batchSize: 20,
    async handle(events, { signal }) {
      for (const id of new Set(events.map(({ data, preData }) => (data ?? preData)?.changeRequestId))) {
        signal.throwIfAborted()
        if (id !== undefined) await show(id)
      }
    },
  })
  await router.migrate()
  await createTable(knex)
  router.start()
  const app = express()
  app.use(createInteractions({ router, api, project, slack, call, findUsers, show, logger }))
  app.use(router)
  app.use('/review', reviewPage({ api: '/api/admin', signIn: 'key' }))
  return { app, router }
}

const actorsOf = (users) => users.map(({ user, grants }) => ({ ...user, grants }))

async function createFlags(knex) {
  await knex.schema.createTable('flags', (table) => {
    table.string('name').primary()
    table.boolean('enabled').notNullable()
    table.integer('rollout').notNullable()
  })
  await knex('flags').insert([
    { name: 'checkout', enabled: false, rollout: 100 },
    { name: 'new-search', enabled: true, rollout: 5 },
  ])
}

module.exports = { createApp }
