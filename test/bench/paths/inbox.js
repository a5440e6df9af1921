const { join } = require('node:path')
const { caller, project } = require('../data/listed')
const { startServer } = require('../support/child')
const { load, requestBytes } = require('../support/client')
const { openDatabase } = require('../support/databases')
const { figure, progress, quantile } = require('../support/figures')

const build = join(__dirname, '../../../dist')
const sampleMs = 400
const few = 100
const largest = 100_000

/** Without the permissions to approve and apply: `lists-server.js`. */
const reader = 9_999

const searches = [
  ['all', 'needs=all'],
  ['needs me', 'needs=me'],
  ['needs me, longest first', 'needs=me&order=waiting'],
  ['needs a user without permission', 'needs=me', reader],
  ['mine', 'needs=mine'],
  ['a project', `project=${project}-3`],
  ['an environment', 'environment=staging'],
  ['a state', 'state=Approved'],
  ['a state that few have', 'state=Scheduled&needs=me'],
  ['an author', 'author=1005'],
  ['a flag', 'feature=flag-7'],
  ['a flag, needs me', 'feature=flag-7&needs=me'],
  ['requested of me', 'requested=me'],
  ['a text that many have', 'query=release'],
  ['a text that few have', 'query=release%204711'],
  ['a text that none has', 'query=nothing%20at%20all'],
]

/** A page of 10 of the inbox by each filter, with 100 and with 100,000 open change requests. */
async function benchInbox({ databases, rounds, rows }) {
  const count = Math.min(rows, largest)
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = {}
    try {
      for (const [way, size] of [
        ['few', few],
        ['ours', count],
      ]) {
        servers[way] = await startServer('lists-server.js', { build, config: database.config, prefix: `${way}_` })
        await servers[way].ask('fill', { kind: 'open', count: size })
        progress(`${name}: ${size} open change requests`)
      }
      for (const [what, query, who = caller] of searches) {
        const request = requestBytes('GET', `/api/admin/reviews?limit=10&${query}`, { Authorization: `${who}` })
        const samples = { ours: [], few: [] }
        const sample = async (way) => {
          const { latencies } = await load(servers[way].port, { callers: 1, ms: sampleMs, next: () => request })
          return quantile(latencies, 0.5)
        }
        for (const way of ['few', 'ours']) await sample(way)
        for (let round = 0; round < rounds; round += 1) {
          for (const way of round % 2 === 0 ? ['few', 'ours'] : ['ours', 'few']) samples[way].push(await sample(way))
        }
        const thresholds = [{ max: 6 }, { of: 'few', min: 1 / 1.3 }]
        figure({ name: `inbox, ${what}, p50`, database: name, unit: 'ms', lower: true, ways: samples, thresholds })
      }
    } finally {
      for (const server of Object.values(servers)) await server.stop()
      await database.close()
    }
  }
}

module.exports = { benchInbox }
