import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { StorageHealth } from '../../../ports/storage'
import { type Migration, metaTable, statementsBetween, versionQuery, versionStatement } from '../migrations'
import { withConnection } from '../shared/connection'
import { type Names, safeInteger } from '../shared/database'
import { columnTypes, type PostgresConnection, type PostgresOptions } from './connection'
import { comingPartitions, partitionsQuery, refusePlainLog } from './events/partitions'

/** Held until the end of the transaction, because two processes that create one table at once both fail. */
export function migrationLock({ table }: Names): string {
  const key = createHash('sha256').update(table('events')).digest().readBigInt64BE()
  return `select pg_advisory_xact_lock(${key})`
}

/** Reads the version first, so that an up-to-date database needs neither a lock nor the permission to create tables. */
export async function migratePostgres(options: PostgresOptions, all: readonly Migration[]): Promise<void> {
  const { knex, names, partitioned, acquireTimeoutMs, lockTimeoutMs } = options
  const onConnection = <Value>(on: Knex, use: (connection: PostgresConnection) => Promise<Value>) =>
    withConnection(on, acquireTimeoutMs, use)
  // At any other level, a process that waited for the lock would not see what was done meanwhile.
  const inTransaction = (use: (connection: PostgresConnection) => Promise<void>) =>
    knex.transaction((transaction) => onConnection(transaction, use), { isolationLevel: 'read committed' })

  const isReady = (await onConnection(knex, (connection) => present(connection, names))) >= all.length
  if (!isReady) await inTransaction((connection) => advancePostgres(connection, names, all.length, partitioned, all))
  if (!partitioned) return
  const [log] = await onConnection(knex, (connection) => rows(connection, partitionsQuery(names)))
  refusePlainLog(names, log)
  if (!log?.missing) return
  await inTransaction(async (connection) => {
    await rows(connection, migrationLock(names))
    await rows(connection, `set local lock_timeout = ${lockTimeoutMs}`)
    await rows(connection, comingPartitions(names))
  })
}

/** Runs the missing statements up to this version, in a transaction that the caller commits. */
export async function advancePostgres(
  connection: PostgresConnection,
  names: Names,
  to: number,
  partitioned: boolean,
  all: readonly Migration[],
): Promise<void> {
  await rows(connection, migrationLock(names))
  await rows(connection, metaTable(names))
  if (partitioned) refusePlainLog(names, (await rows(connection, partitionsQuery(names)))[0])
  const done = await version(connection, names)
  if (done >= to) return
  const kind = partitioned ? 'partitionedPostgres' : 'postgres'
  for (const text of statementsBetween(names, kind, done, to, all)) await rows(connection, text)
  await rows(connection, versionStatement(names, to))
}

async function present(connection: PostgresConnection, names: Names): Promise<number> {
  const [meta] = await rows(connection, `select to_regclass('${names.table('meta')}') is not null as there`)
  return meta?.there ? version(connection, names) : 0
}

async function version(connection: PostgresConnection, names: Names): Promise<number> {
  const [row] = await rows(connection, versionQuery(names))
  return safeInteger(row?.value ?? 0)
}

// biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement and the host's type parsers.
type Row = any

/** Without our time limit: an index on a long log takes its time. */
async function rows(connection: PostgresConnection, text: string): Promise<Row[]> {
  return ((await connection.query({ text, types: columnTypes })) as { rows: Row[] }).rows
}

/** Here `query` has a time limit. */
export async function postgresHealth(
  { table }: Names,
  query: (text: string) => Promise<{ readonly rows: Row[] }>,
): Promise<StorageHealth> {
  try {
    const { rows } = await query(
      `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
         (select value from ${table('meta')} where name = 'schema_version') as version,
         (select last_id from ${table('event_counts')} where project = '') as last_id`,
    )
    const { now, fsync, synchronous_commit, version, last_id } = rows[0]
    return {
      reachable: true,
      schemaVersion: version ?? 0,
      lastEventId: safeInteger(last_id ?? 0),
      durability: `fsync=${fsync}, synchronous_commit=${synchronous_commit}`,
      now,
    }
  } catch (error) {
    const reachable = (error as { code?: unknown }).code === '42P01'
    return { reachable, schemaVersion: 0, lastEventId: 0, durability: 'unknown' }
  }
}
