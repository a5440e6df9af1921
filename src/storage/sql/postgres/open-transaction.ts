import type { StorageProblem } from '../../../ports/storage/storage'
import type { QueryResult } from './connection'
import type { PostgresConnection, PostgresHandle } from './handle'

/** How often the fault is reported: it is one of the host app's code, and repeats. */
const reportIntervalMs = 60_000

/**
 * The host app released a connection whose transaction is open. What the storage would write on it would be lost with that
 * transaction, and a COMMIT would commit rows of the host app.
 */
export class OpenTransactionError extends Error {
  override readonly name = 'OpenTransactionError'
  /** The code of a statement that is not allowed inside a transaction. */
  readonly code = '25001'

  constructor() {
    super('The connection has an open transaction of the host app.')
  }
}

export function openTransactionReport(report: (problem: StorageProblem) => void): () => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - reportedAt < reportIntervalMs) return
    reportedAt = now
    report({
      level: 'warn',
      message:
        'The host app released a database connection whose transaction was still open. The transaction was rolled back. ' +
        'Find the code that runs BEGIN and does not run COMMIT or ROLLBACK before it releases the connection.',
    })
  }
}

/** Whether a connection from the pool is in a transaction, which may be an aborted one. */
export async function isInTransaction(connection: PostgresConnection, query_timeout: number): Promise<boolean> {
  let status = statusOf(connection)
  if (status === undefined) {
    // An empty statement works in an aborted transaction, too.
    await connection.query({ text: '', query_timeout })
    status = statusOf(connection)
  }
  return status === 'T' || status === 'E'
}

const observed = new WeakMap<PostgresConnection, string | undefined>()

/** The status that the server sent after the last statement: I, T or E. Undefined until a statement has returned it. */
function statusOf(connection: PostgresConnection): string | undefined {
  // While a statement of the host app runs, the status is the one before it.
  if (connection.readyForQuery === false) return undefined
  if (connection.getTransactionStatus !== undefined) return connection.getTransactionStatus() ?? undefined
  if (!observed.has(connection)) {
    observed.set(connection, undefined)
    // The part of an older pg connection that reads the messages of the server.
    const { connection: wire } = connection as { readonly connection?: NodeJS.EventEmitter }
    wire?.on('readyForQuery', ({ status }: { readonly status: string }) => observed.set(connection, status))
  }
  return observed.get(connection)
}

/** Runs `work` in a transaction with the isolation level read committed that contains nothing of the host app. */
export function ownTransaction<Value>(
  handle: Pick<PostgresHandle, 'transaction' | 'isDriver'>,
  work: (connection: PostgresConnection) => Promise<Value>,
): Promise<Value> {
  return handle.transaction(async (connection) => {
    if (!handle.isDriver) await rejectUsedTransaction(connection)
    return work(connection)
  }, 'read committed')
}

/** For libraries that hide the status of a connection. @throws OpenTransactionError if the transaction has written already */
export async function rejectUsedTransaction(connection: PostgresConnection): Promise<void> {
  const { rows } = (await connection.query({ text: `select ${unusedColumn}` })) as QueryResult
  rejectUsed(rows[0])
}

/** False if the transaction has written, so that it is not a new one. A transaction that has only read does no harm. */
export const unusedColumn = 'txid_current_if_assigned() is null as unused'

/** @throws OpenTransactionError if {@link unusedColumn} is false */
export function rejectUsed(row: { readonly unused?: unknown } | undefined): void {
  if (row?.unused === false) throw new OpenTransactionError()
}
