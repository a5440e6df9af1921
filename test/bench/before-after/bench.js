const { openDatabase } = require('../support/databases')
const { startServer } = require('../support/child')
const { download } = require('../support/client')
const { printRows, progress } = require('../support/figures')
const { buildAt, here } = require('./build')
const { compare } = require('./difference')
const { pathsOf } = require('./paths')

const minRounds = 11
const maxSpread = 0.1
/** On a busy machine a path gets up to this number of times the rounds. */
const maxTimes = 4

/** The paths of this build next to those of an older one. Returns whether none is slower. */
async function benchBeforeAfter({ databases, rounds, rows, base, paths }) {
  if (base === undefined) throw new Error('Name the commit to compare with: --base <git ref>')
  const unknown = paths.filter((name) => !Object.hasOwn(pathsOf(rows), name))
  if (unknown.length > 0) throw new Error(`Unknown path '${unknown[0]}'. Use ${Object.keys(pathsOf(rows)).join(', ')}.`)
  const build = buildAt(base)
  progress(`before: ${build.name}`)
  const lines = []
  for (const name of databases) {
    lines.push(...(await benchDatabase({ name, roots: { before: build.root, after: here }, rounds, rows, paths })))
  }
  const head = ['database', 'path', 'unit', 'before', 'after', 'speed of after', 'spread', 'result']
  printRows(head, lines)
  return lines.every((line) => line.at(-1) !== 'slower')
}

async function benchDatabase({ name, roots, rounds, rows, paths }) {
  const builds = {}
  try {
    for (const [way, root] of Object.entries(roots)) builds[way] = await start(name, root)
    await Promise.all(Object.values(builds).map(({ ask }) => ask('fill', rows)))
    progress(`${name}: ${rows} events in each`)
    const all = pathsOf(rows)
    const selected = Object.assign({}, ...(paths.length === 0 ? Object.values(all) : paths.map((path) => all[path])))
    for (const { ask } of Object.values(builds)) await ask('analyze')
    const lines = []
    for (const [title, path] of Object.entries(selected)) {
      const cells = await benchPath(path, builds, rounds).catch((error) => ['', '', '', '', reasonOf(error)])
      lines.push([name, title, path.unit, ...cells])
      progress(lines.at(-1).join(' | '))
    }
    return lines
  } finally {
    for (const build of Object.values(builds)) await build.close()
  }
}

/** A database of its own for each build, because their tables differ. */
async function start(name, root) {
  const database = await openDatabase(name)
  const { config } = database
  const server = await startServer('before-after-server.js', { root, config })
  const close = async () => {
    await server.stop()
    await database.close()
  }
  return { ...server, root, config, close }
}

/** The builds alternate, and the first one changes with each round. */
async function benchPath(path, builds, rounds) {
  for (const [way, build] of Object.entries(builds)) {
    await attempt(way, async () => {
      await path.prepare?.(build)
      await isAnswered(build, path.example)
      await path.sample(build)
    })
  }
  const samples = { before: [], after: [] }
  let compared
  for (let times = 1; times <= maxTimes && !isClear(compared, times); times += 1) {
    for (let round = 0; round < Math.max(rounds, minRounds); round += 1) {
      for (const way of round % 2 === 0 ? ['before', 'after'] : ['after', 'before']) {
        samples[way].push(await path.sample(builds[way]))
      }
    }
    compared = compare(samples.before, samples.after, path.lower === true)
  }
  const { before, after, ratio, spread, result } = compared
  const figures = [before, after].map((value) => String(Number(value.toPrecision(4))))
  return [...figures, `${ratio.toFixed(2)} x`, spread.map((value) => value.toFixed(2)).join('-'), result]
}

/** A wide spread is measured again, and so is a difference: it has to hold in twice as many rounds. */
function isClear(compared, times) {
  if (compared === undefined) return false
  const { spread, result } = compared
  return spread[1] - spread[0] <= maxSpread && (result === 'no difference' || times > 2)
}

async function isAnswered({ port }, example) {
  if (example === undefined) return
  const { status } = await download(port, example.path, example.headers)
  if (status !== 200) throw new Error(`answers ${status}`)
}

async function attempt(way, work) {
  try {
    await work()
  } catch (error) {
    throw new Error(`${way}: ${reasonOf(error)}`)
  }
}

/** Of an unexpected response, its status and its message. */
function reasonOf({ message }) {
  const [first] = message.split('\r\n')
  const [, detail] = /"message":"([^"]*)/.exec(message) ?? []
  return [first.replace('Answered HTTP/1.1', 'answers'), detail].filter(Boolean).join(': ')
}

module.exports = { benchBeforeAfter }
