const columns = 'type, project, environment, feature_name, created_by_user_id, change_request_id, group_type, group_id'

/** A body begins with its time, in 24 characters. A copy gets its own time. */
const bodyStart = '{"createdAt":"'

const isPostgres = (knex) => knex.client.driverName === 'pg'

/**
 * Appends copies of the `first` events with later times until there are `rows`: a log of ten million events in minutes.
 * Disables durability while it writes, and restores it afterwards.
 */
function copyEvents(knex, table, { first, rows }) {
  const hurried = isPostgres(knex) ? hurriedPostgres : hurriedSqlite
  return hurried(knex, () =>
    withoutIndexes(knex, table, async () => {
      await repeat(knex, table, first, rows)
      // Before the indexes are created: the first read of a page also writes to it.
      if (isPostgres(knex)) await knex.raw(`vacuum ${table}`)
    }),
  )
}

/**
 * In the order of time, also on Postgres: its subquery uses the number of the copy, so that it runs once for each. From a separate
 * table: SQLite would first copy the rows to a temporary one if it selected from the same table.
 */
async function repeat(knex, table, first, rows) {
  const seed = `${table}_seed`
  const copies = Math.ceil(rows / first) - 1
  const [later, text, source] = isPostgres(knex)
    ? [
        `created_at + copy * interval '${first} seconds'`,
        `to_char(later at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        `generate_series(1, ${copies}) as copy, lateral (select * from ${seed} where copy > 0 offset 0) as events`,
      ]
    : [
        `strftime('%Y-%m-%dT%H:%M:%fZ', created_at, (copy * ${first}) || ' seconds')`,
        'later',
        `(with recursive copies(copy) as (select 1 union all select copy + 1 from copies where copy < ${copies})
          select copy from copies) cross join ${seed}`,
      ]
  await knex.raw(`create table ${seed} as select * from ${table} order by id`)
  await knex.raw(
    `insert into ${table} (created_at, body, ${columns})
      select later, '${bodyStart}' || ${text} || substr(body, ${bodyStart.length + 25}), ${columns}
      from (select ${later} as later, body, ${columns} from ${source} limit ${rows - first}) as copied`,
  )
  await knex.raw(`drop table ${seed}`)
}

/** Creating an index on millions of rows is faster than updating it for each row. */
async function withoutIndexes(knex, table, work) {
  const indexes = isPostgres(knex)
    ? await knex('pg_indexes').select({ name: 'indexname', sql: 'indexdef' }).where({ tablename: table })
    : await knex('sqlite_master').select('name', 'sql').where({ tbl_name: table, type: 'index' }).whereNotNull('sql')
  const removable = indexes.filter(({ name }) => !name.endsWith('_pkey'))
  for (const { name } of removable) await knex.raw(`drop index ${name}`)
  await work()
  // On Postgres concurrently: then they share one scan of the table.
  if (isPostgres(knex)) await Promise.all(removable.map(({ sql }) => knex.raw(sql)))
  else for (const { sql } of removable) await knex.raw(sql)
}

async function hurriedPostgres(knex, work) {
  const settings = { synchronous_commit: 'off', max_wal_size: '8GB', maintenance_work_mem: '256MB' }
  for (const [name, value] of Object.entries(settings)) await knex.raw(`alter system set ${name} = '${value}'`)
  await knex.raw('select pg_reload_conf()')
  await work()
  for (const name of Object.keys(settings)) await knex.raw(`alter system reset ${name}`)
  await knex.raw('select pg_reload_conf()')
}

/** The settings belong to the only connection of the pool, except for the journal, which belongs to the file. */
async function hurriedSqlite(knex, work) {
  const [{ journal_mode: journal }] = await knex.raw('pragma journal_mode')
  for (const setting of ['synchronous = off', 'journal_mode = off', 'cache_size = -262144']) {
    await knex.raw(`pragma ${setting}`)
  }
  await work()
  await knex.raw(`pragma journal_mode = ${journal}`)
  await knex.raw('pragma synchronous = full')
}

module.exports = { copyEvents, isPostgres }
