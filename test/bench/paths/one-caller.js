const { randomBytes } = require('node:crypto')
const { startServer } = require('../support/child')
const { change } = require('../support/changes')
const { load, requestBytes } = require('../support/client')
const { openDatabase } = require('../support/databases')
const { figure } = require('../support/figures')

const key = randomBytes(32).toString('hex')
const sampleMs = 2_000
/** A change request gets this number of changes before the next one. */
const size = 10

/** The number of requests after which V8 has optimized most of the code of both. */
const warmUp = 5_000

let runs = 0

/** Proposals of one caller, on the driver itself and through Knex, next to a route that loads and commits by the raw driver. */
async function benchOneCaller({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = {}
    const perSecond = { driver: [], knex: [], raw: [] }
    const statements = { driver: [], knex: [], raw: [] }
    try {
      for (const way of Object.keys(perSecond)) {
        servers[way] = await startServer('one-caller-server.js', { way, config: database.config, key })
        await propose(servers[way], Number.POSITIVE_INFINITY, warmUp)
      }
      for (let round = 0; round < rounds; round += 1) {
        for (const way of Object.keys(perSecond)) {
          const before = await servers[way].ask('statements')
          const { perSecond: rate, latencies } = await propose(servers[way])
          perSecond[way].push(rate)
          statements[way].push(((await servers[way].ask('statements')) - before) / latencies.length)
        }
      }
      const thresholds = [{ of: 'raw', min: 0.75 }]
      for (const handle of ['driver', 'knex']) {
        const of = (samples) => ({ ours: samples[handle], raw: samples.raw })
        const shared = { name: `write of one caller, ${handle}`, database: name }
        figure({ ...shared, unit: '1/s', ways: of(perSecond), thresholds })
        figure({ ...shared, unit: 'statements', lower: true, ways: of(statements) })
      }
    } finally {
      for (const server of Object.values(servers)) await server.stop()
      await database.close()
    }
  }
}

function propose({ port }, ms = sampleMs, count = Number.POSITIVE_INFINITY) {
  const run = ++runs
  const headers = { Authorization: key, 'Content-Type': 'application/json' }
  const next = (_caller, n) => {
    if (n === count) return undefined
    const path = `/api/admin/projects/shop/environments/e${run}-${Math.floor(n / size)}/change-requests`
    return requestBytes('POST', path, headers, change(n))
  }
  return load(port, { callers: 1, ms, next })
}

module.exports = { benchOneCaller }
