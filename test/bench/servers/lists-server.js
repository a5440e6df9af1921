const { join } = require('node:path')
const express = require('express')
const { fillListed } = require('../data/fill-listed')
const { serve } = require('../support/child')
const { connect } = require('../support/databases')

const { build, config, prefix, summaries } = JSON.parse(process.argv[2])
const { createChangeRequestRouter } = require(join(build, 'index.js'))
const { knexStorage } = require(join(build, 'storage/knex/index.js'))

/** May read, but neither approve nor apply. */
const reader = 9_999
const permissions = ['READ', 'CREATE', 'APPROVE', 'APPLY'].map((name) => ({ permission: `${name}_CHANGE_REQUEST` }))

/** Flags with any name exist; nothing is applied. */
const flags = {
  async current({ features }) {
    const state = { archived: false, enabled: true, strategies: [{ id: 's1', name: 'default', disabled: false }] }
    return { features: new Map(features.map((name) => [name, state])), segments: new Map() }
  },
  apply: async () => [],
}

async function start() {
  const knex = connect(config)
  const storage = knexStorage({ knex, tablePrefix: prefix, acquireTimeoutMs: 10_000 })
  const authenticate = ({ headers: { authorization } }) =>
    authorization && {
      id: Number(authorization),
      username: `user-${authorization}`,
      grants: Number(authorization) === reader ? permissions.slice(0, 1) : permissions,
    }
  const router = createChangeRequestRouter({ storage, flags, authenticate, schedule: 'elsewhere', logger: false })
  await router.migrate()

  const app = express()
  if (summaries) app.use(countBySummaries(storage))
  serve(app.use(router), { fill: (what) => fillListed({ build, knex, storage }, what) })
}

/** Counts what a caller can approve or apply by reading the summary of each open change request. */
function countBySummaries(storage) {
  return express.Router().get('/api/admin/projects/:project/change-requests/actionable', async (req, res) => {
    const caller = Number(req.headers.authorization)
    const filter = { projects: [req.params.project], states: ['In review', 'Approved'], viewer: caller }
    let [total, after] = [0, null]
    do {
      const page = await storage.summaries(filter, { ...(after && { after }), limit: 1_000, bytes: 1 << 20 })
      for (const { state, createdBy, reviewedBy } of page.items) {
        if (state === 'Approved' || (createdBy.id !== caller && !reviewedBy.includes(caller))) total += 1
      }
      after = page.next
    } while (after !== null)
    res.json({ total })
  })
}

void start()
