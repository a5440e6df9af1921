import type { StorageHealth } from '../../../ports/storage'
import { type Migration, metaTable, statementsBetween, versionQuery, versionStatement } from '../migrations'
import { type Names, safeInteger } from '../shared/database'
import type { SqliteConnections, SqliteOptions } from './connection'
import type { Statement } from './writes'

/** The part of a better-sqlite3 connection that migrations use. */
export interface SqliteMigrationConnection {
  exec(text: string): void
  pragma(text: string, options?: { simple: true }): unknown
  prepare(text: string): Statement
}

/** The schema version; 0 before the first migration. */
export function sqliteVersion(connection: SqliteMigrationConnection, names: Names): number {
  const known = connection.prepare('select 1 from sqlite_master where name = ?').get(names.table('meta').slice(1, -1))
  if (known === undefined) return 0
  return safeInteger(connection.prepare(versionQuery(names)).get()?.value ?? 0)
}

/** Reads the version first, so that an up-to-date database is not locked. */
export async function migrateSqlite(
  { names, durability }: SqliteOptions,
  { read, transact, migrating }: SqliteConnections,
  all: readonly Migration[],
): Promise<void> {
  const present = await read((connection) => {
    if (durability !== 'host') connection.pragma('journal_mode = wal')
    return sqliteVersion(connection, names)
  }, migrating)
  if (present >= all.length) return
  await transact((connection) => advanceSqlite(connection, names, all.length, all), { wait: migrating })
}

/** Runs the missing statements up to this version, in a transaction that the caller commits. */
export function advanceSqlite(
  connection: SqliteMigrationConnection,
  names: Names,
  to: number,
  all: readonly Migration[],
): void {
  connection.exec(metaTable(names))
  const done = sqliteVersion(connection, names)
  if (done >= to) return
  for (const text of statementsBetween(names, 'sqlite', done, to, all)) connection.exec(text)
  connection.exec(versionStatement(names, to))
}

/** The values of `synchronous` for our own commits; with `host`, the value of the connection. */
const levels = { full: 2, normal: 1, host: undefined }

export async function sqliteHealth(
  { names, durability }: SqliteOptions,
  { read }: SqliteConnections,
): Promise<StorageHealth> {
  try {
    return await read((connection) => healthOf(connection, names, levels[durability]))
  } catch {
    return { reachable: false, schemaVersion: 0, lastEventId: 0, durability: 'unknown' }
  }
}

function healthOf(connection: SqliteMigrationConnection, names: Names, synchronous: number | undefined): StorageHealth {
  const pragma = (name: string) => connection.pragma(name, { simple: true })
  const schemaVersion = sqliteVersion(connection, names)
  const lastId = `select last_id from ${names.table('event_counts')} where project = ''`
  return {
    reachable: true,
    durability: `journal_mode=${pragma('journal_mode')}, synchronous=${synchronous ?? pragma('synchronous')}`,
    schemaVersion,
    lastEventId: schemaVersion === 0 ? 0 : safeInteger(connection.prepare(lastId).get()?.last_id ?? 0),
  }
}
