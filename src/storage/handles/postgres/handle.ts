import type { StorageProblem } from '../../../ports/storage/storage'
import { acquireInTime } from '../../sql/database/acquire'
import { discardOnTimeout, type PostgresConnection, type PostgresHandle } from '../../sql/postgres/handle'
import { borrowFrom, type DriverConnection } from '../../sql/postgres/lending'
import type { PostgresAccess, PostgresPool } from './access'
import { clientHandle, type Limits } from './client'

type PoolClient = DriverConnection & {
  release(): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** @param report receives problems of the pool; the gateways have nobody to report to */
export function openHandle<Transaction>(
  { pool, client }: PostgresAccess<Transaction>,
  limits: Limits,
  report: (problem: StorageProblem) => void = () => undefined,
): PostgresHandle<Transaction> {
  return client === undefined
    ? poolHandle(pool as PostgresPool<Transaction>, limits, report)
    : clientHandle(client, limits, report)
}

function poolHandle<Client>(
  pool: PostgresPool<Client>,
  { acquireTimeoutMs, statementTimeoutMs }: Limits,
  report: (problem: StorageProblem) => void,
): PostgresHandle<Client> {
  /** The pool drops a client that is released after its end. */
  const discard = (connection: PostgresConnection) => {
    void connection.end().catch(() => undefined)
  }

  async function lend<Value>(use: (client: PoolClient) => Promise<Value>): Promise<Value> {
    const connecting = pool.connect() as Promise<unknown> as Promise<PoolClient>
    const client = await acquireInTime(connecting, acquireTimeoutMs, (late) => late.release())
    // The pool listens only while a client is idle, and an error without a listener ends the process.
    const onError = () => undefined
    client.on('error', onError)
    try {
      return await use(client)
    } finally {
      client.off('error', onError)
      client.release()
    }
  }

  const borrowOwn = borrowFrom({ lend, discard, idle: () => pool.idleCount, statementTimeoutMs, report })

  async function borrow<Value>(use: (connection: PostgresConnection) => Promise<Value>, transaction?: Client) {
    if (transaction === undefined) return borrowOwn(use)
    checkTransaction(transaction)
    return use(transaction as PostgresConnection)
  }

  function transaction<Value>(
    work: (connection: PostgresConnection, transaction: Client) => Promise<Value>,
    isolation?: 'read committed',
  ): Promise<Value> {
    return borrow(async (connection) => {
      const run = (text: string) =>
        discardOnTimeout({ discard }, connection, connection.query({ text, query_timeout: statementTimeoutMs }))
      try {
        await run(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`)
        const value = await work(connection, connection as Client)
        await run('commit')
        return value
      } catch (error) {
        // A connection that cannot roll back must not be used again.
        await run('rollback').catch(() => discard(connection))
        throw error
      }
    })
  }

  return { isDriver: true, borrow, transaction, discard, checkTransaction }
}

function checkTransaction(value: unknown): void {
  const client = value as Partial<PostgresConnection> | null | undefined
  if (typeof client?.query !== 'function' || typeof client.escapeLiteral !== 'function') {
    throw new TypeError('The transaction must be a client of pg, after BEGIN: const client = await pool.connect().')
  }
  // I: no transaction. Older releases of pg have no status, and while a statement runs it is the previous one.
  if (client.readyForQuery === true && client.getTransactionStatus?.() === 'I') {
    throw new TypeError('The client has no open transaction: run BEGIN first, and COMMIT afterwards.')
  }
}
