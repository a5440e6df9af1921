const { randomBytes } = require('node:crypto')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { startServer } = require('../support/child')
const { change } = require('../support/changes')
const { load, requestBytes } = require('../support/client')
const { connect, openDatabase } = require('../support/databases')
const { startDelayProxy } = require('../servers/delay-proxy')
const { fillChangeRequests } = require('../support/fill')
const { figure, median, quantile } = require('../support/figures')

const keys = Array.from({ length: 50 }, () => randomBytes(32).toString('hex'))
const prefix = 'bench_'
const sampleMs = 600
/** A change request gets this number of changes before the next one. */
const small = 10
const shared = 100
const large = 500
/** The thresholds by callers. */
const shareOfNoStorage = { postgres: { 1: 0.27, 10: 0.5, 50: 0.5 }, sqlite: { 50: 0.8 } }

let runs = 0

/** Proposing changes, one per request. The response is the whole change request. */
async function benchAddChange({ databases, rounds }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const servers = []
    const start = async (way, config = database.config) => {
      const server = await startServer('add-change-server.js', { way, config, keys, prefix })
      servers.push(server)
      return { ...server, sized: way === 'noStorage' || way === 'bare' }
    }
    try {
      const ways = { ours: await start('ours'), noStorage: await start('noStorage'), bare: await start('bare') }
      ways.naive = await start('naive')
      await fillChangeRequests(database, prefix)
      for (const server of Object.values(ways)) await apart(server, 50, 1_000)
      for (const callers of [1, 10, 50]) await benchApart({ database, rounds, ways, callers })
      await benchTogether({ database, rounds, ways })
      await benchLarge({ database, rounds, ways })
      if (name === 'postgres') await benchRoundTrips({ database, start })
    } finally {
      for (const server of servers) await server.stop()
      await database.close()
    }
  }
}

/**
 * The request of the `n`th change of a caller. For servers without storage the name of the environment contains the
 * number of existing changes, so that all responses have the same size.
 */
function proposal({ sized }, run, { caller, n, size }, count = 1) {
  const place = `e${run}-${caller}-${Math.floor(n / size)}${sized ? `-${n % size}` : ''}`
  const path = `/api/admin/projects/shop/environments/${place}/change-requests`
  const headers = { Authorization: keys[caller], 'Content-Type': 'application/json' }
  const changes = Array.from({ length: count }, (_, index) => change(n + index))
  return requestBytes('POST', path, headers, count === 1 ? changes[0] : `[${changes}]`)
}

/** Each caller fills its own change requests. */
function apart(server, callers, ms = sampleMs) {
  const run = ++runs
  return load(server.port, { callers, ms, next: (caller, n) => proposal(server, run, { caller, n, size: small }) })
}

/** All callers are one user and fill the same change request, then the next one. */
function together(server, callers, seen) {
  const run = ++runs
  let sent = 0
  const next = () => proposal(server, run, { caller: 0, n: sent++, size: shared })
  return load(server.port, { callers, ms: sampleMs, next, seen }).then((result) => ({ ...result, run }))
}

async function benchApart({ database, rounds, ways, callers }) {
  const perSecond = { ours: [], noStorage: [], bare: [], naive: [] }
  const tail = []
  for (let round = 0; round < rounds; round += 1) {
    for (const way of Object.keys(perSecond)) {
      const { perSecond: rate, latencies } = await apart(ways[way], callers)
      perSecond[way].push(rate)
      if (way === 'ours') tail.push(quantile(latencies, 0.99) / quantile(latencies, 0.5))
    }
  }
  const min = shareOfNoStorage[database.name][callers]
  const thresholds = min === undefined ? [] : [{ of: 'noStorage', min }]
  if (callers === 50) thresholds.push({ of: 'naive', min: 2.4 })
  const name = `add a change, callers: ${callers}`
  figure({ name, database: database.name, unit: '1/s', ways: perSecond, thresholds })
  if (callers !== 50) return
  figure({
    name: `${name}, p99`,
    database: database.name,
    unit: 'x p50',
    ways: { ours: tail },
    thresholds: [{ max: 3 }],
  })
}

async function benchTogether({ database, rounds, ways }) {
  const perSecond = { ours: [], noStorage: [], bare: [] }
  const lost = []
  for (let round = 0; round < rounds; round += 1) {
    for (const way of Object.keys(perSecond)) {
      const result = await together(ways[way], 50)
      perSecond[way].push(result.perSecond)
      if (way === 'ours') lost.push(result.latencies.length - (await storedChanges(database, result)))
    }
  }
  const name = 'same change request, callers: 50'
  const thresholds = [{ of: 'noStorage', min: 0.35 }]
  figure({ name, database: database.name, unit: '1/s', ways: perSecond, thresholds })
  figure({
    name: `${name}, lost`,
    database: database.name,
    unit: 'changes',
    ways: { ours: lost },
    thresholds: [{ max: 0 }],
  })
}

async function storedChanges(database, { run, latencies }) {
  const knex = connect(database.config)
  try {
    const storage = knexStorage({ knex, tablePrefix: prefix })
    const ids = new Set()
    for (let batch = 0; batch * shared < latencies.length; batch += 1) {
      const key = { project: 'shop', environment: `e${run}-0-${batch}`, userId: 1 }
      const { open } = await storage.loadProposal(key, 0)
      for (const { id } of open?.changeRequest.changes ?? []) ids.add(id)
    }
    return ids.size
  } finally {
    await knex.destroy()
  }
}

/** A change request grows by lists to 200 changes, one by one to 250, by lists to 450, one by one to 500. */
const steps = [100, 100, ...Array(50).fill(1), 100, 100, ...Array(50).fill(1)]
const toHalf = [2, 52]
const toFull = [54, 104]

async function benchLarge({ database, rounds, ways }) {
  const full = { ours: [], noStorage: [], bare: [] }
  const perByte = { ours: [], half: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const way of Object.keys(full)) {
      const { latencies, sizes } = await grow(ways[way])
      full[way].push(median(latencies.slice(...toFull)))
      if (way !== 'ours') continue
      const nanosecondsPerByte = (range) => (median(latencies.slice(...range)) / median(sizes.slice(...range))) * 1e6
      perByte.ours.push(nanosecondsPerByte(toFull))
      perByte.half.push(nanosecondsPerByte(toHalf))
    }
  }
  const name = `add to a change request of ${large}`
  const report = (rest) => figure({ database: database.name, lower: true, ...rest })
  report({ name, unit: 'ms', ways: full })
  report({
    name: `${name}, by size of answer`,
    unit: 'ns/byte',
    ways: perByte,
    thresholds: [{ of: 'half', min: 0.85 }],
  })
}

async function grow(server) {
  const run = ++runs
  const sizes = []
  let held = 0
  const next = (_caller, step) => {
    if (step === steps.length) return undefined
    const place = { caller: 0, n: held, size: large }
    held += steps[step]
    return proposal(server, run, place, steps[step])
  }
  const { latencies } = await load(server.port, { callers: 1, next, seen: (body) => sizes.push(body.length) })
  return { latencies, sizes }
}

/** The cost of a millisecond of network latency for an add: its number of sequential round trips. */
async function benchRoundTrips({ database, start }) {
  const delayMs = 20
  const adds = 20
  const proxy = await startDelayProxy(database.port)
  const url = database.url.replace(`:${database.port}/`, `:${proxy.port}/`)
  const server = await start('ours', { client: 'pg', connection: url })
  const trips = { ours: [] }
  const statements = { ours: [] }
  const run = ++runs
  const add = async (n) => {
    const next = (caller, count) => (count === 0 ? proposal(server, run, { caller, n, size: small }) : undefined)
    return (await load(server.port, { callers: 1, next })).latencies[0]
  }
  for (let n = 0; n < adds; n += 1) await add(n)
  for (let n = adds; n < 2 * adds; n += 1) {
    proxy.state.statements = 0
    proxy.state.delayMs = 0
    const near = await add(2 * n)
    statements.ours.push(proxy.state.statements)
    proxy.state.delayMs = delayMs
    trips.ours.push(((await add(2 * n + 1)) - near) / delayMs)
  }
  proxy.close()
  figure({ name: 'add a change', database: 'postgres', unit: 'round trips', ways: trips, thresholds: [{ max: 2.3 }] })
  figure({ name: 'add a change', database: 'postgres', unit: 'statements', ways: statements })
}

module.exports = { benchAddChange }
