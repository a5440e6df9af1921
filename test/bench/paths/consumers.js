const { setTimeout } = require('node:timers/promises')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { webhooks } = require('../../../dist/webhooks/index.js')
const { createServer } = require('node:http')
const { once } = require('node:events')
const { connect, openDatabase } = require('../support/databases')
const { figure, progress, quantile } = require('../support/figures')
const { fillEvents } = require('../support/fill')

const events = 50_000
const sizes = [100, 1_000]
const idleConsumers = 10
const idleMs = 10_000
const targets = 10
const deliveries = 300
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const prefix = 'consumers_'

/** Consumers of the log: their throughput, their cost while nothing happens, and one dead webhook among ten. */
async function benchConsumers({ databases, rounds }) {
  // Nothing of a router keeps a process running.
  const running = setInterval(() => {}, 1_000)
  for (const name of databases) {
    const database = await openDatabase(name)
    try {
      await fillEvents(database, prefix, events)
      await throughput(database, rounds)
      await idle(database)
      await oneDeadTarget(database, rounds)
    } finally {
      await database.close()
    }
  }
  clearInterval(running)
}

/** Runs `work` with a router of its own, which was started. */
async function withRouter(database, calls, work) {
  const knex = connect(database.config)
  const storage = knexStorage({ knex, tablePrefix: prefix })
  const router = createChangeRequestRouter({ storage: counted(storage, calls), authenticate: () => null })
  try {
    return await work(router, knex)
  } finally {
    await router.close()
    await knex.destroy()
  }
}

async function throughput(database, rounds) {
  for (const batchSize of sizes) {
    const ways = { ours: [], follow: [], 'by hand': [] }
    for (let round = 1; round <= rounds; round += 1) {
      progress(`${database.name}: ${events} events in batches of ${batchSize}, round ${round}`)
      ways.ours.push(await rate(() => consumeAll(database, `r${batchSize}-${round}`, batchSize)))
      ways.follow.push(await rate(() => followAll(database)))
      ways['by hand'].push(await rate(() => readByHand(database, batchSize)))
    }
    // Following stores no position and reads larger pages.
    const follow = batchSize === 1_000 ? [{ of: 'follow', min: 0.8 }] : []
    const thresholds = [{ of: 'by hand', min: 0.8 }, ...follow]
    figure({ name: `consume, batches of ${batchSize}`, database: database.name, unit: 'events/s', ways, thresholds })
  }
}

async function rate(work) {
  const ms = await work()
  return (events / ms) * 1_000
}

function consumeAll(database, name, batchSize) {
  return withRouter(database, { count: 0 }, async (router) => {
    let [started, seen] = [0, 0]
    await new Promise((resolve) => {
      const handle = (batch) => {
        started ||= performance.now()
        seen += batch.length
        if (seen === events) resolve()
      }
      router.events.consume({ name, from: 'beginning', batchSize, handle })
      router.start()
    })
    return performance.now() - started
  })
}

function followAll(database) {
  return withRouter(database, { count: 0 }, async (router) => {
    let [started, seen] = [0, 0]
    for await (const _ of router.events.follow({ after: 0 })) {
      started ||= performance.now()
      seen += 1
      if (seen === events) break
    }
    return performance.now() - started
  })
}

/** Without leases, filters and checks: a select, and the position after each batch. */
async function readByHand(database, batchSize) {
  const knex = connect(database.config)
  await knex.schema.createTable('hand', (table) => table.bigInteger('position'))
  await knex('hand').insert({ position: 0 })
  const started = performance.now()
  let [seen, position] = [0, 0]
  while (seen < events) {
    const rows = await knex(`${prefix}events`)
      .select('id', 'body')
      .where('id', '>', position)
      .orderBy('id')
      .limit(batchSize)
    for (const { body } of rows) JSON.parse(body)
    seen += rows.length
    position = rows.at(-1).id
    await knex('hand').update({ position })
  }
  const ms = performance.now() - started
  await knex.schema.dropTable('hand')
  await knex.destroy()
  return ms
}

async function idle(database) {
  const calls = { count: 0 }
  await withRouter(database, calls, async (router) => {
    router.start()
    const before = await perSecond(calls)
    for (let index = 0; index < idleConsumers; index += 1) router.events.consume({ name: `idle-${index}`, handle() {} })
    await setTimeout(3_000)
    const cpu = process.cpuUsage()
    const withConsumers = await perSecond(calls)
    const { user, system } = process.cpuUsage(cpu)
    const name = `idle, ${idleConsumers} consumers`
    const common = { name, database: database.name, lower: true }
    figure({ ...common, unit: 'statements/s', ways: { ours: [withConsumers], 'no consumers': [before] } })
    figure({ ...common, unit: '% of a core', ways: { ours: [(user + system) / 10 / idleMs] } })
  })
}

async function perSecond(calls) {
  const before = calls.count
  await setTimeout(idleMs)
  return ((calls.count - before) / idleMs) * 1_000
}

/** From the commit of an event to its arrival, with all targets alive, and with one that hangs. */
async function oneDeadTarget(database, rounds) {
  const ways = { ours: [], 'all alive': [] }
  for (let round = 1; round <= rounds; round += 1) {
    progress(`${database.name}: ${targets} webhooks, round ${round}`)
    ways['all alive'].push(await arrival(database, `alive-${round}`, false))
    ways.ours.push(await arrival(database, `dead-${round}`, true))
  }
  const thresholds = [{ of: 'all alive', min: 1 / 1.2 }]
  const name = `webhooks, one of ${targets} hangs: p99 of the others`
  figure({ name, database: database.name, unit: 'ms', lower: true, ways, thresholds })
}

async function arrival(database, label, hasDead) {
  const sent = new Map()
  const delays = []
  const server = createServer((req, res) => {
    const isDead = hasDead && req.url === '/0'
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      if (isDead) return
      const { featureName } = JSON.parse(Buffer.concat(chunks).toString()).data
      if (req.url !== '/0') delays.push(performance.now() - sent.get(featureName))
      res.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await withRouter(database, { count: 0 }, async (router) => {
    const all = Array.from({ length: targets }, (_, index) => ({
      ...{ name: `${label}-${index}`, url: `http://127.0.0.1:${port}/${index}`, secrets: [secret], types: '*' },
    }))
    for (const consumer of webhooks({ targets: all })) router.events.consume(consumer)
    router.start()
    await setTimeout(2_000)
    for (let index = 0; index < deliveries; index += 1) {
      const featureName = `${label}-${index}`
      sent.set(featureName, performance.now())
      await router.events.record({ type: 'feature-updated', project: 'shop', featureName })
      await setTimeout(20)
    }
    while (delays.length < deliveries * (targets - 1)) await setTimeout(20)
  })
  server.closeAllConnections()
  server.close()
  return quantile(delays, 0.99)
}

/** Counts the calls of methods: each is one statement. */
function counted(storage, calls) {
  const wrap = (target) =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name)
        if (name === 'consumers') return wrap(value)
        if (typeof value !== 'function') return value
        return (...given) => {
          calls.count += 1
          return value.apply(object, given)
        }
      },
    })
  return wrap(storage)
}

module.exports = { benchConsumers }
