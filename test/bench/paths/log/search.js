const { openDatabase } = require('../../support/databases')
const { startServer } = require('../../support/child')
const { download, load, requestBytes } = require('../../support/client')
const { figure, median, progress, quantile } = require('../../support/figures')
const { fillEvents, fillSubjects, searchDraft, texts } = require('../../support/fill')

const few = { prefix: 's10k_', rows: 10_000 }
const sampleMs = 120
/** A slower search is not repeated. */
const slowMs = 400

/** Finding events: ours, the naive way and the limit, one caller. */
async function benchSearch({ databases, rounds, rows }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const logs = [few, { prefix: 'smost_', rows }]
    const servers = []
    try {
      for (const { prefix, rows } of logs) {
        await fillEvents(database, prefix, rows, searchDraft)
        await fillSubjects(database, prefix)
      }
      const prefixes = logs.map(({ prefix }) => prefix)
      for (const way of ['ours', 'naive']) {
        servers.push(await startServer('log/search-server.js', { way, config: database.config, prefixes }))
      }
      servers.push(await startServer('constant-server.js', {}))
      const [ours, naive, limit] = servers
      for (const log of logs) await benchLog({ database: name, rounds, ours, naive, limit, log })
    } finally {
      for (const server of servers) await server.stop()
      await database.close()
    }
  }
}

const day = (second) => new Date(1_700_000_000_000 + second * 1_000).toISOString().slice(0, 10)

function questions({ rows }) {
  const middle = Math.floor(rows / 2)
  const find = (query) => `/search/events?${new URLSearchParams(query)}`
  const days = { from: `IS:${day(middle)}`, to: `IS:${day(middle + 86_400)}` }
  const parts = {
    project: { project: 'IS:shop' },
    type: { type: 'IS:feature-updated' },
    flag: { feature: 'IS:checkout-7' },
    creator: { createdBy: 'IS:7' },
    days,
    environment: { environment: 'IS:production' },
  }
  const names = Object.keys(parts)
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]))
  const filters = [...names.map((name) => [name]), ...pairs].flatMap((some) => {
    const query = Object.assign({}, ...some.map((name) => parts[name]))
    const name = `by ${some.join(' and ')}`
    return [
      { name, path: find(query), filter: true },
      { name: `${name}, middle`, path: find({ ...query, before: middle }), naivePath: find(query), filter: true },
    ]
  })
  return [
    { name: 'newest', path: find({}) },
    ...filters,
    { name: 'the middle by cursor', path: find({ before: middle }), naivePath: find({ offset: middle }) },
    { name: 'the middle by offset', path: find({ offset: middle }) },
    { name: 'a rare text', path: find({ query: texts.rare }), text: true },
    { name: 'a common text', path: find({ query: texts.common }), text: true },
    { name: 'a text that is nowhere', path: find({ query: texts.absent }), text: true },
    { name: 'log of a flag', path: '/events/checkout-7', streamed: true },
    { name: 'event creators', path: '/event-creators' },
  ]
}

async function benchLog({ database, rounds, ours, naive, limit, log }) {
  const { prefix, rows } = log
  const watched = { grown: [], delay: [] }
  for (const question of questions(log)) {
    const path = `/${prefix}${question.path}`
    const naivePath = `/${prefix}${question.naivePath ?? question.path}`
    const { bytes, status } = await download(ours.port, path)
    if (status !== 200) throw new Error(`${path} answered ${status}.`)
    const samples = { ours: [], limit: [], naive: [] }
    for (let round = 0; round < rounds; round += 1) {
      samples.limit.push(await sample(limit, `/?bytes=${bytes}`, question))
      samples.naive.push(await sampleOnceIfSlow(naive, naivePath, question, samples.naive[0]))
      samples.ours.push(await ours.watched(() => sample(ours, path, question)))
    }
    watched.delay.push(Math.max(...samples.ours.map(({ worstDelayMs }) => worstDelayMs)))
    watched.grown.push(Math.max(...samples.ours.map(({ peak, before }) => (peak - before) / 1e6)))
    report({ database, name: `search ${rows}: ${question.name}`, samples, question, bytes })
  }
  const worst = (name, unit, values, threshold) =>
    figure({
      database,
      name: `search ${rows}: ${name}`,
      unit,
      lower: true,
      ways: { ours: [Math.max(...values)] },
      thresholds: [threshold],
    })
  worst('worst loop delay of all', 'ms', watched.delay, { max: 40 })
  worst('most memory grown of all', 'MB', watched.grown, { max: 50 })
  progress(`${database}: search of ${rows} measured`)
}

/** Free text has an absolute threshold, for a log of any size. */
const textMs = 250

function report({ database, name, samples, question, bytes }) {
  const of = (what) =>
    Object.fromEntries(Object.entries(samples).map(([way, all]) => [way, all.map((one) => one[what])]))
  const delay = median(samples.ours.map(({ worstDelayMs }) => worstDelayMs))
  const grown = median(samples.ours.map(({ peak, before }) => peak - before)) / 1e6
  const note = `${bytes} bytes; worst loop delay ${delay.toFixed(1)} ms; memory grown ${grown.toFixed(1)} MB`
  figure({ database, name: `${name}, p50`, unit: 'ms', lower: true, ways: of('p50'), note })
  const thresholds = question.text === true ? [{ max: textMs }] : []
  figure({ database, name: `${name}, p95`, unit: 'ms', lower: true, ways: of('p95'), thresholds })
}

async function sampleOnceIfSlow(server, path, question, known) {
  return known !== undefined && known.p50 > slowMs ? known : sample(server, path, question)
}

async function sample({ port }, path, { streamed }) {
  const latencies = streamed === true ? await downloads(port, path) : await asks(port, path)
  return { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) }
}

async function asks(port, path) {
  const request = requestBytes('GET', path, {})
  return (await load(port, { callers: 1, ms: sampleMs, next: () => request })).latencies
}

async function downloads(port, path) {
  const latencies = []
  const start = performance.now()
  while (performance.now() - start < sampleMs) latencies.push((await download(port, path)).totalMs)
  return latencies
}

module.exports = { benchSearch, questions, sample }
