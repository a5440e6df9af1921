const { ChangeRequestError } = require('express-change-requests')
const { Unavailable, unleashClient } = require('../server/client')
const { newestEventId } = require('../server/events')
const { createAttempts } = require('../ledger/attempts')
const { createTables } = require('../ledger/tables')
const { Stopped, createRunner } = require('./run-attempts')
const { conflict, nothingChanged, unreadable } = require('./conflict')
const { readCurrent } = require('./current')
const { planChanges } = require('./plan-changes')
const { actions } = require('./target')

/**
 * The flag gateway of the router for an Unleash server. Call `migrate()`, then `recover()` at every start, and
 * `close()` before the database is closed.
 *
 * @param {object} options
 * @param {string} options.url The server.
 * @param {string} options.token An admin token that nothing else uses.
 * @param {import('knex').Knex} options.knex The database of the ledger, preferably that of the router.
 * @param {number} [options.callTimeoutMs] How long one call may take. Default: 5 seconds.
 * @param {number} [options.quietMs] After how long without progress an apply counts as interrupted. Must be longer than
 * five calls may take. Default: 30 seconds, less than `limits.applyTimeoutMs` of the router.
 * @param {import('express-change-requests').Logger} [options.logger]
 */
function unleashGateway({ url, token, knex, callTimeoutMs = 5_000, quietMs = 30_000, logger }) {
  const client = unleashClient({ url, token, callTimeoutMs })
  const attempts = createAttempts(knex)
  const runner = createRunner({ client, attempts })
  /** The running applies of this process, by applyId. */
  const running = new Map()
  let timer
  let closed = false

  return {
    actions,
    current,
    apply,
    outcome,
    migrate,
    recover,
    close,
  }

  async function current(subjects) {
    try {
      return await readCurrent(client, subjects)
    } catch (error) {
      throw unreadable(error)
    }
  }

  /** Creates the tables of the ledger. */
  function migrate() {
    return createTables(knex)
  }

  async function apply(changes, { applyId, project, environment }) {
    const task = { stopped: false }
    return track(applyId, task, async () => {
      await endUndoing(changes)
      const planned = await plan(changes, { project, environment })
      const attempt = await attempts.begin({ applyId, project, environment, ...planned })
      if (attempt === undefined) throw conflict('This apply has already run or was cancelled. Apply again.')
      try {
        return await runner.forward(attempt, (current) => {
          if (task.stopped) throw new Stopped('The apply took too long and was stopped.')
          requireLease(current)
        })
      } catch (error) {
        await releaseIfIdle(attempt, error)
        throw error
      } finally {
        if (isOpen(attempt)) recoverLater()
      }
    })
  }

  /** Ends earlier applies of the same flags that are still to be undone: undone later, they would undo this one, too. */
  async function endUndoing(changes) {
    const subjects = new Set(changes.map(({ feature, payload }) => feature ?? payload.id))
    const isAbout = ({ feature, features = [], segment }) =>
      [feature, segment, ...features].some((one) => subjects.has(one))
    const undoing = (await attempts.open()).filter(({ state, steps }) => state === 'undoing' && steps.some(isAbout))
    for (const attempt of undoing) {
      await end(attempt).catch((error) => {
        if (error instanceof Unavailable) throw nothingChanged(error)
        const message = 'An earlier apply of the same flags is still being undone. Try again later.'
        throw new ChangeRequestError('UnavailableError', message, { cause: error })
      })
    }
  }

  /** After these errors no call is running, so that nothing has to wait until the apply counts as interrupted. */
  async function releaseIfIdle(attempt, error) {
    const isIdle = error instanceof Unavailable || error.cause instanceof Unavailable
    if (isIdle && isOpen(attempt)) await attempts.release(attempt)
  }

  /** @throws ChangeRequestError for each error of the server: nothing is written yet */
  async function plan(changes, place) {
    try {
      return { steps: await planChanges(client, changes, place), afterEvent: await newestEventId(client) }
    } catch (error) {
      throw nothingChanged(error)
    }
  }

  /** Another process may take over an apply without progress, so this process must stop before that. */
  function requireLease({ updatedAt }) {
    if (Date.now() - updatedAt > quietMs / 2) throw new Error('The server responded too late to continue.')
  }

  async function outcome(applyId) {
    const task = running.get(applyId)
    if (task !== undefined) {
      task.stopped = true
      await task.ended
    }
    const attempt = await attempts.find(applyId)
    if (attempt === undefined) return (await attempts.forbid(applyId)) ? null : outcome(applyId)
    if (isOpen(attempt)) {
      await end(attempt).catch((error) => {
        throw unreadable(error)
      })
    }
    return attempt.state === 'applied' ? attempt.events : null
  }

  /** Ends interrupted applies, and retries while some are left. Resolves with their ids. */
  async function recover() {
    const open = await attempts.open()
    const overdue = open.filter((each) => !running.has(each.applyId) && isQuiet(each))
    const results = await Promise.allSettled(overdue.map(end))
    for (const { reason: err } of results)
      if (err !== undefined) logger?.warn({ err }, 'An interrupted apply could not be ended; it will be retried.')
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

  async function end(attempt) {
    if (!isQuiet(attempt)) throw new Error('The apply may still be running.')
    await track(attempt.applyId, { stopped: false }, async () => {
      await attempts.takeOver(attempt)
      try {
        await runner.recover(attempt, requireLease)
      } catch (error) {
        await releaseIfIdle(attempt, error)
        throw error
      }
    })
  }

  /** Runs one task for an apply, and lets others wait for its end. */
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
