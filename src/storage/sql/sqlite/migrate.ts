import { type DatabaseHealth, type Names, safeInteger } from '../database/database'
import { isCompatible, noSchema, rejectUnsupported, type Schema, toSchema } from '../database/schema'
import { type Migration, metaTable, schemaQuery, statementsOf, versionStatement } from '../migrations'
import type { SqliteConnections, SqliteOptions } from './connection'
import type { SqliteConnection } from './handle'
import { pragma, prepared } from './prepared'

/**
 * Why the storage does not work on this connection. Events are read as the bytes of their JSON, which must be UTF-8; the
 * encoding of a database is fixed with its first table. The two settings rename the columns of results.
 */
function unusableReason(connection: SqliteConnection): string | undefined {
  const encoding = pragma(connection, 'encoding')
  if (encoding !== 'UTF-8') {
    return `The SQLite database has the encoding ${encoding}, but only UTF-8 is supported. Use another file, or copy its tables into a new one that is created without "pragma encoding".`
  }
  const renaming = ['full_column_names', 'short_column_names'].find(
    (name) => Number(pragma(connection, name)) !== Number(name === 'short_column_names'),
  )
  if (renaming === undefined) return undefined
  return `The SQLite connection has another "pragma ${renaming}" than the default, which is not supported: it renames the columns of results. Remove the pragma.`
}

/** The version is read after the tables, as on Postgres: another process may commit both meanwhile. */
export function readSqliteSchema(connection: SqliteConnection, names: Names): Schema {
  const unusable = unusableReason(connection)
  if (unusable !== undefined) return { ...noSchema, unusable }
  const exists = (name: string) =>
    connection.prepare('select 1 from sqlite_master where name = ?').get(names.table(name).slice(1, -1)) !== undefined
  const read = () => (exists('meta') ? prepared(connection, schemaQuery(names)).all() : [])
  const schema = toSchema(read(), false)
  if (schema.version > 0) return schema
  const hasTables = exists('change_requests') || exists('events')
  return hasTables ? toSchema(read(), true) : schema
}

/** Reads the version first, so that an up-to-date database is not locked. */
export async function migrateSqlite(
  { names, durability }: Pick<SqliteOptions, 'names' | 'durability'>,
  { read, transact, migrating }: Pick<SqliteConnections<never>, 'read' | 'transact' | 'migrating'>,
  all: readonly Migration[],
): Promise<Schema> {
  const schema = await read((connection) => {
    const found = readSqliteSchema(connection, names)
    rejectUnsupported(found, all.length, names.table('meta'))
    if (durability !== 'host') connection.exec('pragma journal_mode = wal')
    return found
  }, migrating)
  if (schema.version >= all.length) return schema
  return transact((connection) => advanceSqlite(connection, names, all.length, all), { wait: migrating })
}

/** Runs the missing statements up to this version, in a transaction that the caller commits, and returns the result. */
export function advanceSqlite(
  connection: SqliteConnection,
  names: Names,
  to: number,
  all: readonly Migration[],
): Schema {
  const before = readSqliteSchema(connection, names)
  rejectUnsupported(before, all.length, names.table('meta'))
  connection.exec(metaTable(names))
  if (before.version >= to) return before
  for (const migration of all.slice(before.version, to)) {
    for (const text of statementsOf(migration, 'sqlite', names)) connection.exec(text)
  }
  connection.exec(versionStatement(names, to, all))
  return readSqliteSchema(connection, names)
}

/** The values of `synchronous` for commits of the storage; with `host`, the value of the connection applies. */
const levels = { full: 2, normal: 1, host: undefined }

export async function sqliteHealth(
  { names, durability }: Pick<SqliteOptions, 'names' | 'durability'>,
  { read }: Pick<SqliteConnections<never>, 'read'>,
  codeVersion: number,
): Promise<DatabaseHealth> {
  try {
    return await read((connection) => {
      const synchronous = levels[durability] ?? pragma(connection, 'synchronous')
      const schema = readSqliteSchema(connection, names)
      const lastId = `select last_id from ${names.table('event_counts')} where project = ''`
      // The tables of an incompatible schema may have other columns.
      const head = isCompatible(schema, codeVersion) ? prepared(connection, lastId).get() : undefined
      return {
        reachable: true,
        durability: `journal_mode=${pragma(connection, 'journal_mode')}, synchronous=${synchronous}`,
        schema,
        lastEventId: safeInteger(head?.last_id ?? 0),
      }
    })
  } catch {
    return { reachable: false, schema: noSchema, lastEventId: 0, durability: 'unknown' }
  }
}
