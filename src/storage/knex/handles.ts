import type { Knex } from 'knex'
import { must } from '../../check-options'
import { acquireInTime } from '../sql/database/acquire'
import type { PostgresConnection, PostgresHandle } from '../sql/postgres/handle'
import { borrowFrom, type LendingPool } from '../sql/postgres/lending'
import { isInTransaction, type SqliteConnection, type SqliteHandle } from '../sql/sqlite/handle'
import { HostTransactionError } from '../sql/sqlite/lock'

export const aKnex = must((knex) => typeof knex === 'function' && 'client' in knex, 'a Knex instance')

export function postgresHandle(
  knex: Knex,
  options: Pick<LendingPool, 'statementTimeoutMs' | 'report'> & { readonly acquireTimeoutMs: number },
): PostgresHandle<Knex.Transaction> {
  const { acquireTimeoutMs, statementTimeoutMs, report } = options
  const discard = (connection: PostgresConnection & { __knex__disposed?: unknown }, reason: unknown) => {
    connection.__knex__disposed = reason
    void connection.end().catch(() => undefined)
  }
  const borrow = borrowFrom({
    lend: (use) => withConnection(knex, acquireTimeoutMs, use),
    discard,
    idle: () => idleIn(knex.client.pool),
    statementTimeoutMs,
    report,
  })
  return {
    ...transactions,
    isDriver: true,
    discard,
    borrow: (use, transaction) =>
      transaction === undefined ? borrow(use) : withConnection(transaction, acquireTimeoutMs, use),
    transaction: (work, isolationLevel) =>
      borrow(async (connection) => {
        // Knex has no time limit for BEGIN, COMMIT and ROLLBACK; they reject when the connection ends.
        const discardLater = () => setTimeout(discard, statementTimeoutMs, connection, 'timeout')
        let timer = discardLater()
        let failure: { readonly error: unknown } | undefined
        const run = async (transaction: Knex.Transaction) => {
          clearTimeout(timer)
          try {
            return await work(connection, transaction)
          } catch (error) {
            failure = { error }
            throw error
          } finally {
            timer = discardLater()
          }
        }
        try {
          return await inTransaction(knex, connection, run, isolationLevel)
        } catch (error) {
          // A failed ROLLBACK must not hide the error that caused it.
          throw failure === undefined ? error : failure.error
        } finally {
          clearTimeout(timer)
        }
      }),
  }
}

/** Connections that the pool has and nobody uses. With `connectionPool` it is a `pg.Pool`. */
function idleIn(pool: { numFree?(): number; readonly idleCount?: number } | undefined): number {
  return pool?.numFree?.() ?? pool?.idleCount ?? 0
}

export function sqliteHandle(knex: Knex, acquireTimeoutMs: number): SqliteHandle<Knex.Transaction> {
  return {
    ...transactions,
    borrow: <Value>(use: (connection: SqliteConnection) => Value | Promise<Value>, transaction?: Knex.Transaction) =>
      withConnection<SqliteConnection, Value>(transaction ?? knex, acquireTimeoutMs, (connection) => {
        // A BEGIN that Knex does not know of. The connection is the only one, so its COMMIT will come on it.
        if (transaction === undefined && isInTransaction(connection)) throw new HostTransactionError()
        return use(connection)
      }),
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

/** The part of a Knex client that is used here: the pool, or in a transaction its one connection. */
interface KnexClient<Connection> {
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
}

/**
 * Runs `use` with a connection of the driver from the host's pool. Its statements can be prepared by name, and the host's
 * case mappers do not apply. In a transaction it is the connection of that transaction.
 */
export async function withConnection<Connection, Value>(
  knex: Knex,
  timeoutMs: number,
  use: (connection: Connection) => Value | Promise<Value>,
): Promise<Value> {
  // A completed transaction still returns its connection, which may be in use elsewhere.
  if (knex.isTransaction && (knex as Knex.Transaction).isCompleted()) {
    throw new TypeError('The transaction is already completed.')
  }
  const client = knex.client as KnexClient<Connection>
  const connection = await acquireInTime(client.acquireConnection(), timeoutMs, (late) =>
    client.releaseConnection(late),
  )
  try {
    return await use(connection)
  } finally {
    await client.releaseConnection(connection)
  }
}

/** Runs a transaction of Knex on a connection that was acquired before, so that our time limit applies to the wait for it. */
export async function inTransaction<Value>(
  knex: Knex,
  connection: object,
  work: (transaction: Knex.Transaction) => Promise<Value>,
  isolationLevel?: 'read committed',
): Promise<Value> {
  try {
    return await knex.transaction(
      async (transaction) => {
        // Knex calls its handler even when BEGIN failed.
        if (transaction.isCompleted()) throw new Error('The transaction did not begin.')
        return work(transaction)
      },
      // Null leaves the host's foreign key setting of SQLite unchanged.
      { connection, enforceForeignCheck: null, ...(isolationLevel && { isolationLevel }) },
    )
  } finally {
    // Knex does not remove this property from a connection that it did not acquire itself.
    delete (connection as { __knexTxId?: unknown }).__knexTxId
  }
}
