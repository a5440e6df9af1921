const { join } = require('node:path')
const { caller, project } = require('../data/listed')
const { startServer } = require('../support/child')
const { load, requestBytes } = require('../support/client')
const { openDatabase } = require('../support/databases')
const { figure, progress, quantile } = require('../support/figures')

const build = join(__dirname, '../../../dist')
const sampleMs = 400
const largest = 100_000
const actionable = 5_000
const scheduled = 10_000
const inProject = `/api/admin/projects/${project}`
const search = '/api/admin/search/change-requests'
const send = (method, path, body) =>
  requestBytes(method, path, { Authorization: `${caller}`, ...(body && { 'Content-Type': 'application/json' }) }, body)

const lists = [
  ['actionable, 5,000 open', `${inProject}/change-requests/actionable`, { max: 3 }],
  ['search', search, { max: 10 }],
  ['search, open', `${search}?state=IS%3Aopen`, { max: 10 }],
  ['search, closed, middle', `${search}?state=IS%3Aclosed&offset=5000`, { max: 10 }],
  ['search, an author', `${search}?createdBy=IS%3A5`, { max: 10 }],
]

/** Counts and lists of many change requests, and one change request while many others are scheduled. */
async function benchLists({ databases, rounds, rows }) {
  const count = Math.min(rows, largest)
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = {}
    const start = async (way, options) => {
      servers[way] = await startServer('lists-server.js', {
        build,
        config: database.config,
        prefix: `${way}_`,
        ...options,
      })
      return servers[way]
    }
    try {
      // BENCH_BEFORE=<folder>: the dist of another build.
      const before = process.env.BENCH_BEFORE && { build: process.env.BENCH_BEFORE }
      await start('ours', {})
      await start('summaries', { summaries: true, prefix: 'ours_' })
      if (before) await start('before', before)
      for (const way of before ? ['ours', 'before'] : ['ours']) {
        await servers[way].ask('fill', { kind: 'listed', count, actionable })
        progress(`${name}: ${count} change requests, ${way}`)
      }
      for (const [what, path, threshold] of lists) {
        const ways = Object.keys(servers).filter((way) => way !== 'summaries' || what.startsWith('actionable'))
        const request = () => send('GET', path)
        await measure(name, rounds, { what: `${what}, p50`, ways, request, servers, thresholds: [threshold] })
      }
      const others = { others_none: {}, others_ours: {}, ...(before && { others_before: before }) }
      for (const [way, options] of Object.entries(others)) await start(way, options)
      await benchScheduled(name, rounds, { ...servers }, Object.keys(others))
    } finally {
      for (const server of Object.values(servers)) await server.stop()
      await database.close()
    }
  }
}

/** Reading, reviewing and adding to a change request with many others scheduled in its project, against none. */
async function benchScheduled(name, rounds, servers, prefixes) {
  const change = JSON.stringify({ action: 'archiveFeature', feature: 'checkout', payload: {} })
  const ids = {}
  for (const prefix of prefixes) {
    const { port, ask } = servers[prefix]
    if (prefix !== 'others_none') await ask('fill', { kind: 'scheduled', count: scheduled })
    await load(port, {
      callers: 1,
      next: (_, n) =>
        n === 0 ? send('POST', `${inProject}/environments/production/change-requests`, change) : undefined,
      seen: (body) => {
        ids[prefix] = JSON.parse(body).id
      },
    })
  }
  const ours = { none: servers.others_none, ours: servers.others_ours, before: servers.others_before }
  const ways = Object.keys(ours).filter((way) => ours[way] !== undefined)
  const idOf = (way) => ids[way === 'none' ? 'others_none' : `others_${way}`]
  let run = 0
  const requests = {
    read: (way) => send('GET', `${inProject}/change-requests/${idOf(way)}`),
    review: (way) => send('GET', `${inProject}/change-requests/${idOf(way)}/review`),
    // Ten changes for each change request.
    add: () => send('POST', `${inProject}/environments/e${Math.floor(++run / 10)}/change-requests`, change),
  }
  for (const [what, request] of Object.entries(requests)) {
    const thresholds = [{ of: 'none', min: 1 / 1.2 }]
    await measure(name, rounds, { what: `${what}, 10,000 scheduled, p50`, ways, request, servers: ours, thresholds })
  }
}

/** The ways alternate, and the first one changes with each round. */
async function measure(database, rounds, { what, ways, request, servers, thresholds }) {
  const samples = Object.fromEntries(ways.map((way) => [way, []]))
  const sample = async (way) => {
    const { latencies } = await load(servers[way].port, { callers: 1, ms: sampleMs, next: () => request(way) })
    return quantile(latencies, 0.5)
  }
  for (const way of ways) await sample(way)
  for (let round = 0; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) samples[way].push(await sample(way))
  }
  figure({ name: what, database, unit: 'ms', lower: true, ways: samples, thresholds })
}

module.exports = { benchLists }
