import type { StorageHealth } from '../../../ports/storage'
import { type Migration, metaTable, migrations, statementsBetween, versionQuery, versionStatement } from '../migrations'
import { type Names, safeInteger } from '../shared/database'
import type { Statement } from './writes'

/** What migrations use of a connection of the driver better-sqlite3. */
export interface SqliteMigrationConnection {
  exec(text: string): void
  pragma(text: string, options?: { simple: true }): unknown
  prepare(text: string): Statement
}

/** Before anything was migrated it is 0. */
export function sqliteVersion(connection: SqliteMigrationConnection, names: Names): number {
  const known = connection.prepare('select 1 from sqlite_master where name = ?').get(names.table('meta').slice(1, -1))
  if (known === undefined) return 0
  return safeInteger(connection.prepare(versionQuery(names)).get()?.value ?? 0)
}

/** Runs what is missing up to this version, in a transaction that somebody else commits. */
export function advanceSqlite(
  connection: SqliteMigrationConnection,
  names: Names,
  to: number,
  all: readonly Migration[] = migrations,
): void {
  connection.exec(metaTable(names))
  const done = sqliteVersion(connection, names)
  if (done >= to) return
  for (const text of statementsBetween(names, 'sqlite', done, to, all)) connection.exec(text)
  connection.exec(versionStatement(names, to))
}

/** @param synchronous of our own commits; left out: what is set on the connection. */
export function sqliteHealth(
  connection: SqliteMigrationConnection,
  names: Names,
  synchronous: number | undefined,
): StorageHealth {
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
