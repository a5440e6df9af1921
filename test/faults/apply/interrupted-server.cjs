// A server with the built package and flags of their own, in a process that dies while it applies. Its argument is JSON:
//   knex     how Knex opens the database
//   storage  options of knexStorage
//   host     how Knex opens the flags; it has the tables of schedule/host-flags.cjs
//   limits   of the router
// An apply of the flag `die-<n>` kills the process after the last write of the gateway, before the outcome is stored: n
// selects one of the points below. It prints `listening on http://host:port`. Callers are identified by the header x-user.
const { createServer } = require('node:http')
const express = require('express')
const { knex: createKnex } = require('knex')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { remoteFlags } = require('../schedule/host-flags.cjs')

const points = ['before the gateway returns', 'before the commit', 'in the commit']

const config = JSON.parse(process.argv[2])
const knex = createKnex(config.knex)
const storage = knexStorage({ knex, ...config.storage })
const gateway = remoteFlags(createKnex(config.host), { slowMs: 0, label: 'apply' })

const pointOf = (changes) => {
  const [, n] = /^die-(\d+)$/.exec(changes.at(-1)?.feature ?? '') ?? []
  return n === undefined ? undefined : points[Number(n) % points.length]
}

function die() {
  process.kill(process.pid, 'SIGKILL')
  // Delivery of the signal can take a moment. Nothing else must happen until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}

// Only the process that applies dies. A process that settles stores the same outcome.
const applies = new Set()
const flags = {
  ...gateway,
  async apply(changes, context) {
    const events = await gateway.apply(changes, context)
    applies.add(context.changeRequestId)
    if (pointOf(changes) === 'before the gateway returns') die()
    return events
  },
}

async function commit(write) {
  const { id, state, changes } = write.changeRequest
  const point = state === 'Applied' && applies.has(id) ? pointOf(changes) : undefined
  if (point === 'before the commit') die()
  const committed = storage.commit(write)
  // The statement has not been sent yet: pools and queues need one iteration of the event loop.
  if (point === 'in the commit') die()
  return committed
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

// Ends the process when the test run is killed.
process.stdin.on('end', () => process.exit()).resume()

router.start()
const server = createServer({ keepAliveTimeout: 0 }, express().use(router)).listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
