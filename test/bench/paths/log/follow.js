const { setTimeout } = require('node:timers/promises')
const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { figure, progress, quantile } = require('../../support/figures')
const { fillEvents } = require('../../support/fill')
const { openFollowers } = require('../../support/followers')
const { benchCatchUp, benchPosts } = require('../../support/follow-impact')

const followerCounts = [1, 50, 500]
/** The poll interval of ours and of the naive way. */
const pollMs = 250
const eventsARound = 25
const everyMs = 30
/** How long an event may take to reach all followers. */
const timeoutMs = 20_000
const idleMs = 600

/** Following the log: latency, cost, and the speed of catching up. */
async function benchFollow({ databases, rounds, rows }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const log = { prefix: 'flog_', rows }
    const servers = []
    const start = async (script, value) => {
      servers.push(await startServer(script, value))
      return servers.at(-1)
    }
    const startFollowed = (way, prefixes, notify = false) =>
      start('log/follow-server.js', { way, config: database.config, prefixes, pollMs, notify })
    try {
      await fillEvents(database, live, 1_000)
      await fillEvents(database, log.prefix, rows)
      const own = await startFollowed('ours', [live, log.prefix])
      const writer = await startFollowed('ours', [live])
      const naive = await startFollowed('naive', [live])
      const limit = await startFollowed('limit', [live])
      const polling = await startFollowed('ours', [live])
      const ways = {
        ours: { followed: own, writer: own },
        'other process, poll': { followed: polling, writer },
        ...(name === 'postgres' && {
          'other process, notify': {
            followed: await startFollowed('ours', [live], true),
            writer: await startFollowed('ours', [live], true),
          },
        }),
        naive: { followed: naive, writer },
        limit: { followed: limit, writer: limit },
      }
      for (const count of followerCounts) await benchLatency({ database: name, rounds, ways, count })
      reportCost(name)
      await benchPosts({ database: name, rounds, server: own, prefix: live })
      await benchCatchUp({ database: name, rounds, server: own, reader: await start('reader.js', {}), log })
    } finally {
      for (const server of servers) await server.stop()
      await database.close()
    }
  }
}

const live = 'flive_'

let appended = 0
/** The measurements of each way by number of followers. */
let costs = {}

async function benchLatency({ database, rounds, ways, count }) {
  const p50 = {}
  const p99 = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const [way, servers] of Object.entries(ways)) {
      const { latencies, cost } = await followOnce(servers, count)
      push(p50, way, quantile(latencies, 0.5))
      push(p99, way, quantile(latencies, 0.99))
      for (const [what, value] of Object.entries(cost)) push(costs, `${way} ${count} ${what}`, value)
    }
  }
  const report = (what, samples) =>
    figure({
      database,
      name: `commit to follower, followers: ${count}, ${what}`,
      unit: 'ms',
      lower: true,
      ways: samples,
      note: `ours: written in the same process; polls every ${pollMs} ms`,
    })
  report('p50', p50)
  report('p99', p99)
  progress(`${database}: ${count} followers measured`)
}

function push(samples, name, value) {
  samples[name] ??= []
  samples[name].push(value)
}

/** Writes some events and measures their latency for each follower; then waits without events. */
async function followOnce({ followed, writer }, count, prefix = live) {
  const first = appended + 1
  appended += eventsARound
  const arrivals = Array.from({ length: eventsARound }, () => [])
  const closeAll = await openFollowers(followed.port, `/${prefix}/events`, count, (marker, at) => {
    // An event of the previous way may still arrive.
    if (marker >= first) arrivals[marker - first].push(at)
  })
  try {
    await followed.ask('measure')
    const committed = await writer.ask('append', { first, count: eventsARound, everyMs })
    const written = await followed.ask('measured')
    await allArrived(arrivals, count)
    await followed.ask('measure')
    await setTimeout(idleMs)
    const idle = await followed.ask('measured')
    const latencies = arrivals.flatMap((times, index) => times.map((at) => at - committed[index]))
    return { latencies, cost: { statements: written.statements, cpu: written.cpuMs, idle: idle.statements } }
  } finally {
    closeAll()
  }
}

async function allArrived(arrivals, count) {
  const end = performance.now() + timeoutMs
  while (arrivals.some((times) => times.length < count)) {
    if (performance.now() > end) throw new Error('Some followers did not get all events.')
    await setTimeout(5)
  }
  if (arrivals.some((times) => times.length > count)) throw new Error('Some followers got an event twice.')
}

/** The cost of followers must not depend on their number. */
function reportCost(database) {
  const [one, , largest] = followerCounts
  const of = (way, count, what) => costs[`${way} ${count} ${what}`]
  const thresholds = [{ of: 'with 1', min: 1 / 1.5 }]
  const statements = (name, way, what) =>
    figure({
      database,
      name: `statements of ${largest} followers, ${name}`,
      unit: '1/s',
      lower: true,
      ways: { ours: of(way, largest, what), 'with 1': of(way, one, what), naive: of('naive', largest, what) },
      thresholds,
    })
  statements('nothing written', 'ours', 'idle')
  statements(`an event every ${everyMs} ms`, 'other process, poll', 'statements')
  statements(`an event every ${everyMs} ms of the same process, writes among them`, 'ours', 'statements')
  for (const count of followerCounts) {
    const ways = { ours: 'ours', poll: 'other process, poll', naive: 'naive', limit: 'limit' }
    figure({
      database,
      name: `CPU of ${count} followers, an event every ${everyMs} ms`,
      unit: 'ms/s',
      lower: true,
      ways: Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, of(way, count, 'cpu')])),
    })
  }
  costs = {}
}

module.exports = { benchFollow, followOnce, pollMs }
