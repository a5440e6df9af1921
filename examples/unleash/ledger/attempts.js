const { randomUUID } = require('node:crypto')
const { tables } = require('./tables')

/**
 * An apply in the ledger. Its states are `applying`, `undoing`, `applied` and `not-applied`. `results` has one entry for each
 * finished step; the result of the next step is unknown until the apply has ended.
 */

/** Another process has taken over the apply. */
class TakenOver extends Error {}

/** The progress of each apply, written before every call to the server. */
function createAttempts(knex) {
  const rows = () => knex(tables.attempts)

  return {
    find: async (applyId) => toAttempt(await rows().where({ apply_id: applyId }).first()),
    open: async () => (await rows().whereIn('state', ['applying', 'undoing']).orderBy('updated_at')).map(toAttempt),
    /** Applies that may have caused events of the server after a given one. */
    async causing(eventId) {
      const open = (query) => query.whereNull('last_event').orWhere('last_event', '>', eventId)
      return (await rows().whereNot({ steps: '[]' }).where(open)).map(toAttempt)
    },

    /** Begins an apply. Undefined if its id already exists. */
    async begin({ applyId, project, environment, steps, afterEvent }) {
      const row = { project, environment, steps: JSON.stringify(steps), results: '[]', after_event: afterEvent }
      return insert(applyId, { ...row, state: 'applying' })
    },

    /** Prevents an unknown apply from ever beginning. False if it already exists. */
    async forbid(applyId) {
      const row = { project: '', environment: '', steps: '[]', results: '[]', after_event: 0, last_event: 0 }
      return (await insert(applyId, { ...row, state: 'not-applied' })) !== undefined
    },

    /** Takes over the apply of another process. @throws TakenOver if a third process was first */
    takeOver: (attempt) => save(attempt, { owner: randomUUID() }),

    /** Lets any process end the apply immediately, because no call is running. */
    async release(attempt) {
      await rows().where({ apply_id: attempt.applyId, owner: attempt.owner }).update({ updated_at: 0 })
      attempt.updatedAt = 0
    },

    save,
  }

  async function insert(applyId, row) {
    const owner = randomUUID()
    const inserted = await rows()
      .insert({ apply_id: applyId, owner, updated_at: Date.now(), ...row })
      .onConflict('apply_id')
      .ignore()
      .returning('*')
    return toAttempt(inserted[0])
  }

  /** Stores the progress of an apply. @throws TakenOver */
  async function save(attempt, changes) {
    const updatedAt = Date.now()
    const { owner, state, results, events, lastEvent } = changes
    const count = await rows()
      .where({ apply_id: attempt.applyId, owner: attempt.owner })
      .update({
        updated_at: updatedAt,
        ...(owner && { owner }),
        ...(state && { state }),
        ...(results && { results: JSON.stringify(results) }),
        ...(events && { events: JSON.stringify(events) }),
        ...(lastEvent !== undefined && { last_event: lastEvent }),
      })
    if (count === 0) throw new TakenOver(`Another process has taken over the apply ${attempt.applyId}.`)
    Object.assign(attempt, changes, { updatedAt })
  }
}

function toAttempt(row) {
  if (row === undefined) return undefined
  return {
    applyId: row.apply_id,
    state: row.state,
    owner: row.owner,
    project: row.project,
    environment: row.environment,
    steps: JSON.parse(row.steps),
    results: JSON.parse(row.results),
    events: row.events === null ? null : JSON.parse(row.events),
    afterEvent: Number(row.after_event),
    lastEvent: row.last_event === null ? null : Number(row.last_event),
    updatedAt: Number(row.updated_at),
  }
}

module.exports = { TakenOver, createAttempts }
