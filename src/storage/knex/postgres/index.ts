import type { Knex } from 'knex'
import type { OpenKey } from '../../../ports/storage'
import type { Migration } from '../migrations'
import { createEventReads } from '../postings/event-reads'
import { Sealer } from '../postings/sealer'
import { type Database, type Entry, type IdKind, safeInteger } from '../shared/database'
import { postgresFailure } from '../shared/failures'
import { changeRequestReads } from '../shared/reads'
import { discardIfSilent, type PostgresOptions, postgresConnections } from './connection'
import { readRawRows } from './events/raw-row-reader'
import { postgresEventCounts, postgresEventStatements } from './events/reads'
import { recountPostgres } from './events/recount'
import { postgresSealing } from './events/sealing'
import { numbered, postgresFilter } from './events/statements'
import { migratePostgres, postgresHealth } from './migrate'
import { listenToCommits } from './notify'
import { entryWriter, hostTransactions, raceConstraints } from './write-entries'

export function postgresDatabase(options: PostgresOptions, migrations: readonly Migration[]): Database {
  const { knex, names, blockSize } = options
  const { table } = names
  const connections = postgresConnections(options)
  const { borrow, query, nameOf } = connections
  const { writeApart, writeInside } = entryWriter(options, connections)
  const rivals = raceConstraints(options)

  // With a limit the planner uses an index lookup per key, however few rows it expects.
  const findOpenText = `select place, version, document
    from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as k(project, environment, user_id, place)
    cross join lateral (
      select version, document from ${table('change_requests')} as c
      where c.project = k.project and c.environment = k.environment and c.created_by = k.user_id and c.open
      limit 1
    ) as found`

  /** The size of the last page that was read, with some room. */
  let bytesPerEvent = 1_024

  const rows = (text: string, values: readonly unknown[] = []) =>
    borrow(async (connection) => (await query(connection, text, [...values], false)).rows)
  const sealer = new Sealer(postgresSealing(names, rows), blockSize)
  const statements = postgresEventStatements(names, {
    rows,
    async page({ text, values, planKept = false }, limit) {
      const expectedBytes = Math.ceil(limit * bytesPerEvent)
      const page = await borrow((connection) =>
        discardIfSilent(
          connection,
          readRawRows(connection, {
            text,
            values,
            ...nameOf(text, planKept),
            query_timeout: options.statementTimeoutMs,
            expectedBytes,
          }),
        ),
      )
      if (page.count > 0) bytesPerEvent = (page.json.length / page.count) * 1.05
      return page
    },
  })

  return {
    migrate: () => migratePostgres(options, migrations),
    health: () => postgresHealth(names, (text) => borrow((connection) => query(connection, text, [], false))),
    ...changeRequestReads(names, {
      rows: (text, values, planned) =>
        borrow(
          async (connection) => (await query(connection, numbered(text), [...values], planned === undefined)).rows,
        ),
      among: (column) => postgresFilter.among(column, 'text'),
      isoTime: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    }),
    failureOf: (error) => postgresFailure(error, rivals),
    transaction: hostTransactions(options, connections),
    nextIds: (kind: IdKind, count: number) =>
      borrow(async (connection) => {
        const sequence = table(kind === 'change' ? 'change_ids' : 'change_request_ids')
        const text = `select nextval('${sequence}') as id from generate_series(1, $1::integer)`
        const { rows } = await query(connection, text, [count])
        return rows.map(({ id }) => safeInteger(id))
      }),
    findOpen: (keys: readonly OpenKey[]) =>
      borrow(async (connection) => {
        const { rows } = await query(connection, findOpenText, [
          keys.map(({ project }) => project),
          keys.map(({ environment }) => environment),
          keys.map(({ userId }) => userId),
        ])
        const found = new Map(rows.map((row) => [Number(row.place), row]))
        return keys.map((_, index) => {
          const row = found.get(index + 1)
          return row && { version: row.version, changeRequest: JSON.parse(row.document) }
        })
      }),
    write: (entries: readonly Entry[], transaction?: Knex.Transaction) =>
      transaction === undefined
        ? borrow((connection) => writeApart(connection, entries))
        : borrow((connection) => writeInside(connection, entries), transaction),
    isRefusal,
    eventHeads: (projects: readonly string[]) =>
      borrow(async (connection) => {
        const text = `select project, total, last_id from ${table('event_counts')} where project = any($1::text[])`
        const { rows } = await query(connection, text, [projects])
        const heads = new Map(rows.map((row) => [row.project, row]))
        return projects.map((project) => ({
          lastId: safeInteger(heads.get(project)?.last_id ?? 0),
          total: safeInteger(heads.get(project)?.total ?? 0),
        }))
      }),
    ...createEventReads(statements, blockSize),
    ...postgresEventCounts(names, { rows }),
    appended: (count) => sealer.appended(count),
    sealed: () => sealer.idle(),
    ...(options.notify && {
      listen: (notify: () => void) => listenToCommits(knex, names, options.acquireTimeoutMs, notify),
    }),
    recountEvents: () =>
      recountPostgres(names, (work) => knex.transaction(work, { isolationLevel: 'read committed' }), borrow, blockSize),
  }
}

/** Classes 22 and 23: data and constraints. P0: raised by a trigger. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(22|23|P0)/.test(code)
}
