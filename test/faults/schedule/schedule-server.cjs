// A process with the built package that applies scheduled change requests and may be killed. Its argument is JSON:
//   knex      how Knex opens the database
//   storage   options of knexStorage
//   host      how Knex opens the flags of the host; it has the tables host_flags and host_ledger (see host-flags.cjs)
//   gateway   'transactional' (the flags are in the same database) or 'remote'
//   slowMs    how long an apply takes at most
//   clockOffMs  how far its clock is ahead
//   limits    of the router
// It prints `listening on http://host:port` when it is ready.
const { createServer } = require('node:http')
const express = require('express')
const { knex: createKnex } = require('knex')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { remoteFlags, transactionalFlags } = require('./host-flags.cjs')

const config = JSON.parse(process.argv[2])
const knex = createKnex(config.knex)
const options = { slowMs: config.slowMs, label: config.clockOffMs === 0 ? 'right' : 'off' }
const flags =
  config.gateway === 'transactional' ? transactionalFlags(knex, options) : remoteFlags(createKnex(config.host), options)

const router = createChangeRequestRouter({
  storage: knexStorage({ knex, ...config.storage }),
  flags,
  schedule: 'here',
  authenticate: () => null,
  clock: () => new Date(Date.now() + config.clockOffMs),
  limits: config.limits,
  logger: { debug() {}, info() {}, warn() {}, error: (facts, message) => console.error(message, facts) },
})

// Ends the process when the test run is killed.
process.stdin.on('end', () => process.exit()).resume()

router.start()
const server = createServer(
  express()
    .use(router)
    .use((_req, res) => router.health().then((health) => res.end(JSON.stringify(health)))),
)
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`))
