// A server with the built package, whose flags are in another database, in a process that dies at a point. Its argument is JSON:
//   knex     how Knex opens the database of the change requests
//   storage  options of knexStorage
//   host     how Knex opens the database of the flags: our_flags (name, enabled, times)
//   limits   of the router
//   point    where it dies; none if it is left out
// It prints `listening on http://host:port`. Callers are identified by the header x-user.
const { createServer } = require('node:http')
const express = require('express')
const { knex: createKnex } = require('knex')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { applyRecords, knexStorage } = require('../../../dist/storage/knex/index.js')

const config = JSON.parse(process.argv[2])
const storage = knexStorage({ knex: createKnex(config.knex), ...config.storage })
const host = createKnex(config.host)
const records = applyRecords({ knex: host })

function dieAt(point) {
  if (point !== config.point) return
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing else must happen.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}

/** What the flag database is in use for. */
let running
host.on('query', ({ sql }) => {
  if (/^COMMIT/i.test(sql) && running !== undefined) dieAt(`${running}: before COMMIT`)
})

async function during(name, work) {
  running = name
  dieAt(`${name}: at the start`)
  const result = await work()
  running = undefined
  dieAt(`${name}: after COMMIT`)
  return result
}

// Only the process that applies dies in our commit; one that settles stores the same result.
const applies = new Set()
const flags = {
  async current({ features }) {
    const rows = await host('our_flags').whereIn('name', features)
    const states = rows.map(({ name, enabled }) => [name, { archived: false, enabled: Boolean(enabled) }])
    return { features: new Map(states), segments: new Map() }
  },
  apply(changes, { applyId, changeRequestId }) {
    applies.add(changeRequestId)
    return during('apply', () =>
      records.run(applyId, async (transaction) => {
        dieAt('apply: before the work')
        for (const { feature, payload } of changes) {
          await transaction('our_flags')
            .where({ name: feature })
            .update({ enabled: payload.enabled })
            .increment('times')
        }
        dieAt('apply: after the work')
        return changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature }))
      }),
    )
  },
  outcome: (applyId) => during('outcome', () => records.outcome(applyId)),
}

async function commit(write) {
  const { id, state } = write.changeRequest
  const isResult = state === 'Applied' && applies.has(id)
  if (isResult) dieAt('apply: before our commit')
  const committed = storage.commit(write)
  if (isResult) dieAt('apply: in our commit')
  const result = await committed
  if (isResult) dieAt('apply: after our commit')
  return result
}

const router = createChangeRequestRouter({
  storage: { ...storage, commit },
  flags,
  authenticate: ({ headers }) => ({
    id: Number(headers['x-user']),
    username: `user-${headers['x-user']}`,
    grants: [{ permission: 'ADMIN' }],
  }),
  limits: config.limits,
  logger: { debug() {}, info() {}, warn() {}, error: ({ err }, message) => console.error(message, err) },
})

// Ends the process when the tests were killed.
process.stdin.on('end', () => process.exit()).resume()

const server = createServer({ keepAliveTimeout: 0 }, express().use(router)).listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
  // An attempt may be settled, and the process die, before this line returns.
  setImmediate(() => router.start())
})
