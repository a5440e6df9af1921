const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const express = require('express')
const { connect } = require('../support/databases')
const { serve } = require('../support/child')
const { neverTheSame } = require('../support/never-the-same')
const { countStatements } = require('../support/statements')
const { recordedEvent } = require('../data/drafts')

/** The build in `root`, by its public entries alone, because its files may have other names. */
const { root, config } = JSON.parse(process.argv[2])
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const load = (entry) => require(join(root, entries[entry].default))
const { createChangeRequestRouter } = load('.')
const { knexStorage } = load('./knex')

const listSize = 1_000
const statements = countStatements()
const app = express()
const knex = connect(config)

/** Everyone has all permissions. The header Authorization is the id of the user. */
function authenticate(req) {
  const id = Number(req.headers.authorization ?? 1)
  return { id, username: `caller${id}`, email: `caller${id}@example.com`, grants: [{ permission: 'ADMIN' }] }
}

/** Flags with any name exist; nothing is applied. */
const flags = {
  async current({ features }) {
    return {
      features: new Map(features.map((name) => [name, { archived: false, enabled: true }])),
      segments: new Map(),
    }
  },
  apply: async () => [],
}

/** Without the warnings of the start. */
const logger = { debug() {}, info() {}, warn() {}, error: (...values) => console.error(...values) }

function mount(basePath, storage) {
  const options = { storage, basePath, authenticate, flags, logger }
  const router = createRouter(options)
  app.use(router)
  return router
}

/** Builds from before this option schedule without it. */
function createRouter(options) {
  try {
    return createChangeRequestRouter({ ...options, schedule: 'elsewhere' })
  } catch {
    return createChangeRequestRouter(options)
  }
}

async function start() {
  const storage = knexStorage({ knex, acquireTimeoutMs: 10_000 })
  const router = mount('/log', storage)
  mount('/cold', neverTheSame(storage))
  await router.migrate()
  serve(app, {
    async fill(rows) {
      for (let from = 0; from < rows; from += listSize) {
        const count = Math.min(listSize, rows - from)
        await router.events.record(Array.from({ length: count }, (_, index) => recordedEvent(from + index)))
      }
      await router.events.recount()
    },
    async analyze() {
      // Autovacuum would do this within a minute.
      if (config.client === 'pg') await knex.raw('vacuum analyze')
      else await knex.raw('pragma wal_checkpoint(truncate)')
    },
    record: (marker) => router.events.record({ ...recordedEvent(marker), data: { marker }, preData: null }),
    statements,
  })
}

void start()
