const { deepEqual, equal, notDeepEqual } = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { after, before, describe, it } = require('node:test')
const { setTimeout: wait } = require('node:timers/promises')
const express = require('express')
const { apiKeys, createChangeRequestRouter } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const { unleashGateway } = require('../gateway')
const { tables } = require('../ledger/tables')
const { startProxy } = require('./support/deadly-proxy')
const { createFlag, look, openServer, rollout } = require('./support/open-server')
const { prepareStory } = require('./support/whole-story')

/** The writes of the story; the first of those that cannot be undone; the last that can. */
const writes = 13
const firstFinal = 10
const lastUndone = firstFinal - 1

let server
let gateway
let whole
let attempts = 0

before(async () => {
  server = await openServer()
  gateway = unleashGateway(server)
  await gateway.migrate()
  const story = await prepareStory(server)
  await gateway.apply(story.changes, contextOf())
  whole = await story.lookAround()
})

after(() => server?.close())

function contextOf() {
  attempts += 1
  return { project: 'default', environment: 'production', applyId: `killed-${attempts}` }
}

/** Applies the story in a process that is killed at a write, and ends it as the next start does. */
async function applyAndDie(decide) {
  const { changes, lookAround } = await prepareStory(server)
  const nothing = await lookAround()
  const context = contextOf()
  let child
  const proxy = await startProxy(server.url, (write) => {
    const choice = decide(write)
    if (choice === 'stop') child.kill('SIGKILL')
    return choice
  })
  const { token, databaseUrl, callTimeoutMs, quietMs } = server
  const options = { url: proxy.url, token, databaseUrl, callTimeoutMs, quietMs }
  const attempt = JSON.stringify({ ...options, changes, context })
  const file = require.resolve('./support/apply-once.js')
  child = spawn(process.execPath, [file], { env: { ...process.env, APPLICATION: attempt }, stdio: 'ignore' })
  const [status, signal] = await once(child, 'exit')
  await proxy.close()
  // Simulates that time has passed, so that the apply counts as interrupted.
  await server.knex(tables.attempts).where({ apply_id: context.applyId }).update({ updated_at: 0 })
  deepEqual(await gateway.recover(), [])
  const events = await gateway.outcome(context.applyId)
  return { died: signal ?? status, writes: proxy.writes(), events, state: await lookAround(), nothing }
}

describe('a process that is killed while it applies', () => {
  for (let number = 1; number <= writes; number += 1) {
    for (const moment of ['before', 'after']) {
      const end = number < firstFinal ? 'nothing' : 'all'
      it(`ends in ${end}: ${moment} write ${number} of ${writes}`, async () => {
        const at = (write) => (write.number === number && write.moment === moment ? 'stop' : 'pass')
        const { died, events, state, nothing } = await applyAndDie(at)
        equal(died, 'SIGKILL')
        deepEqual(state, end === 'all' ? whole : nothing)
        equal(events === null ? 'nothing' : 'all', end)
      })
    }
  }

  it('applies all changes if it is not killed', async () => {
    const { died, writes: made, state, nothing } = await applyAndDie(() => 'pass')
    deepEqual([died, made, state], [0, writes, whole])
    notDeepEqual(whole, nothing)
  })
})

describe('a process that is killed while it undoes steps', () => {
  // The server refuses the last write that can be undone, and each one before is undone by one of the next writes.
  for (let number = lastUndone + 1; number < 2 * lastUndone; number += 1) {
    for (const moment of ['before', 'after']) {
      it(`ends in nothing: ${moment} write ${number}`, async () => {
        const { died, events, state, nothing } = await applyAndDie((write) => {
          if (write.number === lastUndone) return 'refuse'
          return write.number === number && write.moment === moment ? 'stop' : 'pass'
        })
        equal(died, 'SIGKILL')
        deepEqual(state, nothing)
        equal(events, null)
      })
    }
  }
})

const kills = Number(process.env.RUNS ?? 5)
const ann = { key: 'user:ann', user: { id: 1, username: 'ann' } }
const ben = { key: 'user:ben', user: { id: 2, username: 'ben' } }
const grants = [{ permission: 'ADMIN' }]

/** Long timeouts for a busy machine. */
function limits() {
  return { hookTimeoutMs: server.callTimeoutMs, applyTimeoutMs: 2 * server.callTimeoutMs }
}

function openRouter(more = {}) {
  return createChangeRequestRouter({
    storage: knexStorage({ knex: server.knex }),
    authenticate: apiKeys([ann, ben].map((person) => ({ ...person, grants }))),
    flags: gateway,
    limits: { ...limits(), ...more },
  })
}

/** Proposes the change, and approves it; the id and the path of the change request. */
async function approved(change) {
  const router = openRouter()
  const listener = express().use(router).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const send = async ({ key }, method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${listener.address().port}/api/admin/${path}`, {
      method,
      headers: { Authorization: key, 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify(body),
    })
    equal(answer.status, 200)
    return answer.json()
  }
  const { id } = await send(ann, 'POST', 'projects/default/environments/production/change-requests', change)
  const path = `projects/default/change-requests/${id}`
  await send(ann, 'PUT', `${path}/state`, { state: 'In review' })
  await send(ben, 'PUT', `${path}/state`, { state: 'Approved' })
  await new Promise((closed) => listener.close(closed))
  await router.close()
  return { id, path }
}

/** Applies it in a process that is killed after a write to the server, or, without one, once the gateway has returned. */
async function applyReviewedAndDie(path, lastWrite) {
  let child
  const proxy = await startProxy(server.url, (write) => {
    const isLast = write.number === lastWrite && write.moment === 'after'
    if (isLast) child.kill('SIGKILL')
    return isLast ? 'stop' : 'pass'
  })
  const { token, databaseUrl, callTimeoutMs, quietMs } = server
  const options = { url: proxy.url, token, databaseUrl, callTimeoutMs, quietMs, limits: limits(), ...ben, path }
  const file = require.resolve('./support/apply-and-die.js')
  const env = { ...process.env, APPLICATION: JSON.stringify(options) }
  child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')
  await proxy.close()
  equal(signal, 'SIGKILL')
  // Simulates that time has passed, so that the apply counts as interrupted.
  await server.knex(tables.attempts).where({ state: 'applying' }).update({ updated_at: 0 })
}

/** What is applied, and what the log then has. The gateway takes back what a crash leaves before the first deletion. */
const cases = [
  {
    moment: 'once the gateway has returned',
    change: ({ name }) => ({ action: 'updateEnabled', feature: name, payload: { enabled: true } }),
    event: 'feature-environment-enabled',
    result: { enabled: true, strategies: 2 },
  },
  {
    moment: 'after the last write',
    // The strategy is disabled, then deleted.
    lastWrite: 2,
    change: ({ name, ids }) => ({ action: 'deleteStrategy', feature: name, payload: { id: ids[0] } }),
    event: 'feature-strategy-remove',
    result: { enabled: false, strategies: 1 },
  },
]

describe('a process that is killed between the last write to the server and the commit', () => {
  before(() => openRouter().migrate())

  for (let kill = 0; kill < kills; kill += 1) {
    const { moment, lastWrite, change, event, result } = cases[kill % cases.length]
    it(`leaves a change request that start() settles as Applied: kill ${kill + 1}, ${moment}`, async () => {
      const flag = await createFlag(server.client, { strategies: [rollout('50'), rollout('10')] })
      const { id, path } = await approved(change(flag))
      await applyReviewedAndDie(path, lastWrite)
      const stored = () => server.knex('ffcr_change_requests').where({ id }).first('state')
      const { enabled, strategies } = await look(server.client, flag.name)
      deepEqual([(await stored()).state, { enabled, strategies: strategies.length }], ['Approved', result])
      const router = openRouter({ applyTimeoutMs: 1_000 })
      router.start()
      try {
        while ((await stored()).state !== 'Applied') await wait(20)
      } finally {
        await router.close()
      }
      const rows = await server.knex('ffcr_events').orderBy('id', 'desc').limit(2).select('type', 'feature_name')
      deepEqual(
        rows.reverse().map(({ type, feature_name }) => [type, feature_name]),
        [
          [event, flag.name],
          ['change-request-applied', flag.name],
        ],
      )
    })
  }
})
