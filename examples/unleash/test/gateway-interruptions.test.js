const { deepEqual, equal, notDeepEqual, rejects } = require('node:assert/strict')
const { after, afterEach, before, describe, it } = require('node:test')
const { setTimeout: delay } = require('node:timers/promises')
const { unleashGateway } = require('../gateway')
const { tables } = require('../ledger/tables')
const { startProxy } = require('./support/deadly-proxy')
const { createFlag, look, openServer, rollout, setMaintenance, strategiesOf } = require('./support/open-server')

let server
let flag
let changes

before(async () => {
  server = await openServer()
  await unleashGateway(server).migrate()
})

after(() => server?.close())

/** A flag that gets a parent by the first write, and an altered strategy by the second. */
async function prepare() {
  flag = await createFlag(server.client, { strategies: [rollout('10')] })
  const parent = await createFlag(server.client)
  changes = [
    { id: 1, action: 'addDependency', feature: flag.name, payload: { feature: parent.name } },
    { id: 2, action: 'updateStrategy', feature: flag.name, payload: { id: flag.ids[0], title: 'ours' } },
  ]
  return { project: 'default', environment: 'production', applyId: `interrupted-${flag.name}` }
}

/** A gateway for a server that handles each write as `decide` returns. */
async function withProxy(decide, use, options) {
  const proxy = await startProxy(server.url, decide)
  try {
    return await use(unleashGateway({ ...server, url: proxy.url, ...options }))
  } finally {
    await proxy.close()
  }
}

const isSecond = ({ number, moment }) => number === 2 && moment === 'before'

/** Simulates that time has passed, so that the apply counts as interrupted. */
const letTimePass = () => server.knex(tables.attempts).update({ updated_at: 0 })

describe('apply to a server in maintenance mode', () => {
  afterEach(() => setMaintenance(server.client, false))

  it('is rejected, and can be repeated later', async () => {
    const context = await prepare()
    const nothing = await look(server.client, flag.name)
    const gateway = unleashGateway(server)
    await setMaintenance(server.client, true)
    await rejects(gateway.apply(changes, context), { name: 'UnavailableError', message: /maintenance mode/ })
    equal(await gateway.outcome(context.applyId), null)
    await setMaintenance(server.client, false)
    deepEqual(await look(server.client, flag.name), nothing)
    equal((await gateway.apply(changes, { ...context, applyId: `${context.applyId}-again` })).length, 2)
  })

  it('undoes its steps after the maintenance', async () => {
    const context = await prepare()
    const nothing = await look(server.client, flag.name)
    const switchOn = async ({ number, moment }) => {
      if (number === 1 && moment === 'after') await setMaintenance(server.client, true)
      return 'pass'
    }
    await withProxy(switchOn, async (gateway) => {
      // A ChangeRequestError: the router releases the change request.
      const message = /maintenance mode.* Nothing will be applied: .* undone as soon as/
      await rejects(gateway.apply(changes, context), { name: 'UnavailableError', message })
      const again = { ...context, applyId: `${context.applyId}-again` }
      await rejects(gateway.apply(changes, again), { name: 'UnavailableError', message: /maintenance mode/ })
      notDeepEqual(await look(server.client, flag.name), nothing)
    })
    await setMaintenance(server.client, false)
    // Without waiting until it counts as interrupted.
    deepEqual(await unleashGateway(server).recover(), [])
    deepEqual(await look(server.client, flag.name), nothing)
  })

  it('undoes its steps before the next apply of the same flag, which is not undone later', async () => {
    const context = await prepare()
    const switchOn = async ({ number, moment }) => {
      if (number === 1 && moment === 'after') await setMaintenance(server.client, true)
      return 'pass'
    }
    await withProxy(switchOn, (gateway) => rejects(gateway.apply(changes, context), { name: 'UnavailableError' }))
    await setMaintenance(server.client, false)
    const other = unleashGateway(server)
    const events = await other.apply(changes, { ...context, applyId: `${context.applyId}-again` })
    equal(events.length, 2)
    const applied = await look(server.client, flag.name)
    deepEqual(await other.recover(), [])
    deepEqual(await look(server.client, flag.name), applied)
  })
})

describe('an apply that wrote nothing', () => {
  /** Applies where the first write ends like this; the apply must be over, and can be repeated immediately. */
  async function expectOver(choice, message) {
    const context = await prepare()
    const nothing = await look(server.client, flag.name)
    const decide = ({ number, moment }) => (number === 1 && moment === 'before' ? choice : 'pass')
    await withProxy(decide, async (gateway) => {
      await rejects(gateway.apply(changes, context), { name: 'UnavailableError', message })
      equal(await gateway.outcome(context.applyId), null)
    })
    deepEqual(await look(server.client, flag.name), nothing)
    equal((await unleashGateway(server).apply(changes, { ...context, applyId: `${context.applyId}-again` })).length, 2)
  }

  for (const [status, message] of [
    [500, /^The Unleash server responded to POST .* with 500\. Nothing was changed\. Try again later\.$/],
    [429, 'said by the test Nothing was changed. Try again later.'],
    [401, /^The Unleash server rejected the token of the gateway: said by the test Nothing was changed\. Contact/],
    [403, /^The Unleash server rejected the token of the gateway: said by the test Nothing was changed\. Contact/],
  ])
    it(`is over if the server responds to its first write with ${status}`, () => expectOver(status, message))

  it('is over if the server cannot be reached', async () => {
    const context = await prepare()
    const { url, close } = await startProxy(server.url, () => 'pass')
    await close()
    const gateway = unleashGateway({ ...server, url })
    const message = 'The Unleash server cannot be reached. Nothing was changed. Try again later.'
    await rejects(gateway.apply(changes, context), { name: 'UnavailableError', message })
    equal(await gateway.outcome(context.applyId), null)
    const subjects = { ...context, features: [flag.name], segments: [] }
    const unread = { name: 'UnavailableError', message: 'The Unleash server cannot be reached. Try again later.' }
    await rejects(gateway.current(subjects), unread)
  })

  it('is over if the server goes down before its first write, and the ledger needs no server', async () => {
    const context = await prepare()
    const proxy = await startProxy(server.url, () => 'pass')
    let isClosed = false
    const closing = server.knex.on('query', ({ sql }) => {
      if (!isClosed && sql.startsWith('insert') && sql.includes(tables.attempts)) {
        isClosed = true
        proxy.close()
      }
    })
    await rejects(unleashGateway({ ...server, url: proxy.url }).apply(changes, context), { name: 'UnavailableError' })
    closing.removeAllListeners('query')
    deepEqual([isClosed, await unleashGateway(server).outcome(context.applyId)], [true, null])
  })
})

describe('an interrupted apply', () => {
  it('undoes its steps if the server rejects one', async () => {
    const context = await prepare()
    const nothing = await look(server.client, flag.name)
    const decide = (write) => (isSecond(write) ? 'refuse' : 'pass')
    await withProxy(decide, (gateway) => rejects(gateway.apply(changes, context), { name: 'ConflictError' }))
    deepEqual(await look(server.client, flag.name), nothing)
  })

  it('keeps an edit of another user in between', async () => {
    const context = await prepare()
    const theirs = () => server.client.send('PUT', `${strategiesOf(flag.name)}/${flag.ids[0]}`, { title: 'theirs' })
    const decide = async ({ number, moment }) => {
      if (number === 1 && moment === 'after') await theirs()
      return 'pass'
    }
    await withProxy(decide, (gateway) => rejects(gateway.apply(changes, context), { name: 'ConflictError' }))
    const { strategies, dependencies } = await look(server.client, flag.name)
    deepEqual([strategies[0].title, dependencies], ['theirs', []])
  })

  it('keeps later edits of other users when it undoes its steps', async () => {
    const context = await prepare()
    const theirs = await createFlag(server.client)
    const alter = () =>
      server.client.send('POST', `projects/default/features/${flag.name}/dependencies`, { feature: theirs.name })
    const decide = async (write) => {
      if (!isSecond(write)) return 'pass'
      await alter()
      return 'refuse'
    }
    await withProxy(decide, (gateway) => rejects(gateway.apply(changes, context), { name: 'ConflictError' }))
    const { dependencies } = await look(server.client, flag.name)
    deepEqual(dependencies, [{ feature: theirs.name, enabled: true, variants: [] }])
  })

  for (const [choice, message] of [
    ['cut', 'fetch failed'],
    ['give up', /^The Unleash server responded to PUT .* with 504\.$/],
  ]) {
    it(`has an unknown result while a call may still arrive: ${choice}`, async () => {
      const context = await prepare()
      const decide = (write) => (isSecond(write) ? choice : 'pass')
      await withProxy(decide, async (gateway) => {
        await rejects(gateway.apply(changes, context), { message })
        await rejects(gateway.outcome(context.applyId), { message: 'The apply may still be running.' })
      })
      await letTimePass()
      equal(await unleashGateway(server).outcome(context.applyId), null)
      deepEqual((await look(server.client, flag.name)).dependencies, [])
    })
  }

  it('ends by itself once no call can arrive', async () => {
    const context = await prepare()
    const nothing = await look(server.client, flag.name)
    const decide = (write) => (isSecond(write) ? 'cut' : 'pass')
    await withProxy(
      decide,
      async (gateway) => {
        await rejects(gateway.apply(changes, context))
        const ended = () =>
          server.knex(tables.attempts).where({ apply_id: context.applyId, state: 'not-applied' }).first()
        while ((await ended()) === undefined) await delay(50)
      },
      { quietMs: 300 },
    )
    deepEqual(await look(server.client, flag.name), nothing)
  })

  it('stops when its outcome is requested', async () => {
    const context = await prepare()
    const nothing = await look(server.client, flag.name)
    let asked
    let askOutcome
    const decide = ({ number, moment }) => {
      if (number === 1 && moment === 'after') asked = askOutcome()
      return 'pass'
    }
    await withProxy(decide, async (gateway) => {
      askOutcome = () => gateway.outcome(context.applyId)
      await rejects(gateway.apply(changes, context), { message: 'The apply took too long and was stopped.' })
      equal(await asked, null)
    })
    deepEqual(await look(server.client, flag.name), nothing)
  })
})
