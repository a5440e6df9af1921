const { apiKeys, createChangeRequestRouter } = require('express-change-requests')
const { knexStorage } = require('express-change-requests/knex')
const knex = require('knex')
const { unleashMirror } = require('../../mirror')

/** A router whose log the mirror writes, and what is in it. */
function openLog({ knex: handle }) {
  const storage = knexStorage({ knex: handle })
  const router = createChangeRequestRouter({ storage, authenticate: apiKeys([]) })
  return {
    router,
    record: router.events.record,
    /** All of it, the oldest first. */
    async read() {
      const events = []
      for (;;) {
        const page = await storage.eventPage({}, { after: events.at(-1)?.id ?? 0 }, 1_000)
        events.push(...JSON.parse(`[${Buffer.from(page.json)}]`))
        if (page.searched < 1_000) return events
      }
    },
  }
}

/** The database of the server, to insert many events. */
function openServerDatabase({ serverDatabaseUrl }) {
  const handle = knex({ client: 'pg', connection: serverDatabaseUrl })
  return {
    knex: handle,
    /** Adds events of another user, each at its own time unless `moment` is set. */
    async addEvents(count, { db = handle, moment = false } = {}) {
      await db.raw(
        `insert into events (type, created_by, created_by_user_id, data, feature_name, project, created_at)
         select 'feature-updated', 'ann', 7, '{}', 'flag-' || number, 'default',
                now() + ${moment ? 0 : 1} * number * interval '1 microsecond'
         from generate_series(1, ?) as number`,
        [count],
      )
    },
    ids: async () => (await handle('events').orderBy('id').pluck('id')).map(Number),
  }
}

module.exports = { openLog, openServerDatabase, unleashMirror }
