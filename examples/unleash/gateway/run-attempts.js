const { Refusal, ServerFailure, Unavailable } = require('../server/client')
const { newestEventId } = require('../server/events')
const { conflict, nothingChanged, undoneLater } = require('./conflict')
const { preflight } = require('./preflight')
const { kinds } = require('./steps')
const { undoSteps } = require('./undo')

/** The apply was stopped; no call is running. */
class Stopped extends Error {}

/**
 * Runs applies, step by step. The ledger is written between the calls, so that after a crash it shows which step has an unknown
 * result: the one after the last step with a result.
 *
 * @param {{ client: object, attempts: object }} services
 */
function createRunner({ client, attempts }) {
  return { forward, recover }

  /**
   * Runs the steps atomically: if one fails, the previous ones are undone.
   *
   * @param proceed Called before each call that writes. @throws Stopped to stop the apply
   * @throws ChangeRequestError if nothing has changed; with any other error the result is unknown
   */
  async function forward(attempt, proceed) {
    try {
      await finish(attempt, proceed)
    } catch (error) {
      // A call with a response has ended. Any other call may still reach the server, so it is checked later.
      if (!isOver(error, attempt)) throw error
      await undo(attempt, { inDoubt: error instanceof ServerFailure }).catch((reason) => {
        throw reason instanceof Unavailable ? undoneLater(reason) : reason
      })
      throw nothingChanged(error)
    }
    return attempt.events
  }

  /** Ends an interrupted apply: undoes it, or continues it after steps that cannot be undone. */
  async function recover(attempt, proceed) {
    const { state, steps, results } = attempt
    const next = steps[results.length]
    if (state === 'undoing') return undoAll(attempt)
    if (next !== undefined && !next.final) return undo(attempt, { inDoubt: true })
    try {
      await forward(attempt, proceed)
    } catch (error) {
      if (attempt.state !== 'not-applied') throw error
    }
  }

  async function finish(attempt, proceed) {
    const { steps, results } = attempt
    for (const [index, step] of [...steps.entries()].slice(results.length)) {
      if (step.final && !steps[index - 1]?.final) await preflight(client, attempt, steps)
      const result = await take(attempt, step, index === results.length, proceed)
      await attempts.save(attempt, { results: [...attempt.results, result] })
    }
    const events = steps.flatMap((step, index) => kinds[step.kind].toEvents(step, attempt.results[index]))
    await attempts.save(attempt, { state: 'applied', events, lastEvent: await lastEventId() })
  }

  /** @param isFirst Whether an earlier process may have run the step already. */
  async function take(attempt, step, isFirst, proceed) {
    const kind = kinds[step.kind]
    const current = await kind.read(client, attempt, step)
    if (kind.isBefore(current, step)) {
      proceed(attempt)
      return kind.forward(client, attempt, step)
    }
    if (isFirst && step.final && kind.isDone(current, step)) return {}
    throw conflict(`${subjectOf(step)} was edited by another user during the apply. Check it, and apply again.`)
  }

  async function undo(attempt, { inDoubt }) {
    const results = inDoubt ? [...attempt.results, { inDoubt }] : attempt.results
    await attempts.save(attempt, { state: 'undoing', results })
    await undoAll(attempt)
  }

  async function undoAll(attempt) {
    await undoSteps(client, attempt)
    // Without a step there is no event of the apply, so the server is not asked: it may be down.
    const lastEvent = attempt.results.length === 0 ? attempt.afterEvent : await lastEventId()
    await attempts.save(attempt, { state: 'not-applied', lastEvent })
  }

  async function lastEventId() {
    try {
      return await newestEventId(client)
    } catch (error) {
      // All steps are done, so they are not undone for this.
      throw new Error('The events of the server could not be read.', { cause: error })
    }
  }
}

/** Whether no call is running and the finished steps can be undone. */
function isOver(error, { steps, results }) {
  if (error instanceof ServerFailure || error instanceof Unavailable) return !steps[results.length - 1]?.final
  return error instanceof Refusal || error instanceof Stopped || error.name === 'ConflictError'
}

function subjectOf({ feature, segment, features }) {
  if (segment !== undefined) return `The segment ${segment}`
  return `The flag ${feature ?? features.join(', ')}`
}

module.exports = { Stopped, createRunner }
