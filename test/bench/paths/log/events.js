const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { download, load, requestBytes } = require('../../support/client')
const { figure } = require('../../support/figures')
const { fillEvents, project } = require('../../support/fill')

const few = { prefix: 'b1k_', rows: 1_000 }
const many = { prefix: 'b100k_', rows: 100_000 }
const callers = 10
const sampleMs = 400
/** The maximum number of rounds for the largest log, which takes seconds to read. */
const largestRounds = 3

/** Reading the event log: all events of a project, and the newest 100 of the instance. */
async function benchEvents({ databases, rounds, rows }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const largest = { prefix: 'blargest_', rows }
    const servers = []
    try {
      for (const { prefix, rows } of [few, many, largest]) await fillEvents(database, prefix, rows)
      const prefixes = [many, few, largest].map(({ prefix }) => prefix)
      for (const way of ['ours', 'naive', 'limit']) {
        servers.push(await startServer('log/events-server.js', { way, config: database.config, prefixes, project }))
      }
      const [ours, naive, limit] = servers
      await wholeProject({ database: name, rounds, ours, naive, limit, largest })
      await newest({ database: name, rounds, ours, naive, limit, largest })
    } finally {
      for (const server of servers) await server.stop()
      await database.close()
    }
  }
}

const wholePath = ({ prefix }) => `/${prefix}/events?project=${project}`

async function wholeProject({ database, rounds, ours, naive, limit, largest }) {
  const totals = { ours: [], limit: [], naive: [] }
  const perEvent = { ours: [], 'at 100k': [] }
  const watched = { rss: [], delay: [], firstByte: [], bytes: [], rssLargest: [], delayLargest: [] }
  await download(ours.port, `/${few.prefix}/events`)
  const atRest = await ours.ask('watch')
  await ours.ask('report')
  for (let round = 0; round < rounds; round += 1) {
    totals.limit.push((await download(limit.port, wholePath(many))).totalMs)
    totals.naive.push((await download(naive.port, wholePath(many))).totalMs)
    const read = await watch(ours, wholePath(many))
    totals.ours.push(read.totalMs)
    watched.bytes.push(read.bytes)
    watched.rss.push((read.peak - atRest) / 1e6)
    watched.delay.push(read.worstDelayMs)
    watched.firstByte.push(read.firstByteMs)
    if (round >= largestRounds) continue
    const larger = await watch(ours, wholePath(largest))
    watched.rssLargest.push((larger.peak - atRest) / 1e6)
    watched.delayLargest.push(larger.worstDelayMs)
    perEvent.ours.push((larger.totalMs / largest.rows) * 1_000)
    perEvent['at 100k'].push((read.totalMs / many.rows) * 1_000)
  }
  const all = `all ${many.rows} events`
  const report = (rest) => figure({ database, lower: true, ...rest })
  report({
    name: all,
    unit: 'ms',
    ways: totals,
    thresholds: [{ of: 'naive', min: 7 }],
    note: `${(watched.bytes[0] / 1e6).toFixed(0)} MB`,
  })
  report({ name: `${all}: memory grown`, unit: 'MB', ways: { ours: watched.rss }, thresholds: [{ max: 50 }] })
  report({ name: `${all}: worst loop delay`, unit: 'ms', ways: { ours: watched.delay }, thresholds: [{ max: 40 }] })
  report({ name: `${all}: first byte`, unit: 'ms', ways: { ours: watched.firstByte }, thresholds: [{ max: 20 }] })
  const larger = `all ${largest.rows} events`
  report({
    name: `${larger}: time per event`,
    unit: 'µs',
    ways: perEvent,
    thresholds: [{ of: 'at 100k', min: 1 / 1.3 }],
  })
  report({ name: `${larger}: memory grown`, unit: 'MB', ways: { ours: watched.rssLargest }, thresholds: [{ max: 50 }] })
  report({
    name: `${larger}: worst loop delay`,
    unit: 'ms',
    ways: { ours: watched.delayLargest },
    thresholds: [{ max: 40 }],
  })
}

async function watch(server, path) {
  await server.ask('watch')
  const read = await download(server.port, path)
  return { ...read, ...(await server.ask('report')) }
}

async function newest({ database, rounds, ours, naive, limit, largest }) {
  const perSecond = {}
  const measure = async (name, port, path, headers = {}, expected = 200) => {
    const request = requestBytes('GET', path, headers)
    const { perSecond: rate } = await load(port, { callers, ms: sampleMs, next: () => request, expected })
    perSecond[name] ??= []
    perSecond[name].push(rate)
  }
  const appending = async (name, { prefix }) => {
    await ours.ask('append', { prefix, everyMs: 10 })
    await measure(name, ours.port, `/${prefix}/events`)
    await ours.ask('appendNoMore')
  }
  for (let round = 0; round <= rounds; round += 1) {
    await measure('constant', limit.port, `/${many.prefix}/events`)
    await measure('naive', naive.port, `/${few.prefix}/events`)
    for (const { prefix, rows } of [few, largest]) {
      await measure(`cold ${rows}`, ours.port, `/cold/${prefix}/events`)
      await measure(`cached ${rows}`, ours.port, `/${prefix}/events`)
      await appending(`appending ${rows}`, { prefix, rows })
    }
    await measure('same', ours.port, `/${few.prefix}/events`, { 'If-None-Match': '*' }, 304)
    await measure(`naive ${largest.rows}`, naive.port, `/${largest.prefix}/events`)
    // The first round is a warm-up.
    if (round === 0) for (const samples of Object.values(perSecond)) samples.length = 0
  }
  reportNewest(database, perSecond, largest)
}

function reportNewest(database, perSecond, largest) {
  const { constant, naive } = perSecond
  const report = (name, ways, thresholds) =>
    figure({ database, name: `newest 100: ${name}`, unit: '1/s', ways, thresholds })
  const of = (what, { rows }) => perSecond[`${what} ${rows}`]
  report('nothing cached', { ours: of('cold', few), constant, naive }, [{ of: 'constant', min: 0.25 }])
  report('an event every 10 ms', { ours: of('appending', few), constant, naive }, [])
  report('nothing new', { ours: of('cached', few), constant, naive }, [{ of: 'constant', min: 0.6 }])
  report('nothing new, 304', { ours: perSecond.same, constant }, [{ of: 'constant', min: 0.6 }])
  for (const what of ['cold', 'appending', 'cached']) {
    report(
      `${what}, of ${largest.rows}`,
      {
        ours: of(what, largest),
        'of 1000': of(what, few),
        ...(what === 'cold' ? { naive: of('naive', largest) } : {}),
      },
      what === 'appending' ? [] : [{ of: 'of 1000', min: 1 / 1.2 }],
    )
  }
}

module.exports = { benchEvents }
