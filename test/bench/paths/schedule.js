const { setTimeout } = require('node:timers/promises')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { rowGateway, storeScheduled } = require('../data/scheduled')
const { connect, openDatabase } = require('../support/databases')
const { figure, progress, quantile } = require('../support/figures')

const perSecond = 10
const seconds = 20
const many = 10_000
const idleMs = 5_000
const inAYear = 365 * 24 * 60 * 60_000

/** How long the freeze of the benchmark lasts: enough to hold all of them and to measure. */
const freezeMs = 60_000

/** Scheduled applies: their delay, the speed of a backlog, also after a freeze, and the cost of an idle process. */
async function benchSchedule({ databases }) {
  for (const name of databases) {
    const database = await openDatabase(name)
    const knex = connect(database.config)
    const storage = knexStorage({ knex, tablePrefix: 'schedule_' })
    const calls = { count: 0 }
    const freezes = []
    const router = createChangeRequestRouter({
      storage: counted(storage, calls),
      flags: rowGateway('host_flags'),
      schedule: 'here',
      freezes: () => freezes,
      authenticate: () => null,
    })
    try {
      await router.migrate()
      await knex.schema.createTable('host_flags', (table) => table.string('flag'))
      await backlog(name, { storage, router })
      router.start()
      await idle(name, calls, 'nothing scheduled')
      await punctual(name, { storage, knex })
      await afterFreeze(name, { storage, router, freezes, calls })
      await storeScheduled(storage, [new Date(Date.now() + inAYear).toISOString()])
      await idle(name, calls, 'something scheduled')
    } finally {
      await router.close()
      await knex.destroy()
      await database.close()
    }
  }
}

async function backlog(database, { storage, router }) {
  const at = new Date(Date.now() - 1_000).toISOString()
  progress(`${database}: ${many} due`)
  await storeScheduled(storage, Array(many).fill(at))
  const started = performance.now()
  const { applied } = await router.runDue()
  if (applied !== many) throw new Error(`${applied} of ${many} were applied.`)
  const ms = performance.now() - started
  figure({ name: `run of ${many} due`, database, unit: 'applied/s', ways: { ours: [(many / ms) * 1_000] } })
}

/** All are due in a freeze, and are applied when it ends. */
async function afterFreeze(database, { storage, router, freezes, calls }) {
  const [from, until] = [Date.now(), Date.now() + freezeMs].map((time) => new Date(time).toISOString())
  freezes.push({ name: 'Sale', reason: 'Sales', from, until })
  progress(`${database}: ${many} due in a freeze`)
  await storeScheduled(storage, Array(many).fill(from))
  while ((await router.health()).schedule.held < many) await setTimeout(100)
  await idle(database, calls, `${many} held`)
  const restMs = Date.parse(until) - Date.now()
  if (restMs < 0) throw new Error('The freeze ended too early to measure.')
  await setTimeout(restMs)
  const started = performance.now()
  while ((await storage.due({ limit: 1 }))[0]?.schedule?.scheduledAt === from) await setTimeout(50)
  const ms = performance.now() - started
  const name = `run of ${many} after a freeze`
  figure({ name, database, unit: 'applied/s', ways: { ours: [(many / ms) * 1_000] } })
}

/** Stored without a notification of the runner, like by another process. */
async function punctual(database, { storage, knex }) {
  progress(`${database}: ${perSecond} due a second, for ${seconds} s`)
  const begin = Date.now() + 2_000
  const times = Array.from({ length: perSecond * seconds }, (_, index) => begin + (index * 1_000) / perSecond)
  await storeScheduled(
    storage,
    times.map((time) => new Date(time).toISOString()),
  )
  while ((await storage.due({ limit: 1 })).length > 0) await setTimeout(100)
  const rows = await knex('schedule_events')
    .where({ type: 'change-request-applied' })
    .orderBy('id', 'desc')
    .limit(times.length)
  const late = []
  for (const { created_at, change_request_id } of rows) {
    const { changeRequest } = await storage.find({ project: 'shop' }, Number(change_request_id))
    late.push(new Date(created_at).getTime() - Date.parse(changeRequest.stateTimestamps.Scheduled))
  }
  const p99 = { name: 'lateness p99, 10 due a second', database, unit: 'ms', lower: true, thresholds: [{ max: 2_000 }] }
  figure({ ...p99, ways: { ours: [quantile(late, 0.99)] } })
  figure({ name: 'lateness, median', database, unit: 'ms', lower: true, ways: { ours: [quantile(late, 0.5)] } })
}

async function idle(database, calls, what) {
  const [before, cpu] = [calls.count, process.cpuUsage()]
  await setTimeout(idleMs)
  const { user, system } = process.cpuUsage(cpu)
  const name = `idle, ${what}`
  figure({
    name,
    database,
    unit: 'queries/s',
    lower: true,
    ways: { ours: [((calls.count - before) / idleMs) * 1_000] },
  })
  figure({ name, database, unit: '% of a core', lower: true, ways: { ours: [(user + system) / 10 / idleMs] } })
}

/** Counts the calls of methods: each is one statement, except writes. */
function counted(storage, calls) {
  return new Proxy(storage, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given) => {
        calls.count += 1
        return value.apply(target, given)
      }
    },
  })
}

module.exports = { benchSchedule }
