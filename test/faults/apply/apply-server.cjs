// A server with the built package and a flag gateway in the same database, in a process that may be killed. Its argument
// is JSON:
//   knex     how Knex opens the database; it has a table host_flags (flag, change_request)
//   storage  options of knexStorage
//   limits   of the router
//   point    where the process kills itself during the first apply: 'in the gateway', 'before COMMIT', 'after COMMIT'
// It prints `listening on http://host:port`. Callers are identified by the header x-user.
const { createServer } = require('node:http')
const express = require('express')
const { knex: createKnex } = require('knex')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')

const config = JSON.parse(process.argv[2])
const knex = createKnex(config.knex)
const storage = knexStorage({ knex, ...config.storage })

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

const flags = {
  transactional: true,
  async current({ features }, { transaction = knex } = {}) {
    const on = new Set(await transaction('host_flags').whereIn('flag', features).pluck('flag'))
    const strategies = [{ id: 'all', name: 'default', disabled: false }]
    const state = (name) => [name, { archived: false, enabled: on.has(name), strategies }]
    return { features: new Map(features.map(state)), segments: new Map() }
  },
  async apply(changes, { changeRequestId, transaction }) {
    for (const { feature } of changes) {
      await transaction('host_flags').insert({ flag: feature, change_request: changeRequestId })
    }
    dieAt('in the gateway')
    return changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature }))
  },
}

const router = createChangeRequestRouter({
  storage: { ...storage, transaction },
  flags,
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
