// A server with the built package and a flag gateway in the same database, in a process that may be killed. Its argument
// is JSON:
//   knex, storage, handle  see open-handle.cjs; the database has a table host_flags (flag, change_request)
//   limits   of the router
//   point    where the process kills itself during the first apply: 'in the gateway', 'before COMMIT', 'after COMMIT'
// It prints `listening on http://host:port`. Callers are identified by the header x-user.
const { createServer } = require('node:http')
const express = require('express')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { watchSqlite } = require('../../support/processes/kill-points.cjs')
const { openHandle } = require('../../support/processes/open-handle.cjs')

const config = JSON.parse(process.argv[2])
const { knex, database, pool, storage } = openHandle(config)

function dieAt(point) {
  if (config.point !== point) return
  process.kill(process.pid, 'SIGKILL')
  // Delivery of the signal can take a moment. Nothing else must happen until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}

async function transaction(work) {
  const answer = await storage.transaction(async (...inside) => {
    const done = await work(...inside)
    dieAt('before COMMIT')
    return done
  })
  dieAt('after COMMIT')
  return answer
}

/** Its only connection is watched, because the storage writes the state after the gateway, in the same transaction. */
function watched() {
  const state = { armed: false }
  watchSqlite(database, config.point, state)
  return {
    async transactionSync(work) {
      state.armed = true
      try {
        return await storage.transactionSync(work)
      } finally {
        state.armed = false
      }
    },
  }
}

const flagsOn = (features, on) => {
  const strategies = [{ id: 'all', name: 'default', disabled: false }]
  const state = (name) => [name, { archived: false, enabled: on.has(name), strategies }]
  return { features: new Map(features.map(state)), segments: new Map() }
}
const enabled = ({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature })

const flags = {
  transactional: true,
  async current({ features }, { transaction = pool ?? knex } = {}) {
    const on = pool
      ? (await transaction.query('select flag from host_flags')).rows.map(({ flag }) => flag)
      : await transaction('host_flags').whereIn('flag', features).pluck('flag')
    return flagsOn(features, new Set(on))
  },
  async apply(changes, { changeRequestId, transaction }) {
    for (const { feature } of changes) {
      if (pool) {
        const text = 'insert into host_flags (flag, change_request) values ($1, $2)'
        await transaction.query(text, [feature, changeRequestId])
      } else await transaction('host_flags').insert({ flag: feature, change_request: changeRequestId })
    }
    dieAt('in the gateway')
    return changes.map(enabled)
  },
}

const synchronousFlags = {
  transactional: true,
  current({ features }) {
    return flagsOn(features, new Set(database.prepare('select flag from host_flags').pluck().all()))
  },
  apply(changes, { changeRequestId, transaction }) {
    const write = transaction.prepare('insert into host_flags (flag, change_request) values (?, ?)')
    for (const { feature } of changes) write.run(feature, changeRequestId)
    dieAt('in the gateway')
    return changes.map(enabled)
  },
}

const router = createChangeRequestRouter({
  storage: { ...storage, ...(database ? watched() : { transaction }) },
  flags: database ? synchronousFlags : flags,
  authenticate: ({ headers }) => ({
    id: Number(headers['x-user']),
    username: `user-${headers['x-user']}`,
    grants: [{ permission: 'ADMIN' }],
  }),
  limits: config.limits,
  logger: { debug() {}, info() {}, warn() {}, error: ({ err }, message) => console.error(message, err) },
})

// Ends the process when the test run is killed.
process.stdin.on('end', () => process.exit()).resume()

router.migrate().then(() => {
  const server = createServer({ keepAliveTimeout: 0 }, express().use(router)).listen(0, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`)
  })
})
