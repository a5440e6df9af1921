import type { StorageProblem } from '../../../ports/storage/storage'
import { codeOf } from '../database/failures'
import { isReadTimeout, type PostgresConnection, type PostgresHandle } from './handle'
import { isInTransaction, OpenTransactionError, openTransactionReport } from './open-transaction'

export interface DriverConnection extends PostgresConnection {
  on(event: 'notice', listener: (notice: Notice) => void): unknown
  off(event: 'notice', listener: (notice: Notice) => void): unknown
}

interface Notice {
  /** The function of the server that sent it. Unlike the message, it is not translated. */
  readonly routine?: string | undefined
}

/** Codes of a server that became read-only or is shutting down: it is no longer the primary. */
const demoted = /^(25006|57P0[1-3])$/
/** Codes after which a connection can fail each time: it was lost, or a pooler has mixed up its prepared statements. */
const unusable = /^(08...|26000|42P05)$/

export interface LendingPool {
  /** Runs `use` with a connection of the pool, which takes it back. */
  lend<Value>(use: (connection: DriverConnection) => Promise<Value>): Promise<Value>
  discard: PostgresHandle['discard']
  idle(): number
  readonly statementTimeoutMs: number
  readonly report: (problem: StorageProblem) => void
}

/**
 * Returns {@link PostgresHandle.borrow} for a pool. It discards a connection whose error shows that it must not be used again,
 * and one that is in a transaction of the host app. If the server was demoted, it discards all that are open: reads through
 * them would be outdated.
 */
export function borrowFrom({ lend, discard, idle, statementTimeoutMs, report }: LendingPool) {
  const used = new Set<PostgresConnection>()
  const outdated = new WeakSet<PostgresConnection>()
  const reportOpenTransaction = openTransactionReport(report)

  function discardAll(reason: unknown): void {
    for (const connection of used) outdated.add(connection)
    for (let count = idle(); count > 0; count -= 1) {
      lend(async (connection) => discard(connection, reason)).catch(() => undefined)
    }
  }

  async function useOrDiscard<Value>(connection: DriverConnection, use: () => Promise<Value>): Promise<Value> {
    used.add(connection)
    try {
      return await useWatched(connection, use)
    } catch (error) {
      const code = codeOf(error)
      if (demoted.test(code)) discardAll(error)
      else if (unusable.test(code) || isReadTimeout(error)) outdated.add(connection)
      throw error
    } finally {
      used.delete(connection)
      if (outdated.has(connection)) discard(connection, 'outdated')
    }
  }

  /** Returns whether the connection was in a transaction of the host app. Then its locks are released, and it is closed. */
  async function isLeftOpen(connection: DriverConnection): Promise<boolean> {
    if (!(await isInTransaction(connection, statementTimeoutMs))) return false
    reportOpenTransaction()
    const rollback = { text: 'rollback', query_timeout: statementTimeoutMs }
    await connection.query(rollback).catch(() => undefined)
    discard(connection, 'in a transaction')
    return true
  }

  return async <Value>(use: (connection: PostgresConnection) => Promise<Value>): Promise<Value> => {
    // All idle connections can be in a transaction, and the host app can release one more meanwhile.
    for (let left = idle() + 2; left > 0; left -= 1) {
      const result = await lend((connection) =>
        useOrDiscard(connection, async () =>
          (await isLeftOpen(connection)) ? undefined : { value: await use(connection) },
        ),
      )
      if (result !== undefined) return result.value
    }
    throw new OpenTransactionError()
  }
}

/** Rejects if the server cancelled the wait of a commit for its standby: to the driver, the commit then looks successful. */
async function useWatched<Value>(connection: DriverConnection, use: () => Promise<Value>): Promise<Value> {
  let isReplicated = true
  const onNotice = ({ routine }: Notice) => {
    if (routine === 'SyncRepWaitForLSN') isReplicated = false
  }
  connection.on('notice', onNotice)
  try {
    const value = await use()
    if (!isReplicated) throw new NotReplicatedError()
    return value
  } finally {
    connection.off('notice', onNotice)
  }
}

/** The server committed without waiting for its standby, so a failover can lose the commit. The code means "unknown result". */
class NotReplicatedError extends Error {
  override readonly name = 'NotReplicatedError'
  readonly code = '08007'

  constructor() {
    super('The wait for the synchronous standby was cancelled. The commit may be lost after a failover.')
  }
}
