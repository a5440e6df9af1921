const { unleashClient } = require('../server/client')
const { newestEventId } = require('../server/events')
const { createApplications } = require('../ledger/applications')
const { createTables } = require('../ledger/tables')
const { Stopped, createRunner } = require('./carry-out')
const { conflict } = require('./conflict')
const { readCurrent } = require('./current')
const { planChanges } = require('./plan-changes')
const { actions } = require('./target')

/**
 * The flag gateway of the router for an Unleash server. Call `migrate()`, then `recover()` at every start, and
 * `close()` before the database is closed.
 *
 * @param {object} options
 * @param {string} options.url The server.
 * @param {string} options.token An admin token that nobody else uses.
 * @param {import('knex').Knex} options.knex Where the ledger is, best the database of the router.
 * @param {number} [options.callTimeoutMs] How long one call may take. Default: 5 seconds.
 * @param {number} [options.quietMs] After how long without a sign of life an application counts as broken off. Choose
 * more than five calls may take. Default: 30 seconds, less than `limits.applyTimeoutMs` of the router.
 * @param {import('express-change-requests').Logger} [options.logger]
 */
function unleashGateway({ url, token, knex, callTimeoutMs = 5_000, quietMs = 30_000, logger }) {
  const client = unleashClient({ url, token, callTimeoutMs })
  const applications = createApplications(knex)
  const runner = createRunner({ client, applications })
  /** What this process is at, by applyId. */
  const running = new Map()
  let timer
  let closed = false

  return {
    actions,
    current: (subjects) => readCurrent(client, subjects),
    apply,
    outcome,
    migrate,
    recover,
    close,
  }

  /** Creates the tables of the ledger. */
  function migrate() {
    return createTables(knex)
  }

  async function apply(changes, { applyId, project, environment }) {
    const task = { stopped: false }
    return track(applyId, task, async () => {
      const steps = await planChanges(client, changes, { project, environment })
      const afterEvent = await newestEventId(client)
      const application = await applications.begin({ applyId, project, environment, steps, afterEvent })
      if (application === undefined) throw conflict('This application has been made or given up before. Apply again.')
      try {
        return await runner.forward(application, (current) => {
          if (task.stopped) throw new Stopped('The application took too long, and was stopped.')
          requireLease(current)
        })
      } finally {
        if (isOpen(application)) recoverLater()
      }
    })
  }

  /** Another process may take an application over that shows no sign of life; so it must not go on by then. */
  function requireLease({ updatedAt }) {
    if (Date.now() - updatedAt > quietMs / 2) throw new Error('The server answered too late to go on.')
  }

  async function outcome(applyId) {
    const task = running.get(applyId)
    if (task !== undefined) {
      task.stopped = true
      await task.ended
    }
    const application = await applications.find(applyId)
    if (application === undefined) return (await applications.forbid(applyId)) ? null : outcome(applyId)
    if (isOpen(application)) await end(application)
    return application.state === 'applied' ? application.events : null
  }

  /** Ends what broke off, and tries again as long as something is open. Resolves with the ids of what is open still. */
  async function recover() {
    const open = await applications.open()
    const overdue = open.filter((each) => !running.has(each.applyId) && isQuiet(each))
    const results = await Promise.allSettled(overdue.map(end))
    for (const { reason: err } of results) if (err !== undefined) logger?.warn({ err }, 'An application is still open.')
    const left = open.filter(isOpen).map(({ applyId }) => applyId)
    if (left.length > 0) recoverLater()
    return left
  }

  function recoverLater() {
    if (closed || timer !== undefined) return
    timer = setTimeout(async () => {
      timer = undefined
      try {
        await recover()
      } catch (err) {
        logger?.error({ err }, 'The ledger could not be read.')
        recoverLater()
      }
    }, quietMs / 3).unref()
  }

  function close() {
    closed = true
    clearTimeout(timer)
  }

  function isQuiet({ updatedAt }) {
    return Date.now() - updatedAt >= quietMs
  }

  async function end(application) {
    if (!isQuiet(application)) throw new Error('The application may still be under way.')
    await track(application.applyId, { stopped: false }, async () => {
      await applications.takeOver(application)
      await runner.recover(application, requireLease)
    })
  }

  /** Runs one task for an application, and lets others see when it has ended. */
  async function track(applyId, task, run) {
    const result = run()
    task.ended = result.catch(() => {})
    running.set(applyId, task)
    try {
      return await result
    } finally {
      if (running.get(applyId) === task) running.delete(applyId)
    }
  }
}

function isOpen({ state }) {
  return state === 'applying' || state === 'undoing'
}

module.exports = { unleashGateway }
