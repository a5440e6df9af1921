const express = require('express')
const { connect } = require('../support/databases')
const { serve } = require('../support/child')
const { countStatements } = require('../support/statements')
const { rawPostgres, rawSqlite } = require('../support/raw-write')
const { apiKeys, createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { parseChanges } = require('../../../dist/capabilities/proposals/changes-body.js')
const { addChanges, createChangeRequest } = require('../../../dist/domain/decisions/changes.js')
const { hashOf } = require('../../../dist/kernel/flags/digest.js')
const { toChangeRequestView } = require('../../../dist/kernel/view/change-request.js')

const { way, config, key } = JSON.parse(process.argv[2])
const user = { id: 1, username: 'caller1', email: 'caller1@example.com' }
const authenticate = apiKeys([{ key, user, grants: [{ permission: 'ADMIN' }] }])
const app = express()
const path = '/api/admin/projects/:project/environments/:environment/change-requests'

const ways = {
  async ours() {
    const storage = knexStorage({ knex: connect(config), tablePrefix: 'ours_', acquireTimeoutMs: 10_000 })
    const router = createChangeRequestRouter({ storage, authenticate })
    await router.migrate()
    app.use(router)
  },

  /** One load and one commit by the driver; authentication, validation, decision and response as in ours. */
  async raw() {
    const knex = connect(config)
    await knexStorage({ knex, tablePrefix: 'raw_' }).migrate()
    await knex.destroy()
    const raw = await (config.client === 'pg' ? rawPostgres : rawSqlite)(config, 'raw_')
    app.post(path, express.json(), async (req, res) => {
      const { id: userId, username } = authenticate(req)
      const { project, environment } = req.params
      const changes = parseChanges(req.body, { changesPerRequest: 100 })
      const author = { person: { id: userId, username, imageUrl: null }, signature: user.email, ip: null }
      const stored = await raw.write({ project, environment, userId, count: changes.length }, (loaded) =>
        decide(loaded, { project, environment, changes, author }),
      )
      answer(res, stored)
    })
  },
}

function decide({ stored, requestId, changeIds, requiredApprovals = 1 }, { project, environment, changes, author }) {
  const proposal = { rejected: undefined, invalid: [], flags: undefined }
  const revision = { matches: true, exists: true, forbidden: undefined, isStated: true, isSeen: true }
  const facts = { userId: 1, CREATE_CHANGE_REQUEST: true, enabled: true, requiredApprovals, proposal, revision }
  const limits = { changes: 500, bytes: 1 << 24, targetsBytes: 1 << 24 }
  const now = new Date().toISOString()
  const command = { facts, changes, changeIds, author, now, limits, hash: hashOf }
  const decision =
    stored === undefined
      ? createChangeRequest({ id: requestId, project, environment }, command)
      : addChanges(stored.changeRequest, command)
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
