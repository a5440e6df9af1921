import { must } from '../../../check-options'
import type { SqliteConnection, SqliteHandle } from '../../sql/sqlite/handle'
import { HostTransactionError } from '../../sql/sqlite/lock'

/** The part of a `better-sqlite3` Database that the storage uses. */
export interface SqliteDatabase {
  /** Whether a transaction is open. */
  readonly inTransaction: boolean
  /** Runs statements without results. */
  exec(text: string): unknown
  /** Reads or sets a setting. */
  pragma(text: string, options?: { simple: true }): unknown
  /** Prepares a statement. */
  prepare(text: string): unknown
}

export const aDatabase = must((value) => {
  const { exec, pragma, prepare, inTransaction } = (value ?? {}) as Partial<SqliteDatabase>
  return typeof inTransaction === 'boolean' && [exec, pragma, prepare].every((method) => typeof method === 'function')
}, 'a Database of better-sqlite3')

/**
 * Uses the host's only connection. Each use is synchronous, so it begins and ends between two statements of the host app. While
 * a transaction of the host app is open across an await, others wait: a write would join it, and a read would see rows that may
 * be rolled back.
 */
export function databaseHandle<Database extends SqliteDatabase>(database: Database): SqliteHandle<Database> {
  const connection = database as unknown as SqliteConnection

  function checkTransaction(value: Database): void {
    if (value === database && database.inTransaction) return
    throw new TypeError(
      'The transaction must be the `database` of sqliteStorage, with an open transaction: run BEGIN first, and COMMIT afterwards.',
    )
  }

  return {
    checkTransaction,
    async borrow(use, transaction) {
      if (transaction !== undefined) checkTransaction(transaction)
      else if (database.inTransaction) throw new HostTransactionError()
      return use(connection)
    },
  }
}
