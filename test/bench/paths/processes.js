const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { startDelayProxy } = require('../servers/delay-proxy')
const { startServer } = require('../support/child')
const { load } = require('../support/client')
const { connect, openDatabase } = require('../support/databases')
const { figure, progress, quantile } = require('../support/figures')
const { fillChangeRequests } = require('../support/fill')
const { proposals } = require('../support/posts')

const counts = [1, 2, 4]
const callers = 50
const sampleMs = 600
const delaysMs = [0, 2]
const prefix = 'processes_'
const minRounds = 5

/** Several processes on one Postgres: their total writes, and how much of a core each of them uses. */
async function benchProcesses({ databases, rounds }) {
  if (!databases.includes('postgres')) return progress('This bench is for Postgres only.')
  const database = await openDatabase('postgres')
  const proxy = await startDelayProxy(database.port)
  const knex = connect(database.config)
  try {
    await knexStorage({ knex, tablePrefix: prefix }).migrate()
    await fillChangeRequests(database, prefix, { naive: false })
    for (const delayMs of delaysMs) {
      proxy.state.delayMs = delayMs
      const port = delayMs === 0 ? database.port : proxy.port
      const connection = database.url.replace(`:${database.port}/`, `:${port}/`)
      await benchDelay({ connection, delayMs, rounds: Math.max(rounds, minRounds) })
    }
  } finally {
    proxy.close()
    await knex.destroy()
    await database.close()
  }
}

async function benchDelay({ connection, delayMs, rounds }) {
  const servers = []
  const samples = new Map(counts.map((count) => [count, []]))
  try {
    const way = { way: 'ours', config: { client: 'pg', connection }, prefixes: [prefix] }
    while (servers.length < Math.max(...counts)) servers.push(await startServer('log/export-server.js', way))
    // The first round opens the connections.
    for (let round = 0; round <= rounds; round += 1) {
      for (const count of counts) {
        const sample = await write(servers.slice(0, count))
        if (round > 0) samples.get(count).push(sample)
      }
    }
  } finally {
    for (const server of servers) await server.stop()
  }
  report(samples, delayMs)
}

/** Each caller uses one process and fills its own change requests. */
async function write(servers) {
  const before = await Promise.all(servers.map((server) => server.ask('cpu')))
  const client = process.cpuUsage()
  const start = performance.now()
  const runs = await Promise.all(
    servers.map(({ port }, index) => {
      const share = Math.floor(callers / servers.length) + (index < callers % servers.length ? 1 : 0)
      return load(port, { callers: share, ms: sampleMs, next: proposals(prefix).next })
    }),
  )
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(client)
  const after = await Promise.all(servers.map((server) => server.ask('cpu')))
  const latencies = runs.flatMap((run) => run.latencies)
  return {
    perSecond: (latencies.length / ms) * 1_000,
    p99: quantile(latencies, 0.99),
    shares: after.map((cpu, index) => ((cpu - before[index]) / ms) * 100),
    client: ((user + system) / 1_000 / ms) * 100,
  }
}

function report(samples, delayMs) {
  const network = delayMs === 0 ? 'without a network' : `${delayMs} ms of network`
  const nameOf = (count) => (count === 1 ? '1 process' : `${count} processes`)
  const of = (count, value) => samples.get(count).map(value)
  for (const count of counts) {
    const others = counts.filter((other) => other < count)
    const name = `${callers} callers, ${network}, ${nameOf(count)}`
    const compared = (value) =>
      Object.fromEntries([['ours', of(count, value)], ...others.map((other) => [nameOf(other), of(other, value)])])
    const report = (rest) => figure({ database: 'postgres', ...rest })
    report({ name: `${name}: writes`, unit: '1/s', ways: compared(({ perSecond }) => perSecond) })
    report({ name: `${name}: p99`, unit: 'ms', lower: true, ways: compared(({ p99 }) => p99) })
    // The process of the client simulates the network.
    const cpu = Object.fromEntries([
      ...Array.from({ length: count }, (_, index) => [
        index === 0 ? 'ours' : `process ${index + 1}`,
        of(count, ({ shares }) => shares[index]),
      ]),
      ['client', of(count, ({ client }) => client)],
    ])
    report({ name: `${name}: CPU of each`, unit: '% of a core', lower: true, ways: cpu })
  }
  progress(`${network} measured`)
}

module.exports = { benchProcesses }
