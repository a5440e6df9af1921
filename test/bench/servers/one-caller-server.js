const Database = require('better-sqlite3')
const express = require('express')
const { Pool } = require('pg')
const { connect } = require('../support/databases')
const { serve } = require('../support/child')
const { countStatements } = require('../support/statements')
const { decideAdd } = require('../support/decide')
const { rawPostgres, rawSqlite } = require('../support/raw-write')
const { apiKeys, createChangeRequestRouter } = require('../../../dist/index.js')
const { postgresStorage } = require('../../../dist/storage/handles/postgres/index.js')
const { sqliteStorage } = require('../../../dist/storage/handles/sqlite/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { parseChanges } = require('../../../build/capabilities/proposals/changes-body.js')
const { toChangeRequestView } = require('../../../build/kernel/view/change-request.js')

const { way, config, key } = JSON.parse(process.argv[2])
const user = { id: 1, username: 'caller1', email: 'caller1@example.com' }
const authenticate = apiKeys([{ key, user, grants: [{ permission: 'ADMIN' }] }])
const app = express()
const path = '/api/admin/projects/:project/environments/:environment/change-requests'

const ways = {
  knex: () => mount(knexStorage({ knex: connect(config), tablePrefix: 'knex_', acquireTimeoutMs: 10_000 })),

  driver: () => mount(driverStorage()),

  /** One load and one commit by the driver; authentication, validation, decision and response as in ours. */
  async raw() {
    const knex = connect(config)
    await knexStorage({ knex, tablePrefix: 'raw_' }).migrate()
    await knex.destroy()
    const raw = await (config.client === 'pg' ? rawPostgres : rawSqlite)(config, 'raw_')
    app.post(path, express.json(), async (req, res) => {
      const { id: userId } = authenticate(req)
      const { project, environment } = req.params
      const changes = parseChanges(req.body, { changesPerRequest: 100 })
      const stored = await raw.write({ project, environment, userId, count: changes.length }, (loaded) =>
        decide(loaded, { project, environment, changes, userId }),
      )
      answer(res, stored)
    })
  },
}

async function mount(storage) {
  const router = createChangeRequestRouter({ storage, authenticate })
  await router.migrate()
  app.use(router)
}

function driverStorage() {
  const shared = { tablePrefix: 'driver_' }
  const { connection } = config
  return config.client === 'pg'
    ? postgresStorage({ pool: new Pool({ connectionString: connection }), acquireTimeoutMs: 10_000, ...shared })
    : sqliteStorage({ database: new Database(connection.filename), ...shared })
}

function decide({ stored, requestId, changeIds, requiredApprovals }, { project, environment, changes, userId }) {
  const fresh = { id: requestId, project, environment }
  const decision = decideAdd(stored?.changeRequest, { fresh, userId, changes, changeIds, requiredApprovals })
  return { ...decision, version: (stored?.version ?? 0) + 1, expectedVersion: stored?.version ?? 0 }
}

const undescribed = {
  conflicts: { features: new Map(), changes: new Map() },
  scheduleConflicts: new Map(),
  defaultChanges: new Map(),
  segmentNames: new Map(),
  people: undefined,
}

function answer(res, { version, changeRequest }) {
  const view = toChangeRequestView({ version, changeRequest, ...undescribed }, { stateTimestamps: true })
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.end(JSON.stringify(view))
}

const statements = countStatements()
void ways[way]().then(() => serve(app, { statements }))
