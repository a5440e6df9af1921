const { resolve } = require('node:path')
const { openDatabase } = require('./support/databases')
const { startServer } = require('./support/child')
const { compare, median, printTable, progress } = require('./support/figures')
const { buildAt, here } = require('./build')
const { pathsOf } = require('./paths')

const profileMs = 2_000
const maxSpread = 0.1
/** Without `--rounds`, `before-after` measures a path in up to this number of times the rounds, on a busy machine. */
const maxTimes = 4
/** The log of a server if no path reads it: enough for the plans of Postgres. */
const fewRows = 1_000

/**
 * What is compared: `ways` by name, each a server of one build with its own database. With `ours`, others read or write the
 * database of ours.
 */
const modes = {
  bench: ({ against, header }) => ({
    subject: 'ours',
    ways: {
      ours: { root: here },
      naive: { script: 'naive.js', isShared: true },
      'in memory': { root: here, inMemory: true, isShared: true },
      ...(against && { peer: peerAt(against, header) }),
    },
  }),
  'before-after': ({ before, hasRounds }) => ({
    ...{ subject: 'after', ways: { before: { root: before }, after: { root: here } } },
    ...(!hasRounds && { isClear }),
  }),
  growth({ sizes }) {
    const all = sizes.split(',').map(Number)
    return { subject: String(all.at(-1)), ways: Object.fromEntries(all.map((rows) => [rows, { root: here, rows }])) }
  },
  telemetry: () => ({
    subject: 'on',
    ways: { on: { root: here, traced: true, telemetry: true }, off: { root: here, traced: true } },
    atLeast: { off: 0.93 },
  }),
  handles(_options, database) {
    const names = database === 'postgres' ? ['pg.Pool', 'knex', 'kysely'] : ['better-sqlite3', 'knex']
    return { subject: names[0], ways: Object.fromEntries(names.map((handle) => [handle, { root: here, handle }])) }
  },
}

/** Another server with the same wire format, whose log has the same events as ours. */
function peerAt(address, lines) {
  const { hostname: host, port, pathname } = new URL(address)
  const path = ` ${pathname.replace(/\/$/, '')}/api/admin/`
  const headers = ['', ...lines, ''].join('\r\n')
  return { peer: { host, port, rewrite: (request) => request.replace(' /log/', path).replace('\r\n', headers) } }
}

/** Measures the paths of these groups on each database; returns whether no threshold is missed and nothing is slower. */
async function run(mode, groups, options) {
  const before = mode === 'before-after' ? buildBefore(options) : undefined
  const rows = []
  for (const database of options.databases) {
    const plan = modes[mode]({ ...options, before }, database)
    rows.push(...(await runDatabase(database, { ...plan, ...pathsOf(groups, options) }, options)))
  }
  printTable(['database', 'path', 'unit', 'value', 'others', 'speed', 'result'], rows)
  return rows.every((row) => !/slower|FAIL|failed/.test(row.at(-1)))
}

function buildBefore({ base }) {
  if (base === undefined) throw new Error('Name the commit to compare with: --base <git ref>')
  const { root, name } = buildAt(base)
  progress(`before: ${name}`)
  return root
}

async function runDatabase(database, plan, options) {
  const { ways, subject, paths } = plan
  const isUsed = (name, { isShared, peer }) =>
    !(isShared || peer) || paths.some(([, { others = [] }]) => others.includes(name))
  const servers = {}
  try {
    for (const [name, way] of Object.entries(ways)) {
      if (isUsed(name, way)) servers[name] = await start(database, { rows: options.rows, ...way }, servers[subject])
    }
    await Promise.all(
      Object.entries(servers).map(async ([name, { ask, rows }]) => {
        if (ways[name].isShared || ways[name].peer) return
        await ask('fillLog', plan.needsLog ? rows : Math.min(rows, fewRows))
        await ask('analyze')
      }),
    )
    progress(`${database}: filled`)
    const lines = []
    for (const [title, path] of paths) {
      const cells = await measure(title, path, { ...plan, servers, rounds: options.rounds }).catch((error) => [
        ...['', '', ''],
        `failed: ${error.message}`,
      ])
      lines.push([database, title, path.unit, ...cells])
      progress(lines.at(-1).join(' | '))
    }
    return lines
  } finally {
    for (const { close } of Object.values(servers)) await close()
  }
}

/** A database for each build, because their tables differ; another way uses that of ours. */
async function start(name, { script = 'ours.js', isShared, peer, ...way }, ours) {
  if (peer !== undefined) return { ...peer, ...way, close: async () => undefined }
  const database = isShared ? { config: ours.config, close: async () => undefined } : await openDatabase(name)
  const { config } = database
  const server = await startServer(script, { ...way, config })
  const close = async () => {
    await server.stop()
    await database.close()
  }
  return { ...server, ...way, config, recorder: ours, close }
}

/** A sample of each way that the path is compared with, then the rounds. */
async function measure(title, path, plan) {
  const { servers, ways, subject, atLeast = path.atLeast } = plan
  const isCompared = (way) => !(ways[way].isShared || ways[way].peer) || path.others?.includes(way)
  const prepared = {}
  const failures = {}
  for (const way of Object.keys(servers).filter(isCompared)) {
    try {
      prepared[way] = await path.prepare?.(servers[way])
      await path.sample(servers[way], prepared[way])
    } catch (error) {
      if (way === subject) throw error
      failures[way] = error.message
    }
  }
  const compared = Object.keys(servers).filter((way) => isCompared(way) && failures[way] === undefined)
  try {
    if (plan.rounds === 0) return ['', textOf(failures), '', textOf(failures) === '' ? 'starts' : 'failed']
    const { samples, results } = await alternate(
      path,
      compared,
      (way) => path.sample(servers[way], prepared[way]),
      plan,
    )
    await profile(title, servers[subject], () => path.sample(servers[subject], prepared[subject]))
    return cellsOf({ ...path, atLeast }, { value: median(samples[subject]), samples, results, failures })
  } finally {
    for (const way of compared) path.finish?.(prepared[way])
  }
}

/** The ways alternate, and the first one changes with each round. */
async function alternate(path, ways, sample, { subject, rounds, isClear = () => true }) {
  const samples = Object.fromEntries(ways.map((way) => [way, []]))
  for (let times = 1; ; times += 1) {
    for (let round = 0; round < rounds; round += 1) {
      for (const way of round % 2 === 0 ? ways : [...ways].reverse()) samples[way].push(await sample(way))
    }
    const others = ways.filter((way) => way !== subject)
    const results = others.map((way) => ({ way, ...compare(samples[subject], samples[way], path.lower === true) }))
    if (times === maxTimes || isClear(results, times)) return { samples, results }
  }
}

/** With BENCH_PROFILE=<folder>, writes the CPU profile of some more samples of ours. */
async function profile(title, { ask, config }, sample) {
  const folder = process.env.BENCH_PROFILE
  if (folder === undefined) return
  await ask('startProfile')
  for (const end = performance.now() + profileMs; performance.now() < end; ) await sample()
  await ask('writeProfile', resolve(folder, `${config.client} ${title.replaceAll(/\W+/g, ' ')}.cpuprofile`))
}

/** A wide spread is measured again, and so is a difference: it has to hold in twice as many rounds. */
function isClear(results, times) {
  return results.every(({ spread, result }) => {
    return spread[1] - spread[0] <= maxSpread && (result === 'no difference' || times > 2)
  })
}

function cellsOf(path, { value, samples, results, failures }) {
  const text = (number) => String(Number(number.toPrecision(4)))
  const others = [...results.map(({ way }) => `${way} ${text(median(samples[way]))}`), textOf(failures)].filter(Boolean)
  const speeds = results.map(({ way, ratio, spread }) => {
    return `${ratio.toFixed(2)} x ${way} (${spread.map((each) => each.toFixed(2)).join('-')})`
  })
  return [text(value), others.join(', '), speeds.join(', '), resultOf(path, value, results)]
}

const textOf = (failures) =>
  Object.entries(failures)
    .map(([way, message]) => `${way} failed: ${message}`)
    .join(', ')

function resultOf({ atMost, atLeast = {} }, value, results) {
  const compared = results.find(({ way }) => way === 'before')
  if (compared !== undefined) return compared.result
  const missed = results
    .filter(({ way, ratio }) => ratio < (atLeast[way] ?? 0))
    .map(({ way }) => `${atLeast[way]} x ${way}`)
  if (value > (atMost ?? value)) missed.push(`at most ${atMost}`)
  return missed.length === 0 ? '' : `FAIL: ${missed.join(', ')}`
}

module.exports = { modes: Object.keys(modes), run }
