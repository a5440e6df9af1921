const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { load } = require('../../support/client')
const { figure, progress, quantile } = require('../../support/figures')
const { fillEvents } = require('../../support/fill')
const { proposals } = require('../../support/posts')

const log = { prefix: 'chain_', rows: 100_000 }
const live = { prefix: 'live_', rows: 1_000 }
const callers = 10
const sampleMs = 2_500
const everyMs = 1_000

/** The cost of sealing and verifying the log, and of proposals while the log is sealed. */
async function benchChain({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = []
    try {
      for (const { prefix, rows } of [log, live]) await fillEvents(database, prefix, rows)
      const prefixes = [log.prefix, live.prefix]
      const server = await startServer('log/chain-server.js', { config: database.config, prefixes })
      servers.push(server)
      await benchSeal({ database: name, rounds, server })
      await benchPosts({ database: name, rounds, server })
    } finally {
      for (const server of servers) await server.stop()
      await database.close()
    }
  }
}

async function benchSeal({ database, rounds, server }) {
  const seal = { ours: [], 'read alone': [] }
  const verify = { ours: [], 'read alone': [] }
  const watched = { delay: [], grown: [] }
  for (let round = 0; round < rounds; round += 1) {
    const run = await server.watched(() => server.ask('sealAndVerify', log.prefix))
    if (run.events !== log.rows) throw new Error(`${run.events} events were sealed.`)
    const readMs = await server.ask('read', log.prefix)
    const perSecond = (ms) => (log.rows / ms) * 1_000
    seal.ours.push(perSecond(run.sealMs))
    verify.ours.push(perSecond(run.verifyMs))
    for (const ways of [seal, verify]) ways['read alone'].push(perSecond(readMs))
    watched.delay.push(run.worstDelayMs)
    watched.grown.push((run.peak - run.before) / 1e6)
  }
  const name = `${log.rows} events`
  figure({ database, name: `seal ${name}`, unit: '1/s', ways: seal })
  figure({ database, name: `verify ${name}`, unit: '1/s', ways: verify })
  const report = (what, unit, ours, max) =>
    figure({
      database,
      name: `seal and verify ${name}: ${what}`,
      unit,
      lower: true,
      ways: { ours },
      thresholds: [{ max }],
    })
  report('worst loop delay', 'ms', watched.delay, 40)
  report('memory grown', 'MB', watched.grown, 50)
  progress(`${database}: sealing and verifying measured`)
}

async function benchPosts({ database, rounds, server }) {
  const perSecond = { ours: [], 'nobody seals': [] }
  const p99 = { ours: [], 'nobody seals': [] }
  const post = async (way, ms) => {
    const { next } = proposals(live.prefix)
    const run = await load(server.port, { callers, ms, next })
    perSecond[way]?.push(run.perSecond)
    p99[way]?.push(quantile(run.latencies, 0.99))
  }
  await post('warm', 500)
  for (let round = 0; round < rounds; round += 1) {
    await post('nobody seals', sampleMs)
    await server.ask('sealEvery', { prefix: live.prefix, everyMs })
    await post('ours', sampleMs)
    await server.ask('sealNoMore')
  }
  const name = `POST, sealing every ${everyMs} ms, callers: ${callers}`
  figure({ database, name, unit: '1/s', ways: perSecond })
  figure({ database, name: `${name}, p99`, unit: 'ms', lower: true, ways: p99 })
  progress(`${database}: concurrent POSTs measured`)
}

module.exports = { benchChain }
