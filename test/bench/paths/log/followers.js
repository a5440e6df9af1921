const { setTimeout } = require('node:timers/promises')
const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { figure, progress } = require('../../support/figures')
const { fillEvents } = require('../../support/fill')
const { openFollowers } = require('../../support/followers')

const count = 5_000
const prefix = 'many_'
const timeoutMs = 20_000
const pauseMs = 100

/** Many followers of one process, next to as many open responses of a bare `node:http`. */
async function benchFollowers({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const opened = []
    try {
      await fillEvents(database, prefix, 1_000)
      for (const way of ['ours', 'bare']) {
        opened.push(await openWay(way, { config: database.config, prefix }))
        progress(`${name}: ${count} followers of ${way}`)
      }
      const last = {}
      const first = {}
      const delay = {}
      for (let round = 0; round <= rounds; round += 1) {
        for (const { way, announce } of opened) {
          const { firstMs, lastMs, worstDelayMs } = await announce(round + 1)
          // The first round is a warm-up.
          if (round === 0) continue
          push(last, way, lastMs)
          push(first, way, firstMs)
          push(delay, way, worstDelayMs)
        }
      }
      const shared = { database: name, unit: 'ms', lower: true }
      const figureName = (what) => `an event to ${count} followers: ${what}`
      figure({ ...shared, name: figureName('last'), ways: last, thresholds: [{ of: 'bare', min: 1 / 1.3 }] })
      figure({ ...shared, name: figureName('first'), ways: first })
      figure({ ...shared, name: figureName('worst loop delay'), ways: delay, thresholds: [{ max: 10 }] })
      const memory = Object.fromEntries(opened.map(({ way, kilobytes }) => [way, [kilobytes]]))
      figure({ ...shared, name: 'memory per follower', unit: 'kB', ways: memory, thresholds: [{ max: 15 }] })
    } finally {
      for (const { close } of opened) await close()
      await database.close()
    }
  }
}

/** Opens all followers of a server. `announce` writes an event, and resolves when all of them have it. */
async function openWay(way, config) {
  const server = await startServer('log/followers-server.js', { way, ...config })
  let arrivals = []
  let expected = 0
  const path = `/${config.prefix}/events`
  const seen = (marker, at) => marker === expected && arrivals.push(at)
  await (await openFollowers(server.port, path, 100, () => {}))()
  await setTimeout(pauseMs)
  const before = await server.ask('memory')
  const closeAll = await openFollowers(server.port, path, count, seen)
  await setTimeout(pauseMs)
  const after = await server.ask('memory')
  return {
    way,
    kilobytes: (after.used - before.used) / count / 1_000,
    async announce(marker) {
      arrivals = []
      expected = marker
      await setTimeout(pauseMs)
      await server.ask('watch')
      const committed = await server.ask('append', marker)
      const end = performance.now() + timeoutMs
      while (arrivals.length < count) {
        if (performance.now() > end) throw new Error(`Only ${arrivals.length} followers of ${way} got the event.`)
        await setTimeout(1)
      }
      const { worstDelayMs } = await server.ask('report')
      return { firstMs: arrivals[0] - committed, lastMs: Math.max(...arrivals) - committed, worstDelayMs }
    },
    async close() {
      closeAll()
      await server.stop()
    },
  }
}

function push(samples, name, value) {
  samples[name] ??= []
  samples[name].push(value)
}

module.exports = { benchFollowers }
