import { must } from '../../../check-options'
import { isInTransaction, type SqliteConnection, type SqliteHandle } from '../../sql/sqlite/handle'
import { HostTransactionError } from '../../sql/sqlite/lock'

/** The part of a `Database` of better-sqlite3, or of a `DatabaseSync` of node:sqlite, that the storage uses. */
export type SqliteDatabase = {
  /** Runs statements without results. */
  exec(text: string): unknown
  /** Prepares a statement. */
  prepare(text: string): unknown
} & (
  | {
      /** Whether a transaction is open; better-sqlite3. */
      readonly inTransaction: boolean
      /** Reads or sets a setting; Bun lacks it. */
      pragma(text: string, options?: { simple: true }): unknown
    }
  | {
      /** Whether a transaction is open; node:sqlite. */
      readonly isTransaction: boolean
    }
)

export const aDatabase = must(
  (value) => isBetterSqlite(value) || isNodeSqlite(value),
  'a Database of better-sqlite3, or a DatabaseSync of node:sqlite (Node 22.16 or later)',
)

/** `sync` is a method of libsql, whose Database is like that of better-sqlite3; Bun's has no `pragma`. */
function isBetterSqlite(value: unknown): boolean {
  const { inTransaction, sync } = (value ?? {}) as { readonly inTransaction?: unknown; readonly sync?: unknown }
  return typeof inTransaction === 'boolean' && sync === undefined && hasMethods(value, 'exec', 'prepare', 'pragma')
}

/** A DatabaseSync that is not open throws when its `isTransaction` is read. */
function isNodeSqlite(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isTransaction' in value && hasMethods(value, 'exec', 'prepare')
}

function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function')
}

/**
 * Uses the host's only connection. Each use is synchronous, so it begins and ends between two statements of the host app. While
 * a transaction of the host app is open across an await, others wait: a write would join it, and a read would see rows that may
 * be rolled back.
 */
export function databaseHandle<Database extends SqliteDatabase>(database: Database): SqliteHandle<Database> {
  const connection = database as unknown as SqliteConnection

  function checkTransaction(value: Database): void {
    if (value === database && isInTransaction(database)) return
    throw new TypeError(
      'The transaction must be the `database` of sqliteStorage, with an open transaction: run BEGIN first, and COMMIT afterwards.',
    )
  }

  return {
    checkTransaction,
    async borrow(use, transaction) {
      if (transaction !== undefined) checkTransaction(transaction)
      else if (isInTransaction(database)) throw new HostTransactionError()
      return use(connection)
    },
  }
}
