import type { Knex } from 'knex'
import type { Names } from '../shared/database'
import { appendLock } from './commit'
import { columnTypes, type PostgresConnection } from './connection'

type Run = (text: string) => Promise<{ readonly rows: { readonly id: string | null }[] }>

/**
 * Counts the events present at the start without blocking writers, and those appended since then under the writers' lock.
 * It has no time limit, whatever limits the host has set.
 *
 * @param transaction runs at the level read committed: it must see what was committed while it waited for the lock.
 */
export async function recountPostgres(
  names: Names,
  transaction: <Value>(work: (transaction: Knex.Transaction) => Promise<Value>) => Promise<Value>,
  borrow: <Value>(use: (connection: PostgresConnection) => Promise<Value>, on: Knex) => Promise<Value>,
): Promise<void> {
  await transaction((own) =>
    borrow(
      (connection) =>
        recount(
          names,
          (text) => connection.query({ text, query_timeout: 2 ** 31 - 1, types: columnTypes }) as ReturnType<Run>,
        ),
      own,
    ),
  )
}

async function recount(names: Names, run: Run): Promise<void> {
  const events = names.table('events')
  const limits = `'statement_timeout', 'lock_timeout', 'transaction_timeout'`
  await run(`select set_config(name, '0', true) from pg_settings where name in (${limits})`)
  // One at a time: two would conflict in the same rows.
  await run(`select pg_advisory_xact_lock(hashtextextended('recount', '${events}'::regclass::oid::bigint))`)
  const { rows } = await run(`select max(id) as id from ${events}`)
  const head = BigInt(rows[0]?.id ?? 0)
  await run(addFound(names, `id <= ${head}`))
  await run(`select ${appendLock(names)}`)
  await run(addFound(names, `id > ${head}`))
  for (const text of takeFound(names)) await run(text)
}

/** Results go beside the tallies, marked with a plus: that needs no permission to create tables, and no reader sees them. */
function addFound({ table }: Names, part: string): string {
  return `insert into ${table('event_tallies')} as t (kind, name, project, total, last_id)
    select '+' || kind, name, project, total, last_id from (${groupsInOnePass(table('events'), part)}) as found
    on conflict (kind, name, project) do update
    set total = t.total + excluded.total, last_id = greatest(t.last_id, excluded.last_id)`
}

function groupsInOnePass(events: string, part: string): string {
  return `select case by when 2 then 'feature' when 4 then 'creator' when 6 then 'project' else 'all' end as kind,
      case by when 2 then feature_name when 4 then created_by_user_id::text else '' end as name,
      coalesce(project, '') as project, total, last_id
    from (select grouping(feature_name, created_by_user_id, project) as by, feature_name, created_by_user_id, project,
        count(*) as total, coalesce(max(id), 0) as last_id
      from ${events} where ${part}
      group by grouping sets ((feature_name, project), (created_by_user_id, project), (project), ())) as one
    where not (by = 2 and feature_name is null or by = 4 and created_by_user_id is null or by = 6 and project is null)`
}

/** Only rows that differ are written. */
function takeFound({ table }: Names): string[] {
  const [counts, kept] = [table('event_counts'), table('event_tallies')]
  const differs = (alias: string) => `(${alias}.total, ${alias}.last_id) <> (excluded.total, excluded.last_id)`
  return [
    `insert into ${kept} as t (kind, name, project, total, last_id)
     select substr(kind, 2), name, project, total, last_id from ${kept} where kind in ('+feature', '+creator')
     on conflict (kind, name, project) do update set total = excluded.total, last_id = excluded.last_id
     where ${differs('t')}`,
    `insert into ${counts} as c (project, total, last_id)
     select project, total, last_id from ${kept} where kind = '+project'
     on conflict (project) do update set total = excluded.total, last_id = excluded.last_id where ${differs('c')}`,
    // The newest id of the instance stays: after all events were removed, ids still continue from there.
    `insert into ${counts} as c (project, total, last_id)
     select '', total, last_id from ${kept} where kind = '+all'
     on conflict (project) do update set total = excluded.total, last_id = greatest(c.last_id, excluded.last_id)`,
    `delete from ${table('event_tallies')} as t where kind in ('feature', 'creator') and not exists (
       select 1 from ${kept} as f where f.kind = '+' || t.kind and f.name = t.name and f.project = t.project)`,
    `delete from ${table('event_counts')} as c where project <> '' and not exists (
       select 1 from ${kept} as f where f.kind = '+project' and f.project = c.project)`,
    `delete from ${table('event_tallies')} where kind in ('+feature', '+creator', '+project', '+all')`,
  ]
}
