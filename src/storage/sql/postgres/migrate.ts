import { createHash } from 'node:crypto'
import { type Migration, metaTable, schemaQuery, statementsBetween, versionStatement } from '../migrations'
import { type DatabaseHealth, type Names, safeInteger } from '../shared/database'
import { isCompatible, noSchema, rejectUnsupported, type Schema, toSchema } from '../shared/schema'
import { columnTypes, type PostgresOptions } from './connection'
import { futurePartitions, partitionsQuery, rejectPlainLog } from './events/partitions'
import type { PostgresConnection } from './handle'

/** Held until the end of the transaction, because concurrent attempts to create the same table can fail. */
export function migrationLock({ table }: Names): string {
  const key = createHash('sha256').update(table('events')).digest().readBigInt64BE()
  return `select pg_advisory_xact_lock(${key})`
}

/** Reads the version first, so that an up-to-date database needs neither a lock nor the privilege to create tables. */
export async function migratePostgres<Transaction>(
  { handle, names, partitioned, lockTimeoutMs }: PostgresOptions<Transaction>,
  all: readonly Migration[],
): Promise<Schema> {
  // At a stricter level, a process that waited for the lock would not see what was committed meanwhile.
  const inTransaction = <Value>(use: (connection: PostgresConnection) => Promise<Value>) =>
    handle.transaction(use, 'read committed')

  let schema = await handle.borrow((connection) => readPostgresSchema(names, textRows(connection)))
  rejectUnsupported(schema, all.length, names.table('meta'))
  if (schema.version < all.length) {
    schema = await inTransaction((connection) => advancePostgres(connection, names, all.length, partitioned, all))
  }
  if (!partitioned) return schema
  const [log] = await handle.borrow((connection) => rows(connection, partitionsQuery(names)))
  rejectPlainLog(names, log)
  if (!log?.missing) return schema
  await inTransaction(async (connection) => {
    await rows(connection, migrationLock(names))
    await rows(connection, `set local lock_timeout = ${lockTimeoutMs}`)
    await rows(connection, futurePartitions(names))
  })
  return schema
}

/** Runs the missing statements up to this version, in a transaction that the caller commits, and returns the result. */
export async function advancePostgres(
  connection: PostgresConnection,
  names: Names,
  to: number,
  partitioned: boolean,
  all: readonly Migration[],
): Promise<Schema> {
  const read = () => readPostgresSchema(names, textRows(connection))
  await rows(connection, migrationLock(names))
  // Before the version is read: to_regclass() may return a value cached before the wait for the lock, and creating a table
  // clears that cache.
  await rows(connection, metaTable(names))
  const before = await read()
  rejectUnsupported(before, all.length, names.table('meta'))
  if (partitioned) rejectPlainLog(names, (await rows(connection, partitionsQuery(names)))[0])
  if (before.version >= to) return before
  const kind = partitioned ? 'partitionedPostgres' : 'postgres'
  for (const text of statementsBetween(names, kind, before.version, to, all)) await rows(connection, text)
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

type Query = (text: string) => Promise<Row[]>

function textRows(connection: PostgresConnection): Query {
  return (text) => rows(connection, text)
}

// biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement and the host's type parsers.
type Row = any

/** Without our time limit: creating an index on a long log can take minutes. */
async function rows(connection: PostgresConnection, text: string): Promise<Row[]> {
  return ((await connection.query({ text, types: columnTypes })) as { rows: Row[] }).rows
}

/** Reads the health of the database. `query` has a time limit. */
export async function postgresHealth(names: Names, query: Query, codeVersion: number): Promise<DatabaseHealth> {
  try {
    const schema = await readPostgresSchema(names, query)
    const [server] = await query(
      `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit`,
    )
    const { now, fsync, synchronous_commit } = server
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
    }
  } catch (error) {
    const reachable = (error as { code?: unknown }).code === '42P01'
    return { reachable, schema: noSchema, lastEventId: 0, durability: 'unknown' }
  }
}
