const express = require('express')
const { connect } = require('../support/databases')
const { serve } = require('../support/child')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')

const { config } = JSON.parse(process.argv[2])

/** A route without a gate, and with a gate where change requests are enabled and disabled; the caller may skip the review. */
async function main() {
  const storage = knexStorage({ knex: connect(config) })
  const authenticate = () => ({ id: 1, username: 'caller1', grants: [{ permission: 'ADMIN' }] })
  const router = createChangeRequestRouter({ storage, authenticate, changeRequestsEnabled: true, logger: false })
  await router.migrate()
  const settings = { changeRequestsEnabled: false, requiredApprovals: 1 }
  const place = { project: 'shop', environment: 'disabled' }
  await storage.commitSettings({ ...place, settings, expectedVersion: 0, events: [] })
  const app = express()
  const answer = (_req, res) => res.end()
  app.post('/none', answer)
  for (const environment of ['enabled', 'disabled']) {
    const gate = router.gate(() => ({ project: 'shop', environment }))
    app.post(`/${environment}`, gate, answer)
  }
  serve(app)
}

void main()
