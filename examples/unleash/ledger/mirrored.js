const { tables } = require('./tables')

/** How far below the events that are read again an id is kept: they are sorted by time, not by id. */
const margin = 10_000

/** Which events of the server have been dealt with. */
function createMirrored(knex) {
  const where = { name: 'events' }

  return {
    /** Where the mirror began, and up to where it has dealt with everything; undefined before the first time. */
    async position() {
      const row = await knex(tables.position).where(where).first()
      return row && { first: Number(row.first_event), last: Number(row.last_event) }
    },

    /** Begins behind an event. Does nothing where another process has begun. */
    async begin(eventId) {
      const row = { ...where, first_event: eventId, last_event: eventId }
      await knex(tables.position).insert(row).onConflict('name').ignore()
    },

    /** Those of some ids that nobody has dealt with yet. */
    async unseen(ids) {
      const seen = new Set()
      for (let start = 0; start < ids.length; start += 500) {
        const some = await knex(tables.mirrored).whereIn('event_id', ids.slice(start, start + 500))
        for (const { event_id: id } of some) seen.add(Number(id))
      }
      return ids.filter((id) => !seen.has(id))
    },

    /** Notes ids within a transaction; returns those that no other process has noted. */
    async note(trx, ids) {
      const rows = ids.map((id) => ({ event_id: id }))
      const noted = await trx(tables.mirrored).insert(rows).onConflict('event_id').ignore().returning('event_id')
      return new Set(noted.map(({ event_id: id }) => Number(id)))
    },

    /** Notes that everything up to an event has been dealt with, and forgets ids that are not read again. */
    async advance(last, oldestRead) {
      await knex(tables.position).where(where).where('last_event', '<', last).update({ last_event: last })
      await knex(tables.mirrored)
        .where('event_id', '<', oldestRead - margin)
        .delete()
    },
  }
}

module.exports = { createMirrored }
