const { execFile } = require('node:child_process')
const { setTimeout } = require('node:timers/promises')
const { parseArgs, promisify } = require('node:util')
const createKnex = require('knex')
const { verifyStorage } = require('../../dist')
const { knexStorage } = require('../../dist/storage/knex')
const { copy, fill, originalOf } = require('./support/applied')
const { openDatabase } = require('./support/databases')

/*
 * Measures verifyStorage in a process of its own: how long it takes, how much its memory grows, and how much it slows down
 * writers. `node test/bench/verify.js --database sqlite --requests 100000`, after `npm run build`. Each change request has ten
 * events. The exit code is 1 if a limit is missed.
 */

const limits = { minutes: 3, growthMb: 150, writers: 0.9 }
const eventsPerSecond = 1_000
/** Commits at {@link eventsPerSecond} until the work ends, and returns the rate that was reached. */
async function writeDuring(storage, original, from, work) {
  let isRunning = true
  const done = work().finally(() => {
    isRunning = false
  })
  const start = performance.now()
  let written = 0
  const pending = new Set()
  while (isRunning) {
    const due = ((performance.now() - start) / 1_000) * (eventsPerSecond / original.events.length)
    for (; written < due && pending.size < 50; written += 1) {
      const one = copy(storage, original, from + written).finally(() => pending.delete(one))
      pending.add(one)
    }
    await setTimeout(5)
  }
  await Promise.all(pending)
  const rate = (written * original.events.length * 1_000) / (performance.now() - start)
  return { rate, next: from + written, result: await done }
}

const verifyElsewhere = async (config) => {
  const args = [__filename, '--child', JSON.stringify(config)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout)
}

/** In the process of its own. */
async function child(config) {
  const knex = createKnex(config)
  const storage = knexStorage({ knex })
  await storage.inspect.events({ after: null, limit: 500, bytes: 2 ** 22 })
  const before = process.memoryUsage.rss()
  let most = before
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const onProgress = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const { checked, findings, total } = await verifyStorage(storage, { onProgress })
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const cpuSeconds = (user + system) / 1e6
  console.log(
    JSON.stringify({
      ...{ checked, findings: findings.slice(0, 5), total, seconds, cpuSeconds },
      growthMb: (most - before) / 2 ** 20,
    }),
  )
  await knex.destroy()
}

async function main({ database, requests }) {
  const { config, close } = await openDatabase(database)
  const knex = createKnex({ ...config, ...(database === 'postgres' && { pool: { min: 0, max: 20 } }) })
  try {
    const storage = knexStorage({ knex })
    await storage.migrate()
    const original = await originalOf(storage)
    let next = await fill(storage, original, requests - 1)
    const alone = await verifyElsewhere(config)
    console.log(database, alone)
    const seconds = alone.seconds
    const before = await writeDuring(storage, original, next, () => setTimeout(Math.min(20_000, seconds * 1_000)))
    next = before.next
    const during = await writeDuring(storage, original, next, () => verifyElsewhere(config))
    const writers = during.rate / before.rate
    console.log(database, { before: before.rate, during: during.rate, writers, total: during.result.total })
    const missed = [
      alone.seconds > limits.minutes * 60 && 'time',
      alone.growthMb > limits.growthMb && 'memory',
      writers < limits.writers && 'writers',
      alone.total + during.result.total > 0 && 'findings',
    ].filter(Boolean)
    if (missed.length > 0) {
      console.log(database, 'missed:', missed.join(', '), during.result.findings)
      process.exitCode = 1
    }
  } finally {
    await knex.destroy()
    await close()
  }
}

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    requests: { type: 'string', default: '100000' },
    child: { type: 'string' },
  },
})
if (values.child === undefined) void main({ database: values.database, requests: Number(values.requests) })
else void child(JSON.parse(values.child))
