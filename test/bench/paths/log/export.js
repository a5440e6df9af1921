const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { download } = require('../../support/client')
const { figure, progress } = require('../../support/figures')
const { fillEvents, project } = require('../../support/fill')
const { postDuring, postFor } = require('../../support/posts')

const many = { prefix: 'b100k_', rows: 100_000 }
/** The maximum numbers of rounds: the largest log takes seconds to read, and more as CSV. */
const maxRounds = { NDJSON: { many: 5, largest: 2 }, CSV: { many: 2, largest: 1 }, concurrent: 1 }
const quietMs = 2_500

const json = { Accept: 'application/json' }
const formats = { NDJSON: { Accept: 'application/x-ndjson' }, CSV: { Accept: 'text/csv' } }

/** The export of a whole project, and its effect on concurrent proposals. */
async function benchExport({ databases, rounds, rows }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const largest = { prefix: 'blargest_', rows }
    const servers = []
    const start = async (script, value) => {
      servers.push(await startServer(script, value))
      return servers.at(-1)
    }
    try {
      for (const { prefix, rows } of [many, largest]) await fillEvents(database, prefix, rows)
      const prefixes = [many, largest].map(({ prefix }) => prefix)
      const ours = await start('log/export-server.js', { way: 'ours', config: database.config, prefixes })
      const naive = await start('log/export-server.js', { way: 'naive', config: database.config, prefixes })
      const limit = await start('constant-server.js', {})
      const reader = await start('reader.js', {})
      await download(ours.port, `/${many.prefix}/events`)
      const atRest = await ours.ask('watch')
      await ours.ask('report')
      const shared = { database: name, rounds, atRest, ours, naive, limit, reader }
      for (const format of Object.keys(formats)) {
        const enough = maxRounds[format]
        await benchFormat({ ...shared, format, log: many, rounds: Math.min(rounds, enough.many) })
        await benchFormat({
          ...shared,
          format,
          log: largest,
          naive: undefined,
          rounds: Math.min(rounds, enough.largest),
        })
      }
      // A new server, because the exports have grown the memory of the old one.
      const fresh = await start('log/export-server.js', { way: 'ours', config: database.config, prefixes })
      await benchConcurrent({ ...shared, ours: fresh, log: largest, rounds: Math.min(rounds, maxRounds.concurrent) })
    } finally {
      for (const server of servers) await server.stop()
      await database.close()
    }
  }
}

const pathOf = ({ prefix }) => `/${prefix}/events?project=${project}`

async function benchFormat({ database, rounds, atRest, ours, naive, limit, format, log }) {
  const headers = formats[format]
  const path = pathOf(log)
  const times = { ours: [], ...(format === 'NDJSON' && { 'JSON list': [] }), limit: [], ...(naive && { naive: [] }) }
  const firstByte = { ours: [], ...(naive && { naive: [] }) }
  const watched = { grown: [], delay: [], naiveGrown: [], naiveDelay: [] }
  for (let round = 0; round < rounds; round += 1) {
    const read = await ours.watched(() => whole(ours.port, path, headers))
    times.ours.push(read.totalMs)
    firstByte.ours.push(read.firstByteMs)
    watched.grown.push((read.peak - atRest) / 1e6)
    watched.delay.push(read.worstDelayMs)
    if (format === 'NDJSON') times['JSON list'].push((await whole(ours.port, path, json)).totalMs)
    times.limit.push((await whole(limit.port, `/?bytes=${read.bytes}`)).totalMs)
    if (naive === undefined) continue
    const other = await naive.watched(() => whole(naive.port, path, headers))
    times.naive.push(other.totalMs)
    firstByte.naive.push(other.firstByteMs)
    watched.naiveGrown.push((other.peak - other.before) / 1e6)
    watched.naiveDelay.push(other.worstDelayMs)
  }
  const report = (what, unit, ways, thresholds) =>
    figure({ database, name: `${log.rows} events as ${format}${what}`, unit, lower: true, ways, thresholds })
  const withNaive = (values, others) => (naive === undefined ? { ours: values } : { ours: values, naive: others })
  report('', 'ms', times, naive === undefined || format === 'CSV' ? [] : [{ of: 'naive', min: 5 }])
  report(': first byte', 'ms', firstByte, [{ max: 20 }])
  report(': memory grown', 'MB', withNaive(watched.grown, watched.naiveGrown), [{ max: 50 }])
  report(': worst loop delay', 'ms', withNaive(watched.delay, watched.naiveDelay), [{ max: 40 }])
  progress(`${database}: ${format} of ${log.rows} measured`)
}

async function whole(port, path, headers) {
  const read = await download(port, path, headers)
  if (read.status !== 200) throw new Error(`${path} answered ${read.status}.`)
  return read
}

/** Another process reads, exports or follows the whole log while changes are proposed to the same server. */
async function benchConcurrent({ database, rounds, ours, reader, log }) {
  const { port } = ours
  const path = pathOf(log)
  const works = {
    read: () => reader.ask('download', { port, path, headers: json }),
    exported: () => reader.ask('download', { port, path, headers: formats.NDJSON }),
    followed: () => reader.ask('catchUp', { port, path, lastId: log.rows }),
  }
  const p99 = {}
  const grown = []
  const { peak: atRest } = await ours.watched(() => postFor(port, log.prefix, 1_000))
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await postFor(port, log.prefix, quietMs)
    for (const [name, work] of Object.entries(works)) {
      const { posts, peak } = await ours.watched(() => postDuring(port, log.prefix, work))
      p99[name] ??= { ours: [], quiet: [] }
      p99[name].ours.push(posts.p99)
      p99[name].quiet.push(quiet.p99)
      grown.push((peak - atRest) / 1e6)
    }
  }
  for (const [name, ways] of Object.entries(p99)) {
    const thresholds = [{ of: 'quiet', min: 0.5 }]
    figure({
      database,
      name: `POST while ${log.rows} events are ${name}, p99`,
      unit: 'ms',
      lower: true,
      ways,
      thresholds,
    })
  }
  const name = `${log.rows} events read, exported, followed during POSTs: memory grown`
  figure({ database, name, unit: 'MB', lower: true, ways: { ours: grown }, thresholds: [{ max: 50 }] })
  progress(`${database}: concurrent POSTs measured`)
}

module.exports = { benchExport, formats, pathOf, whole }
