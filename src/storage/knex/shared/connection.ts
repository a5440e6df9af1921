import type { Knex } from 'knex'

/** The part of a Knex client that is used here: the pool, or in a transaction its one connection. */
export interface KnexClient<Connection> {
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
  const connection = await acquire(client, timeoutMs)
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
): Promise<Value> {
  try {
    return await knex.transaction(
      async (transaction) => {
        // Knex calls its handler even when BEGIN failed.
        if (transaction.isCompleted()) throw new Error('The transaction did not begin.')
        return work(transaction)
      },
      // Null leaves the host's foreign key setting of SQLite unchanged.
      { connection, enforceForeignCheck: null },
    )
  } finally {
    // Knex does not remove this property from a connection that it did not acquire itself.
    delete (connection as { __knexTxId?: unknown }).__knexTxId
  }
}

/** Acquires a connection with our time limit. Knex uses the pool settings of the host app, by default one minute. */
export async function acquire<Connection>(client: KnexClient<Connection>, timeoutMs: number): Promise<Connection> {
  let timer: NodeJS.Timeout | undefined
  let late = false
  const acquired = client.acquireConnection()
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true
      reject(new PoolTimeoutError(`No database connection became free within ${timeoutMs} ms.`))
    }, timeoutMs)
  })
  acquired.then(
    (connection) => (late ? client.releaseConnection(connection) : undefined),
    () => undefined,
  )
  try {
    return await Promise.race([acquired, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** No connection was free in time. Has the same name as the error of Knex. */
class PoolTimeoutError extends Error {
  override readonly name = 'KnexTimeoutError'
}
