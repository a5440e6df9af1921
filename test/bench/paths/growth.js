const { join } = require('node:path')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { fillListed } = require('../data/fill-listed')
const { startServer } = require('../support/child')
const { load, requestBytes } = require('../support/client')
const { connect, openDatabase } = require('../support/databases')
const { figure, quantile } = require('../support/figures')
const { fillEvents, fillSubjects, searchDraft } = require('../support/fill')
const { proposals } = require('../support/posts')
const { followOnce } = require('./log/follow')

const sampleMs = 400
const eventsPerChangeRequest = 100
const sizes = [1_000, 100_000, 1_000_000, 10_000_000]

const p50Of = async ({ port }, next) => quantile((await load(port, { callers: 1, ms: sampleMs, next })).latencies, 0.5)
const read =
  (path) =>
  (server, { prefix, rows }) => {
    const request = requestBytes('GET', `/${prefix}${path(rows)}`, {})
    return p50Of(server, () => request)
  }

const measures = [
  ['search: by a flag', read(() => '/search/events?feature=IS%3Acheckout-7')],
  ['search: by a creator, middle', read((rows) => `/search/events?createdBy=IS%3A7&before=${Math.floor(rows / 2)}`)],
  ['search: by project and type', read(() => '/search/events?project=IS%3Ashop&type=IS%3Afeature-updated')],
  ['add a change', (server, { prefix }) => p50Of(server, proposals(prefix).next)],
  ['inbox, 10 that need the caller', read(() => '/reviews?needs=me&limit=10')],
  [
    'from a commit to a follower',
    async (server, { prefix }) =>
      quantile((await followOnce({ followed: server, writer: server }, 1, prefix)).latencies, 0.5),
  ],
]

/** Search, add, inbox and follow at several sizes of the log, each with one open change request per 100 events. */
async function benchGrowth({ databases, rounds, rows: largest }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const logs = sizes.filter((rows) => rows <= largest).map((rows) => ({ prefix: `g${rows}_`, rows }))
    const servers = new Map()
    try {
      for (const log of logs) {
        await fillEvents(database, log.prefix, log.rows, searchDraft)
        await fillSubjects(database, log.prefix)
        await fillOpen(database, log)
        const way = { way: 'ours', config: database.config, prefixes: [log.prefix], pollMs: 250, notify: false }
        servers.set(log, await startServer('log/follow-server.js', way))
      }
      for (const [what, sample] of measures) {
        const samples = new Map(logs.map((log) => [log, []]))
        for (const log of logs) await sample(servers.get(log), log)
        for (let round = 0; round < rounds; round += 1) {
          for (const log of logs) samples.get(log).push(await sample(servers.get(log), log))
        }
        report(name, what, logs, samples)
      }
    } finally {
      for (const server of servers.values()) await server.stop()
      await database.close()
    }
  }
}

async function fillOpen({ config }, { prefix, rows }) {
  const knex = connect(config)
  const storage = knexStorage({ knex, tablePrefix: prefix })
  const count = Math.ceil(rows / eventsPerChangeRequest)
  try {
    await fillListed(
      { build: join(__dirname, '../../../dist'), knex, storage },
      { kind: 'listed', count, actionable: count },
    )
  } finally {
    await storage.close()
    await knex.destroy()
  }
}

/** Ours is the largest log. */
function report(database, what, logs, samples) {
  const largest = logs.at(-1)
  const others = logs.slice(0, -1).map((log) => [`of ${log.rows}`, samples.get(log)])
  const ways = { ours: samples.get(largest), ...Object.fromEntries(others) }
  figure({ database, name: `${what}, ${largest.rows} events, p50`, unit: 'ms', lower: true, ways })
}

module.exports = { benchGrowth }
