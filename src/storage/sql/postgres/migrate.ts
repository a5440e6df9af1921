import { hash } from 'node:crypto'
import { type DatabaseHealth, type Names, safeInteger } from '../database/database'
import { isCompatible, noSchema, rejectUnsupported, type Schema, StandbyError, toSchema } from '../database/schema'
import { type Migration, metaTable, schemaQuery, statementsOf, versionStatement } from '../migrations'
import { columnTypes, type PostgresOptions } from './connection'
import { longTimeoutMs, type PostgresConnection } from './handle'
import { ownTransaction } from './open-transaction'

/** For what an up-to-date database answers at each start. */
const readTimeoutMs = 10_000

/** Held until the end of the transaction, because concurrent attempts to create the same table can fail. */
export function migrationLock({ table }: Names): string {
  const key = hash('sha256', table('events'), 'buffer').readBigInt64BE()
  return `select pg_advisory_xact_lock(${key})`
}

/** Reads the version first, so that an up-to-date database needs neither a lock nor the privilege to create tables. */
export async function migratePostgres<Transaction>(
  { handle, names }: PostgresOptions<Transaction>,
  all: readonly Migration[],
): Promise<Schema> {
  const schema = await handle.borrow(async (connection) => {
    const read: Query = (text) => rows(connection, text, readTimeoutMs)
    await rejectStandby(read)
    return readPostgresSchema(names, read)
  })
  rejectUnsupported(schema, all.length, names.table('meta'))
  if (schema.version >= all.length) return schema
  // At a stricter level, a process that waited for the lock would not see what was committed meanwhile.
  const use = (connection: PostgresConnection) => advancePostgres(connection, names, all.length, all)
  return ownTransaction(handle, use)
}

/** Runs the missing statements up to this version, in a transaction that the caller commits, and returns the result. */
export async function advancePostgres(
  connection: PostgresConnection,
  names: Names,
  to: number,
  all: readonly Migration[],
): Promise<Schema> {
  const read = () => readPostgresSchema(names, (text) => rows(connection, text))
  await rows(connection, migrationLock(names))
  // Before the version is read: to_regclass() may return a value cached before the wait for the lock, and creating a table
  // clears that cache.
  await rows(connection, metaTable(names))
  const before = await read()
  rejectUnsupported(before, all.length, names.table('meta'))
  if (before.version >= to) return before
  for (const migration of all.slice(before.version, to)) {
    for (const text of statementsOf(migration, 'postgres', names)) await rows(connection, text)
  }
  await rows(connection, versionStatement(names, to, all))
  return read()
}

/**
 * The version is committed together with the tables, so it is read after them. Otherwise a database that is being migrated
 * could look like one with tables and no version.
 */
export async function readPostgresSchema({ table, ...names }: Names, query: Query): Promise<Schema> {
  const exists = async (name: string) =>
    (await query(`select to_regclass('${table(name)}') is not null as found`))[0]?.found === true
  const read = async () => ((await exists('meta')) ? query(schemaQuery({ table, ...names })) : [])
  const schema = toSchema(await read(), false)
  if (schema.version > 0) return schema
  const hasTables = (await exists('change_requests')) || (await exists('events'))
  return hasTables ? toSchema(await read(), true) : schema
}

export async function rejectStandby(query: Query): Promise<void> {
  if ((await query('select pg_is_in_recovery() as recovery'))[0]?.recovery === true) throw new StandbyError()
}

type Query = (text: string) => Promise<Row[]>

// biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement and the host's type parsers.
type Row = any

/** Creating an index on a long log, or the wait for another process that does this, can take minutes. */
async function rows(connection: PostgresConnection, text: string, query_timeout = longTimeoutMs): Promise<Row[]> {
  return ((await connection.query({ text, query_timeout, types: columnTypes })) as { rows: Row[] }).rows
}

export async function postgresHealth(names: Names, query: Query, codeVersion: number): Promise<DatabaseHealth> {
  try {
    const schema = await readPostgresSchema(names, query)
    const [server] = await query(
      `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
         current_setting('synchronous_standby_names') as standby_names, pg_is_in_recovery() as recovery,
         case when pg_has_role('pg_read_all_stats', 'usage')
           then exists (select from pg_stat_replication where state = 'streaming') end as standby_connected`,
    )
    const { now, fsync, synchronous_commit, standby_names, recovery, standby_connected } = server
    // The tables of an incompatible schema may have other columns.
    const [head] = isCompatible(schema, codeVersion)
      ? await query(`select last_id from ${names.table('event_counts')} where project = ''`)
      : []
    return {
      reachable: true,
      schema,
      lastEventId: safeInteger(head?.last_id ?? 0),
      durability: `fsync=${fsync}, synchronous_commit=${synchronous_commit}`,
      now,
      recovery,
      replication: {
        synchronousCommit: synchronous_commit,
        synchronousStandbyNames: standby_names,
        standbyConnected: standby_connected ?? 'unknown',
      },
    }
  } catch (error) {
    const reachable = (error as { code?: unknown }).code === '42P01'
    return { reachable, schema: noSchema, lastEventId: 0, durability: 'unknown' }
  }
}
