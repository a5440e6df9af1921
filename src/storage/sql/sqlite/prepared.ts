import { LostRowsError } from '../database/failures'
import type { SqliteConnection } from './handle'

/** The part of a statement of better-sqlite3 or node:sqlite that is used here. */
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
    statement = withDefaults(connection.prepare(unseen) as Statement & DriverSettings)
    known.set(text, statement)
  }
  return statement
}

/** What a statement takes over from settings of its connection: one method of better-sqlite3, three of node:sqlite. */
interface DriverSettings {
  safeIntegers?(asBigInt: boolean): unknown
  setReadBigInts?(asBigInt: boolean): void
  setReturnArrays?(asArrays: boolean): void
  setAllowBareNamedParameters?(allow: boolean): void
}

/** Overrides the settings of the host app. An integer that is too large is rejected by safeInteger, or by node:sqlite. */
function withDefaults(statement: Statement & DriverSettings): Statement {
  statement.safeIntegers?.(false)
  statement.setReadBigInts?.(false)
  statement.setReturnArrays?.(false)
  statement.setAllowBareNamedParameters?.(true)
  return statement
}

/** The value of a setting. */
export function pragma(connection: SqliteConnection, name: string): unknown {
  return Object.values(prepared(connection, `pragma ${name}`).get())[0]
}
