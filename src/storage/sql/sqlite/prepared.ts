import { LostRowsError } from '../database/failures'
import type { SqliteConnection } from './handle'

/** The part of a better-sqlite3 statement that is used here. */
export interface Statement {
  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  // biome-ignore lint/suspicious/noExplicitAny: what a row holds depends on the statement.
  get(...values: unknown[]): any
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  all(...values: unknown[]): any[]
}

/** @throws LostRowsError unless the statement has stored its row */
export function runOne(statement: Statement, table: string, ...values: unknown[]) {
  const result = statement.run(...values)
  if (result.changes !== 1) throw new LostRowsError(table)
  return result
}

const statements = new WeakMap<SqliteConnection, Map<string, Statement>>()

/** The statement of a connection, prepared once. */
export function prepared(connection: SqliteConnection, text: string): Statement {
  let known = statements.get(connection)
  if (known === undefined) {
    known = new Map()
    statements.set(connection, known)
  }
  let statement = known.get(text)
  if (statement === undefined) {
    // SQLite compiles a statement again on each run if it sees the value of a `limit ?`, which takes longer than to run it.
    const unseen = text.replaceAll('limit ?', 'limit (select ?)').replaceAll('offset ?', 'offset (select ?)')
    // Overrides the default of the host app. safeInteger rejects integers that are too large.
    statement = connection.prepare(unseen).safeIntegers(false) as Statement
    known.set(text, statement)
  }
  return statement
}
