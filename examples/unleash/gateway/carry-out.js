const { Refusal, ServerFailure } = require('../server/client')
const { newestEventId } = require('../server/events')
const { conflict, refusedBy } = require('./conflict')
const { preflight } = require('./preflight')
const { kinds } = require('./steps')
const { undoSteps } = require('./undo')

/** The apply was stopped; no call is running. */
class Stopped extends Error {}

/**
 * Runs applies, step by step. The ledger is written between the calls, so that after a crash it shows which step has an unknown
 * result: the one after the last step with a result.
 *
 * @param {{ client: object, applications: object }} services
 */
function createRunner({ client, applications }) {
  return { forward, recover }

  /**
   * Runs the steps atomically: if one fails, the previous ones are undone.
   *
   * @param proceed Called before each call that writes. @throws Stopped to stop the apply
   * @throws ChangeRequestError if nothing has changed; with any other error the result is unknown
   */
  async function forward(application, proceed) {
    try {
      await finish(application, proceed)
    } catch (error) {
      // A call with a response has ended. Any other call may still reach the server, so it is checked later.
      if (!isOver(error, application)) throw error
      await undo(application, { inDoubt: error instanceof ServerFailure })
      throw error instanceof Refusal ? refusedBy(error) : error
    }
    return application.events
  }

  /** Ends an interrupted apply: undoes it, or continues it after steps that cannot be undone. */
  async function recover(application, proceed) {
    const { state, steps, results } = application
    const next = steps[results.length]
    if (state === 'undoing') return undoAll(application)
    if (next !== undefined && !next.final) return undo(application, { inDoubt: true })
    try {
      await forward(application, proceed)
    } catch (error) {
      if (application.state !== 'not-applied') throw error
    }
  }

  async function finish(application, proceed) {
    const { steps, results } = application
    for (const [index, step] of [...steps.entries()].slice(results.length)) {
      if (step.final && !steps[index - 1]?.final) await preflight(client, application, steps)
      const result = await take(application, step, index === results.length, proceed)
      await applications.save(application, { results: [...application.results, result] })
    }
    const events = steps.flatMap((step, index) => kinds[step.kind].toEvents(step, application.results[index]))
    await applications.save(application, { state: 'applied', events, lastEvent: await lastEventId() })
  }

  /** @param isFirst Whether an earlier process may have run the step already. */
  async function take(application, step, isFirst, proceed) {
    const kind = kinds[step.kind]
    const present = await kind.read(client, application, step)
    if (kind.isBefore(present, step)) {
      proceed(application)
      return kind.forward(client, application, step)
    }
    if (isFirst && step.final && kind.isDone(present, step)) return {}
    throw conflict(`${subjectOf(step)} was altered by somebody else in the meantime. Look at it, and apply again.`)
  }

  async function undo(application, { inDoubt }) {
    const results = inDoubt ? [...application.results, { inDoubt }] : application.results
    await applications.save(application, { state: 'undoing', results })
    await undoAll(application)
  }

  async function undoAll(application) {
    await undoSteps(client, application)
    await applications.save(application, { state: 'not-applied', lastEvent: await lastEventId() })
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
  if (error instanceof ServerFailure) return !steps[results.length - 1]?.final
  return error instanceof Refusal || error instanceof Stopped || error.name === 'ConflictError'
}

function subjectOf({ feature, segment, features }) {
  if (segment !== undefined) return `The segment ${segment}`
  return `The flag ${feature ?? features.join(', ')}`
}

module.exports = { Stopped, createRunner }
