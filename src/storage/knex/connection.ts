import type { Knex } from 'knex'
import { acquireInTime } from '../sql/database/acquire'

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
