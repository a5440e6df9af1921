const express = require('express')
const { connect } = require('../support/databases')
const { serve } = require('../support/child')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { reviewPage } = require('../../../dist/page/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')

const { way, config, prefix } = JSON.parse(process.argv[2])

const actor = { id: 1, username: 'author', grants: [{ permission: 'ADMIN' }] }

const strategies = Array.from({ length: 5 }, (_, n) => ({
  id: `s${n}`,
  name: 'flexibleRollout',
  title: `rollout ${n}`,
  disabled: false,
  sortOrder: n,
  constraints: [{ contextName: 'userId', operator: 'IN', values: ['user-1021', 'user-1044'] }],
  parameters: { groupId: 'checkout', rollout: '50', stickiness: 'default' },
  segments: [4, 11],
}))
const state = { archived: false, enabled: true, strategies, variants: [], dependencies: [] }

/** Flags without a database. Without `strategies` no base can be stored. */
const flags = {
  async current({ features }) {
    const current = way === 'ours' ? state : { archived: false, enabled: true }
    return { features: new Map(features.map((name) => [name, current])), segments: new Map() }
  },
  apply: async () => [],
}

async function start() {
  const storage = knexStorage({ knex: connect(config), tablePrefix: prefix, acquireTimeoutMs: 10_000 })
  const limits = { bodyBytes: 1024 * 1024, changesPerRequest: 500 }
  const router = createChangeRequestRouter({ storage, flags, authenticate: () => actor, limits })
  await router.migrate()
  serve(
    express()
      .use('/review', reviewPage({ api: '/api/admin', signIn: 'host' }))
      .use(router),
  )
}

void start()
