const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { download } = require('../../support/client')
const { figure, progress } = require('../../support/figures')
const { fillEvents, project } = require('../../support/fill')
const { postBeside, postFor } = require('../../support/posts')

const many = { prefix: 'b100k_', rows: 100_000 }
/** Reading the largest log takes seconds, and writing CSV some more: so many rounds are enough. */
const mostRounds = { NDJSON: { many: 5, most: 2 }, CSV: { many: 2, most: 1 }, beside: 1 }
const quietMs = 2_500

const json = { Accept: 'application/json' }
const formats = { NDJSON: { Accept: 'application/x-ndjson' }, CSV: { Accept: 'text/csv' } }

/** A whole project as a file, and what those who propose changes feel of it. */
async function benchExport({ databases, rounds, rows }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const most = { prefix: 'bmost_', rows }
    const servers = []
    const start = async (script, value) => {
      servers.push(await startServer(script, value))
      return servers.at(-1)
    }
    try {
      for (const { prefix, rows } of [many, most]) await fillEvents(database, prefix, rows)
      const prefixes = [many, most].map(({ prefix }) => prefix)
      const ours = await start('export-server.js', { way: 'ours', config: database.config, prefixes })
      const naive = await start('export-server.js', { way: 'naive', config: database.config, prefixes })
      const limit = await start('constant-server.js', {})
      const reader = await start('reader.js', {})
      await download(ours.port, `/${many.prefix}/events`)
      const atRest = await ours.ask('watch')
      await ours.ask('report')
      const shared = { database: name, rounds, atRest, ours, naive, limit, reader }
      for (const format of Object.keys(formats)) {
        const enough = mostRounds[format]
        await benchFormat({ ...shared, format, log: many, rounds: Math.min(rounds, enough.many) })
        await benchFormat({ ...shared, format, log: most, naive: undefined, rounds: Math.min(rounds, enough.most) })
      }
      // What the exports have grown the process by is no part of what comes now.
      const fresh = await start('export-server.js', { way: 'ours', config: database.config, prefixes })
      await benchBeside({ ...shared, ours: fresh, log: most, rounds: Math.min(rounds, mostRounds.beside) })
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
  const tell = (what, unit, ways, bars) =>
    figure({ database, name: `${log.rows} events as ${format}${what}`, unit, lower: true, ways, bars })
  const besideNaive = (values, others) => (naive === undefined ? { ours: values } : { ours: values, naive: others })
  tell('', 'ms', times, naive === undefined || format === 'CSV' ? [] : [{ of: 'naive', least: 5 }])
  tell(': first byte', 'ms', firstByte, [{ most: 20 }])
  tell(': memory grown', 'MB', besideNaive(watched.grown, watched.naiveGrown), [{ most: 50 }])
  tell(': worst loop delay', 'ms', besideNaive(watched.delay, watched.naiveDelay), [{ most: 40 }])
  progress(`${database}: ${format} of ${log.rows} measured`)
}

async function whole(port, path, headers) {
  const read = await download(port, path, headers)
  if (read.status !== 200) throw new Error(`${path} answered ${read.status}.`)
  return read
}

/** Another process reads, exports or follows the whole log, while changes are proposed to the same server. */
async function benchBeside({ database, rounds, ours, reader, log }) {
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
      const { posts, peak } = await ours.watched(() => postBeside(port, log.prefix, work))
      p99[name] ??= { ours: [], quiet: [] }
      p99[name].ours.push(posts.p99)
      p99[name].quiet.push(quiet.p99)
      grown.push((peak - atRest) / 1e6)
    }
  }
  for (const [name, ways] of Object.entries(p99)) {
    const bars = [{ of: 'quiet', least: 0.5 }]
    figure({ database, name: `POST while ${log.rows} events are ${name}, p99`, unit: 'ms', lower: true, ways, bars })
  }
  const name = `${log.rows} events read, exported, followed beside POSTs: memory grown`
  figure({ database, name, unit: 'MB', lower: true, ways: { ours: grown }, bars: [{ most: 50 }] })
  progress(`${database}: POSTs beside it measured`)
}

module.exports = { benchExport, formats, pathOf, whole }
