const { setTimeout } = require('node:timers/promises')
const { startServer } = require('../../support/child')
const { connect, openDatabase } = require('../../support/databases')
const { startDelayProxy } = require('../../servers/delay-proxy')
const { figure, progress } = require('../../support/figures')
const { knexStorage } = require('../../../../dist/storage/knex/index.js')

const processes = 2
const writersEach = 4
const sampleMs = 600
const prefix = 'order_'

/** `ours` is the package: waiting writes of a process share a commit, which takes the lock once. */
const ways = {
  ours: { lock: true, counts: true, together: true },
  'a lock each': { lock: true, counts: true, together: false },
  'no lock': { lock: false, counts: true, together: true },
  'no lock each': { lock: false, counts: true, together: false },
  'no lock, no counts': { lock: false, counts: false, together: true },
  'no lock, no counts each': { lock: false, counts: false, together: false },
}

/** The cost of the guarantee that a follower by `id > last` misses no event. */
async function benchOrder({ databases, rounds }) {
  if (!databases.includes('postgres')) return progress('SQLite has one writer: there is nothing to measure.')
  const database = await openDatabase('postgres')
  const proxy = await startDelayProxy(database.port)
  const url = database.url.replace(`:${database.port}/`, `:${proxy.port}/`)
  const knex = connect(database.config)
  const storage = knexStorage({ knex, tablePrefix: prefix })
  const workers = {}
  try {
    await storage.migrate()
    for (const [name, way] of Object.entries(ways)) workers[name] = await startWorkers(way, database.config)
    await benchWorkers({ rounds, storage, workers, network: 'without a network' })
    await stop(workers)
    proxy.state.delayMs = 1
    const config = { client: 'pg', connection: url }
    for (const [name, way] of Object.entries(ways)) workers[name] = await startWorkers(way, config)
    await benchWorkers({ rounds, storage, workers, network: '1 ms of network' })
  } finally {
    await stop(workers)
    proxy.close()
    await knex.destroy()
    await database.close()
  }
}

function startWorkers(way, config) {
  const worker = { config, prefix, writers: writersEach, ...way }
  return Promise.all(Array.from({ length: processes }, () => startServer('log/order-worker.js', worker)))
}

async function stop(workers) {
  for (const [name, servers] of Object.entries(workers)) {
    for (const server of servers) await server.stop()
    delete workers[name]
  }
}

async function benchWorkers({ rounds, storage, workers, network }) {
  const perSecond = {}
  const missed = {}
  // The first round opens the connections.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, servers] of Object.entries(workers)) {
      const result = await writeFollowed(storage, servers)
      if (round === 0) continue
      perSecond[name] = [...(perSecond[name] ?? []), result.perSecond]
      missed[name] = [...(missed[name] ?? []), result.missed]
    }
  }
  const name = `${processes * writersEach} writers, ${network}`
  figure({ name: `${name}: events written`, database: 'postgres', unit: '1/s', ways: perSecond })
  const thresholds = [{ max: 0 }]
  figure({
    name: `${name}: missed by a follower`,
    database: 'postgres',
    unit: '%',
    lower: true,
    ways: missed,
    thresholds,
  })
  progress(`${name} measured`)
}

/** The share of the events that a client misses when it reads ids above the last one seen. */
async function writeFollowed(storage, servers) {
  const start = (await storage.eventPage({}, { before: Number.MAX_SAFE_INTEGER }, 1)).lastId
  let writing = true
  const following = follow(storage, start, () => writing)
  const begin = performance.now()
  const written = (await Promise.all(servers.map((server) => server.ask('write', sampleMs)))).reduce((a, b) => a + b)
  const seconds = (performance.now() - begin) / 1_000
  writing = false
  const seen = await following
  return { perSecond: written / seconds, missed: ((written - seen) / written) * 100 }
}

async function follow(storage, start, going) {
  let last = start
  let seen = 0
  for (let more = true; more; ) {
    // Everything committed before this read is in it.
    more = going()
    const { count, lastId } = await storage.eventPage({}, { after: last }, 10_000)
    seen += count
    if (count > 0) last = lastId
    await setTimeout(1)
  }
  return seen
}

module.exports = { benchOrder }
