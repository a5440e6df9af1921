const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const express = require('express')
const { serve } = require('../support/child')
const { connect } = require('../support/databases')
const { countStatements } = require('../support/statements')
const { fillLog, recordedEvent } = require('../support/fill-log')
const { repeatWrites } = require('../support/repeat-writes')
const { now } = require('../support/followers')

/** The build in `root`, by its public entries alone, because its files may have other names. */
const {
  root,
  config,
  handle = 'knex',
  inMemory = false,
  traced = false,
  telemetry = false,
} = JSON.parse(process.argv[2])
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const load = (entry) => require(join(root, entries[entry].default))
const { createChangeRequestRouter } = load('.')
const { knexStorage } = load('./knex')

const statements = countStatements()
const app = express()
const knex = connect(config)

/** The storage on each handle of a host app. */
const handles = {
  knex: () => knexStorage({ knex, acquireTimeoutMs: 10_000 }),
  'pg.Pool': () => load('./postgres').postgresStorage({ pool: openPool() }),
  'better-sqlite3': () => load('./sqlite').sqliteStorage({ database: openSqlite() }),
  kysely() {
    const { Kysely, PostgresDialect } = require('kysely')
    const db = new Kysely({ dialect: new PostgresDialect({ pool: openPool() }) })
    return load('./postgres').postgresStorage({ client: load('./handles').fromKysely(db) })
  },
}

function openPool() {
  const { Pool } = require('pg')
  return new Pool({ connectionString: config.connection, max: 10 })
}

function openSqlite() {
  const Database = require('better-sqlite3')
  return new Database(config.connection.filename)
}

/** The header Authorization is the id of the user. All have all permissions, except for one who can only read. */
function authenticate({ headers: { authorization = '1' } }) {
  const id = Number(authorization)
  const grants = [{ permission: id === 9_999 ? 'READ_CHANGE_REQUEST' : 'ADMIN' }]
  return { id, username: `caller${id}`, email: `caller${id}@example.com`, grants }
}

/** Flags with any name exist; applying a change writes nothing. */
const flags = {
  async current({ features }) {
    const strategies = [{ id: 's1', name: 'default', disabled: false, constraints: [], parameters: {}, segments: [] }]
    const state = { archived: false, enabled: true, strategies }
    return { features: new Map(features.map((name) => [name, state])), segments: new Map() }
  },
  apply: async () => [],
}

const limits = { bodyBytes: 1 << 20, changesPerRequest: 500, commentsPerChangeRequest: 5_000, followPollMs: 250 }
/** Without the warnings of the start. */
const logger = { debug() {}, info() {}, warn() {}, error: (...values) => console.error(...values) }

const createRouter = (basePath, storage) =>
  createChangeRequestRouter({
    ...{ storage, basePath, authenticate, flags, logger, limits },
    ...{ objections: true, schedule: 'elsewhere', ...(telemetry && { telemetry }) },
  })

if (traced) startSdk()

/** As a host app does it, with a span for each request, exporters that drop everything, and metrics every second. */
function startSdk() {
  const { metrics, trace } = require('@opentelemetry/api')
  const { MeterProvider, PeriodicExportingMetricReader } = require('@opentelemetry/sdk-metrics')
  const { BatchSpanProcessor, NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')
  const exporter = { export: (_found, done) => done({ code: 0 }), forceFlush: async () => {}, shutdown: async () => {} }
  new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }).register()
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 1_000,
    exportTimeoutMillis: 1_000,
  })
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  const tracer = trace.getTracer('host')
  app.use((req, res, next) =>
    tracer.startActiveSpan(req.method, (span) => {
      res.on('finish', () => span.end())
      next()
    }),
  )
}

function mount(basePath, storage) {
  const router = createRouter(basePath, storage)
  app.use(router)
  return router
}

/** A storage of which each head and total differs from the previous one, so no cached response is valid. */
function withoutCache(storage) {
  let calls = 0
  const changed = (found) => ({ ...found, total: found.total + (calls++ % 1_000) })
  return {
    ...storage,
    eventHead: async (scope) => changed(await storage.eventHead(scope)),
    searchEvents: async (search) => changed(await storage.searchEvents(search)),
  }
}

/** A storage of proposals in memory: the same route without a database. */
function proposalsInMemory() {
  const open = new Map()
  const last = { change: 0, changeRequest: 0 }
  const next = (kind, count) => Array.from({ length: count }, () => ++last[kind])
  const keyOf = ({ project, environment }, userId) => `${project} ${environment} ${userId}`
  const used = {
    portVersion: 1,
    nextIds: async (kind, count) => next(kind, count),
    loadProposal: async (key, count) => ({
      open: open.get(keyOf(key, key.userId)),
      settings: undefined,
      changeRequestId: next('changeRequest', 1)[0],
      changeIds: next('change', count),
    }),
    async commit({ changeRequest, version }) {
      open.set(keyOf(changeRequest, changeRequest.createdBy.id), { version, changeRequest })
      return true
    },
  }
  // Nothing else of the port is called for a proposal.
  return new Proxy(used, { get: (target, name) => target[name] ?? (async () => undefined) })
}

/** A route of the host app without a gate, and with a gate. */
function mountGates(router) {
  const answer = (_req, res) => res.end()
  app.post('/gate/none', answer)
  app.post(
    '/gate/:environment',
    router.gate(({ params }) => ({ project: 'gated', environment: params.environment })),
    answer,
  )
}

/** Consumes the oldest `count` events with a router of its own; returns the number of events per second. */
async function consume({ name, count, batchSize }) {
  const router = createRouter('/consumer', handles[handle]())
  let [started, seen] = [0, 0]
  await new Promise((resolve) => {
    const handleBatch = (batch) => {
      started ||= performance.now()
      seen += batch.length
      if (seen >= count) resolve()
    }
    router.events.consume({ name, from: 'beginning', batchSize, handle: handleBatch })
    router.start()
  })
  const perSecond = (seen / (performance.now() - started)) * 1_000
  await router.close()
  return perSecond
}

async function start() {
  if (inMemory) {
    mount('/log', proposalsInMemory())
    return serve(app)
  }
  const written = new Map()
  const storage = handles[handle]()
  const { commit } = storage
  // Captures the last write of each change request, which `repeatWrites` repeats.
  storage.commit = (write) => {
    written.set(write.changeRequest.id, write)
    return commit(write)
  }
  const router = mount('/log', storage)
  mount('/cold', withoutCache(storage))
  mountGates(router)
  await router.migrate()
  serve(app, {
    fillLog: (rows) => fillLog({ knex, router, rows }),
    forgetWrites: () => written.clear(),
    repeatWrites: (options) => repeatWrites({ ...options, storage: { ...storage, commit }, written }),
    async analyze() {
      // Autovacuum would do this within a minute.
      if (config.client === 'pg') await knex.raw('vacuum analyze')
      else await knex.raw('pragma wal_checkpoint(truncate)')
    },
    async record(marker) {
      await router.events.record({ ...recordedEvent(marker), data: { marker }, preData: null })
      return now()
    },
    runDue: () => router.runDue(),
    consume,
    statements,
  })
}

void start()
