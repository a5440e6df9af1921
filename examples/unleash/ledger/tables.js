/** The tables of the front, in the database of the router. */
const tables = {
  attempts: 'unleash_front_applications',
  mirrored: 'unleash_front_mirrored',
  position: 'unleash_front_position',
}

/** Lists as JSON text, times in milliseconds: the same statements for SQLite and Postgres. */
const statements = [
  `create table if not exists ${tables.attempts} (
    apply_id text primary key,
    state text not null,
    owner text not null,
    project text not null,
    environment text not null,
    steps text not null,
    results text not null,
    events text,
    after_event bigint not null,
    last_event bigint,
    updated_at bigint not null
  )`,
  `create index if not exists ${tables.attempts}_state on ${tables.attempts} (state)`,
  `create table if not exists ${tables.mirrored} (event_id bigint primary key)`,
  `create table if not exists ${tables.position} (
    name text primary key,
    first_event bigint not null,
    last_event bigint not null
  )`,
]

/** The key of the advisory lock; must be unique in the database. */
const lockKey = 4_242_002

/** Creates missing tables. Several processes may call it concurrently. */
async function createTables(knex) {
  await knex.transaction(async (trx) => {
    // On Postgres, creating the same table concurrently fails.
    if (knex.client.dialect === 'postgresql') await trx.raw('select pg_advisory_xact_lock(?)', [lockKey])
    for (const statement of statements) await trx.raw(statement)
  })
}

module.exports = { createTables, tables }
