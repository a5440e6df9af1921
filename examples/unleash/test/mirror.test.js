const { deepEqual, equal, rejects } = require('node:assert/strict')
const { after, before, beforeEach, describe, it } = require('node:test')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { unleashGateway } = require('../gateway')
const { startProxy } = require('./support/deadly-proxy')
const { openLog, openServerDatabase, unleashMirror } = require('./support/mirror-log')
const { createFlag, openServer, rollout } = require('./support/open-server')
const { prepareStory } = require('./support/whole-story')

let server
let database
let log
let gateway
let mirror
let attempts = 0
/** How many events the log had when the test began. */
let earlier

before(async () => {
  server = await openServer()
  database = openServerDatabase(server)
  log = openLog(server)
  await log.router.migrate()
  gateway = unleashGateway(server)
  await gateway.migrate()
  mirror = unleashMirror({ ...server, record: log.record })
  await mirror.run()
})

after(async () => {
  await log?.router.close()
  await database?.knex.destroy()
  await server?.close()
})

beforeEach(async () => {
  await mirror.run()
  earlier = (await log.read()).length
})

const news = async () => (await log.read()).slice(earlier)

function contextOf() {
  attempts += 1
  return { project: 'default', environment: 'production', applyId: `mirrored-${attempts}` }
}

/** The ids of the server that the log has, and those that it should have. */
async function compare(from) {
  const ids = (await database.ids()).filter((id) => id > from)
  const logged = (await news()).map(({ data }) => data.unleash.id)
  deepEqual(
    logged.toSorted((a, b) => a - b),
    ids,
  )
}

const lastId = async () => (await database.ids()).at(-1)

describe('the mirror', () => {
  it('begins with events after its first read', async () => {
    equal((await log.read()).length, 0)
  })

  it('copies events of direct writes, with their original id and time', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10')] })
    await mirror.run()
    const { events } = await server.client.send('GET', 'search/events?limit=2')
    deepEqual(
      (await news()).map(({ type, createdBy, featureName, data }) => [type, createdBy, featureName, data.unleash]),
      events.toReversed().map(({ id, type, createdAt }) => [type, 'admin', name, { id, createdAt }]),
    )
  })

  it('copies each event once', async () => {
    const from = await lastId()
    await createFlag(server.client)
    const other = unleashMirror({ ...server, record: log.record })
    await Promise.all([mirror.run(), other.run()])
    await unleashMirror({ ...server, record: log.record }).run()
    await compare(from)
  })

  it('leaves out events of the gateway', async () => {
    const { changes } = await prepareStory(server)
    await mirror.run()
    const before = (await news()).length
    await gateway.apply(changes, contextOf())
    await mirror.run()
    deepEqual((await news()).slice(before), [])
  })

  it('leaves out events of undone steps', async () => {
    const { changes } = await prepareStory(server)
    await mirror.run()
    const before = (await news()).length
    const proxy = await startProxy(server.url, ({ number }) => (number === 8 ? 'refuse' : 'pass'))
    await unleashGateway({ ...server, url: proxy.url })
      .apply(changes, contextOf())
      .catch(() => {})
    await proxy.close()
    await mirror.run()
    deepEqual((await news()).slice(before), [])
  })

  it('leaves out events of a running apply', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10')] })
    await mirror.run()
    const before = (await news()).length
    const changes = [{ id: 1, action: 'updateEnabled', feature: name, payload: { enabled: true } }]
    const proxy = await startProxy(server.url, async ({ moment }) => {
      if (moment === 'after') await mirror.run()
      return 'pass'
    })
    await unleashGateway({ ...server, url: proxy.url }).apply(changes, contextOf())
    await proxy.close()
    await createFlag(server.client)
    await mirror.run()
    deepEqual(
      (await news()).slice(before).map(({ type }) => type),
      ['feature-created'],
    )
  })

  it('copies events of the same flag and token before and after an apply', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10')] })
    await gateway.apply([{ id: 1, action: 'updateEnabled', feature: name, payload: { enabled: true } }], contextOf())
    await server.client.send('POST', `projects/default/features/${name}/environments/production/off`)
    await mirror.run()
    deepEqual(
      (await news()).map(({ type }) => type),
      ['feature-created', 'feature-strategy-add', 'feature-environment-disabled'],
    )
  })

  it('copies an event that was committed after 600 later ones, which the log has', async () => {
    const from = await lastId()
    const late = await database.knex.transaction()
    await database.addEvents(1, { db: late })
    await database.addEvents(600)
    await mirror.run()
    equal((await news()).length, 600)
    await database.addEvents(900)
    await late.commit()
    await mirror.run()
    await compare(from)
  })

  it('copies all events from the time when it did not run', async () => {
    const from = await lastId()
    await database.addEvents(2_345)
    await unleashMirror({ ...server, record: log.record }).run()
    await compare(from)
  })

  it('copies events of the same time on both sides of a page boundary', async () => {
    const from = await lastId()
    await database.addEvents(300)
    await database.addEvents(200, { moment: true })
    await database.addEvents(900)
    await unleashMirror({ ...server, record: log.record }).run()
    await compare(from)
  })

  it('copies events once after the log has failed', async () => {
    const from = await lastId()
    await database.addEvents(250)
    let calls = 0
    const record = (...write) => {
      calls += 1
      if (calls === 2) throw new Error('The log has failed.')
      return log.record(...write)
    }
    const failing = unleashMirror({ ...server, record })
    await rejects(failing.run(), { message: 'The log has failed.' })
    equal((await news()).length, 100)
    await failing.run()
    await compare(from)
  })

  it('continues after an event that the log rejects', async () => {
    await database.knex('events').insert({ type: 'no-such-type', created_by: 'ann', data: '{}' })
    const { name } = await createFlag(server.client)
    const warnings = []
    const logger = { warn: ({ type }) => warnings.push(type), error() {}, info() {}, debug() {} }
    await unleashMirror({ ...server, record: log.record, logger }).run()
    deepEqual(
      (await news()).map(({ featureName }) => featureName),
      [name],
    )
    equal(warnings[0], 'no-such-type')
  })
})

describe('a mirror that is killed', () => {
  for (const moment of ['before it records', 'before it commits', 'after it commits']) {
    for (const batch of [1, 2, 3]) {
      it(`copies each event once when it is started again: ${moment} batch ${batch}`, async () => {
        const from = await lastId()
        await database.addEvents(250)
        const { url, token, databaseUrl, callTimeoutMs } = server
        const MIRROR = JSON.stringify({ url, token, databaseUrl, callTimeoutMs, moment, batch })
        const file = require.resolve('./support/mirror-once.js')
        const child = spawn(process.execPath, [file], { env: { ...process.env, MIRROR }, stdio: 'ignore' })
        const [, signal] = await once(child, 'exit')
        equal(signal, 'SIGKILL')
        await mirror.run()
        await compare(from)
      })
    }
  }
})
