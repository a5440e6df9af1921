const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { download, load, requestBytes } = require('../../support/client')
const { figure } = require('../../support/figures')
const { fillEvents, project } = require('../../support/fill')

const few = { prefix: 'b1k_', rows: 1_000 }
const many = { prefix: 'b100k_', rows: 100_000 }
const callers = 10
const sampleMs = 400
/** Reading the largest log takes seconds: so many rounds of it are enough. */
const largestRounds = 3

/** Reading the event log: all events of a project, and the newest 100 of the instance. */
async function benchEvents({ databases, rounds, rows }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const most = { prefix: 'bmost_', rows }
    const servers = []
    try {
      for (const { prefix, rows } of [few, many, most]) await fillEvents(database, prefix, rows)
      const prefixes = [many, few, most].map(({ prefix }) => prefix)
      for (const way of ['ours', 'naive', 'limit']) {
        servers.push(await startServer('log/events-server.js', { way, config: database.config, prefixes, project }))
      }
      const [ours, naive, limit] = servers
      await wholeProject({ database: name, rounds, ours, naive, limit, most })
      await newest({ database: name, rounds, ours, naive, limit, most })
    } finally {
      for (const server of servers) await server.stop()
      await database.close()
    }
  }
}

const wholePath = ({ prefix }) => `/${prefix}/events?project=${project}`

async function wholeProject({ database, rounds, ours, naive, limit, most }) {
  const totals = { ours: [], limit: [], naive: [] }
  const perEvent = { ours: [], 'at 100k': [] }
  const watched = { rss: [], delay: [], firstByte: [], bytes: [], rssMost: [], delayMost: [] }
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
    const larger = await watch(ours, wholePath(most))
    watched.rssMost.push((larger.peak - atRest) / 1e6)
    watched.delayMost.push(larger.worstDelayMs)
    perEvent.ours.push((larger.totalMs / most.rows) * 1_000)
    perEvent['at 100k'].push((read.totalMs / many.rows) * 1_000)
  }
  const all = `all ${many.rows} events`
  const tell = (rest) => figure({ database, lower: true, ...rest })
  tell({
    name: all,
    unit: 'ms',
    ways: totals,
    bars: [{ of: 'naive', least: 7 }],
    note: `${(watched.bytes[0] / 1e6).toFixed(0)} MB`,
  })
  tell({ name: `${all}: memory grown`, unit: 'MB', ways: { ours: watched.rss }, bars: [{ most: 50 }] })
  tell({ name: `${all}: worst loop delay`, unit: 'ms', ways: { ours: watched.delay }, bars: [{ most: 40 }] })
  tell({ name: `${all}: first byte`, unit: 'ms', ways: { ours: watched.firstByte }, bars: [{ most: 20 }] })
  const larger = `all ${most.rows} events`
  tell({
    name: `${larger}: time per event`,
    unit: 'µs',
    ways: perEvent,
    bars: [{ of: 'at 100k', least: 1 / 1.3 }],
  })
  tell({ name: `${larger}: memory grown`, unit: 'MB', ways: { ours: watched.rssMost }, bars: [{ most: 50 }] })
  tell({ name: `${larger}: worst loop delay`, unit: 'ms', ways: { ours: watched.delayMost }, bars: [{ most: 40 }] })
}

async function watch(server, path) {
  await server.ask('watch')
  const read = await download(server.port, path)
  return { ...read, ...(await server.ask('report')) }
}

async function newest({ database, rounds, ours, naive, limit, most }) {
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
    for (const { prefix, rows } of [few, most]) {
      await measure(`cold ${rows}`, ours.port, `/cold/${prefix}/events`)
      await measure(`kept ${rows}`, ours.port, `/${prefix}/events`)
      await appending(`appending ${rows}`, { prefix, rows })
    }
    await measure('same', ours.port, `/${few.prefix}/events`, { 'If-None-Match': '*' }, 304)
    await measure(`naive ${most.rows}`, naive.port, `/${most.prefix}/events`)
    // The first round warms up all of them.
    if (round === 0) for (const samples of Object.values(perSecond)) samples.length = 0
  }
  tellNewest(database, perSecond, most)
}

function tellNewest(database, perSecond, most) {
  const { constant, naive } = perSecond
  const tell = (name, ways, bars) => figure({ database, name: `newest 100: ${name}`, unit: '1/s', ways, bars })
  const of = (what, { rows }) => perSecond[`${what} ${rows}`]
  tell('nothing kept', { ours: of('cold', few), constant, naive }, [{ of: 'constant', least: 0.25 }])
  tell('an event every 10 ms', { ours: of('appending', few), constant, naive }, [])
  tell('nothing new', { ours: of('kept', few), constant, naive }, [{ of: 'constant', least: 0.6 }])
  tell('nothing new, 304', { ours: perSecond.same, constant }, [{ of: 'constant', least: 0.6 }])
  for (const what of ['cold', 'appending', 'kept']) {
    tell(
      `${what}, of ${most.rows}`,
      { ours: of(what, most), 'of 1000': of(what, few), ...(what === 'cold' ? { naive: of('naive', most) } : {}) },
      what === 'appending' ? [] : [{ of: 'of 1000', least: 1 / 1.2 }],
    )
  }
}

module.exports = { benchEvents }
