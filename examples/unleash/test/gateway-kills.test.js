const { deepEqual, equal, notDeepEqual } = require('node:assert/strict')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { after, before, describe, it } = require('node:test')
const { unleashGateway } = require('../gateway')
const { tables } = require('../ledger/tables')
const { startProxy } = require('./support/deadly-proxy')
const { openServer } = require('./support/open-server')
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
