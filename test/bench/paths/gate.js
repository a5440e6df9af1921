const { startServer } = require('../support/child')
const { load, requestBytes } = require('../support/client')
const { openDatabase } = require('../support/databases')
const { figure, median } = require('../support/figures')

const sampleMs = 400
const ways = ['none', 'enabled', 'disabled']

/** What a gate adds to a request of one caller who can skip the review, where change requests are enabled and disabled. */
async function benchGate({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const server = await startServer('gate-server.js', { config: database.config })
    const send = async (way, ms = sampleMs) => {
      const request = requestBytes('POST', `/${way}`, {})
      return median((await load(server.port, { callers: 1, ms, next: () => request })).latencies)
    }
    try {
      for (const way of ways) await send(way, 1_000)
      const took = { none: [], enabled: [], disabled: [] }
      for (let round = 0; round < rounds; round += 1) for (const way of ways) took[way].push(await send(way))
      const added = (way) => took[way].map((ms, round) => ms - took.none[round])
      const report = (name, ours, rest) =>
        figure({ name, database: database.name, unit: 'ms', lower: true, ways: { ours }, ...rest })
      report('a request without a gate', took.none)
      report('added by a gate, enabled', added('enabled'))
      report('added by a gate, disabled', added('disabled'))
      const more = took.enabled.map((ms, round) => ms - took.disabled[round])
      report('a gate, enabled over disabled', more, { thresholds: [{ max: 0.05 }] })
    } finally {
      await server.stop()
      await database.close()
    }
  }
}

module.exports = { benchGate }
