const express = require('express')
const { connect } = require('../support/databases')
const { serve } = require('../support/child')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')

const { way, config, prefix } = JSON.parse(process.argv[2])

/** Everyone has all permissions, so that neither way spends time on them. */
const people = {
  author: { id: 1, username: 'author', grants: [{ permission: 'ADMIN' }] },
  reviewer: { id: 2, username: 'reviewer', grants: [{ permission: 'ADMIN' }], groups: ['owners'] },
}

/** Twenty rules of all kinds, which one vote of the reviewer satisfies. */
const rules = Array.from({ length: 20 }, (_, n) => ({
  name: `rule ${n}`,
  when: [
    { features: [`checkout-${n % 5}`, `*never-${n}`] },
    { actions: ['addStrategy'], features: ['*-1*', 'check*'] },
    { tags: [{ type: 'team', value: `team-${n}` }] },
    { projects: ['shop', 'b*'], environments: ['e*'] },
  ][n % 4],
  approvals: 1,
  from: { groups: ['owners'] },
}))

/** Flags with any name exist; nothing is applied. */
const flags = {
  async current({ features }) {
    const state = { archived: false, enabled: true, tags: [{ type: 'team', value: 'team-2' }] }
    return { features: new Map(features.map((name) => [name, state])), segments: new Map() }
  },
  apply: async () => [],
}

async function start() {
  const storage = knexStorage({ knex: connect(config), tablePrefix: prefix, acquireTimeoutMs: 10_000 })
  const router = createChangeRequestRouter({
    storage,
    flags,
    authenticate: (req) => people[req.headers.authorization] ?? null,
    approvalRules: way === 'ruled' ? rules : [],
    limits: { bodyBytes: 1024 * 1024, changesPerRequest: 500 },
  })
  await router.migrate()
  serve(express().use(router))
}

void start()
