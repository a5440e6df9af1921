const { tables } = require('./tables')

/** How far below the re-read events ids are kept: events are sorted by time, not by id. */
const margin = 10_000

/** Which events of the server have been processed. */
function createMirrored(knex) {
  const where = { name: 'events' }

  return {
    /** Where the mirror began, and up to where all events are processed; undefined before the first run. */
    async position() {
      const row = await knex(tables.position).where(where).first()
      return row && { first: Number(row.first_event), last: Number(row.last_event) }
    },

    /** Begins after an event. Does nothing if another process has begun. */
    async begin(eventId) {
      const row = { ...where, first_event: eventId, last_event: eventId }
      await knex(tables.position).insert(row).onConflict('name').ignore()
    },

    /** The ids that are not processed yet. */
    async unseen(ids) {
      const seen = new Set()
      for (let start = 0; start < ids.length; start += 500) {
        const some = await knex(tables.mirrored).whereIn('event_id', ids.slice(start, start + 500))
        for (const { event_id: id } of some) seen.add(Number(id))
      }
      return ids.filter((id) => !seen.has(id))
    },

    /** Stores ids within a transaction; returns those that no other process has stored. */
    async note(trx, ids) {
      const rows = ids.map((id) => ({ event_id: id }))
      const noted = await trx(tables.mirrored).insert(rows).onConflict('event_id').ignore().returning('event_id')
      return new Set(noted.map(({ event_id: id }) => Number(id)))
    },

    /** Stores that all events up to an event are processed, and deletes ids that are not read again. */
    async advance(last, oldestRead) {
      await knex(tables.position).where(where).where('last_event', '<', last).update({ last_event: last })
      await knex(tables.mirrored)
        .where('event_id', '<', oldestRead - margin)
        .delete()
    },
  }
}

module.exports = { createMirrored }
