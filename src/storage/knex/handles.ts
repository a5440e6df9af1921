import type { Knex } from 'knex'
import type { PostgresConnection, PostgresHandle } from '../sql/postgres/handle'
import type { SqliteConnection, SqliteHandle } from '../sql/sqlite/connection'
import { inTransaction, withConnection } from './connection'

export function postgresHandle(knex: Knex, acquireTimeoutMs: number): PostgresHandle<Knex.Transaction> {
  const handle: PostgresHandle<Knex.Transaction> = {
    ...transactions,
    isDriver: true,
    borrow: (use, transaction) => withConnection(transaction ?? knex, acquireTimeoutMs, use),
    transaction: (work, isolationLevel) =>
      handle.borrow((connection) =>
        inTransaction(knex, connection, (transaction) => work(connection, transaction), isolationLevel),
      ),
    discard: (connection: PostgresConnection & { __knex__disposed?: unknown }, reason) => {
      connection.__knex__disposed = reason
      void connection.end().catch(() => undefined)
    },
  }
  return handle
}

export function sqliteHandle(knex: Knex, acquireTimeoutMs: number): SqliteHandle<Knex.Transaction> {
  return {
    ...transactions,
    borrow: <Value>(use: (connection: SqliteConnection) => Value | Promise<Value>, transaction?: Knex.Transaction) =>
      withConnection(transaction ?? knex, acquireTimeoutMs, use),
    transaction: (connection, work) => inTransaction(knex, connection, work),
  }
}

const transactions = {
  checkTransaction(value: Knex.Transaction): void {
    if (typeof value !== 'function' || value.isTransaction !== true) {
      throw new TypeError('The transaction must be one that knex.transaction() provides.')
    }
  },
  committed: (transaction: Knex.Transaction) => transaction.executionPromise,
}
