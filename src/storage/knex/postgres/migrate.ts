import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { StorageHealth } from '../../../ports/storage'
import {
  latestVersion,
  type Migration,
  metaTable,
  migrations,
  statementsBetween,
  versionQuery,
  versionStatement,
} from '../migrations'
import { withConnection } from '../shared/connection'
import { type Names, safeInteger } from '../shared/database'
import type { PostgresConnection } from '../shared/raw-row-reader'
import { comingPartitions, partitionsQuery, refusePlainLog } from './event-partitions'
import { columnTypes } from './types'

/** Whoever migrates holds it until the end of the transaction: two that create one table at once both fail. */
export function migrationLock({ table }: Names): string {
  const key = createHash('sha256').update(table('events')).digest().readBigInt64BE()
  return `select pg_advisory_xact_lock(${key})`
}

export interface PostgresMigration {
  /** Whether the log has monthly partitions. */
  readonly partitioned: boolean
  readonly acquireTimeoutMs: number
  readonly lockTimeoutMs: number
}

/** Looks first, so that a database that is ready needs neither a lock nor the right to create tables. */
export async function migratePostgres(knex: Knex, names: Names, options: PostgresMigration): Promise<void> {
  const { partitioned, acquireTimeoutMs, lockTimeoutMs } = options
  const onConnection = <Value>(on: Knex, use: (connection: PostgresConnection) => Promise<Value>) =>
    withConnection(on, acquireTimeoutMs, use)
  // By any other level, whoever waited for the lock would not see what was done meanwhile.
  const inTransaction = (use: (connection: PostgresConnection) => Promise<void>) =>
    knex.transaction((transaction) => onConnection(transaction, use), { isolationLevel: 'read committed' })

  const isReady = (await onConnection(knex, (connection) => present(connection, names))) >= latestVersion
  if (!isReady) await inTransaction((connection) => advancePostgres(connection, names, latestVersion, partitioned))
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

/** Runs what is missing up to this version, in a transaction that somebody else commits. */
export async function advancePostgres(
  connection: PostgresConnection,
  names: Names,
  to: number,
  partitioned: boolean,
  all: readonly Migration[] = migrations,
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

/** Without our time limit: an index of a long log takes as long as it takes. */
async function rows(connection: PostgresConnection, text: string): Promise<Row[]> {
  return ((await connection.query({ text, types: columnTypes })) as { rows: Row[] }).rows
}

/** `query` has a time limit. */
export async function postgresHealth(
  { table }: Names,
  query: (text: string) => Promise<{ readonly rows: Row[] }>,
): Promise<StorageHealth> {
  try {
    const { rows } = await query(
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
         (select value from ${table('meta')} where name = 'schema_version') as version,
         (select last_id from ${table('event_counts')} where project = '') as last_id`,
    )
    const { fsync, synchronous_commit, version, last_id } = rows[0]
    return {
      reachable: true,
      schemaVersion: version ?? 0,
      lastEventId: safeInteger(last_id ?? 0),
      durability: `fsync=${fsync}, synchronous_commit=${synchronous_commit}`,
    }
  } catch (error) {
    const reachable = (error as { code?: unknown }).code === '42P01'
    return { reachable, schemaVersion: 0, lastEventId: 0, durability: 'unknown' }
  }
}
