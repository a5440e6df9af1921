import { codeOf } from '../shared/failures'

/** A statement, in the form that pg takes. */
export interface PostgresQuery {
  readonly text: string
  readonly values?: readonly unknown[]
  /** Whether all columns are text. Otherwise a connection that has the parsers of the host app converts them. */
  readonly isText?: boolean
}

/** The part of a pg connection that is used here. */
export interface PostgresConnection {
  query(config: object): Promise<unknown>
  escapeLiteral(text: string): string
  end(): Promise<void>
  /** False while a statement runs. */
  readonly readyForQuery?: boolean
  /** The status of the transaction after the last statement: T if it can be committed. Absent in older releases. */
  getTransactionStatus?(): string | null
}

/** Access to the connections of the host app. */
export interface PostgresHandle<Transaction = unknown> {
  /** Runs `use` with a connection of the pool, or with that of a transaction of the host app. */
  borrow<Value>(use: (connection: PostgresConnection) => Promise<Value>, transaction?: Transaction): Promise<Value>
  /** Runs `work` in a new transaction, with the host's isolation level by default. Commits unless `work` throws. */
  transaction<Value>(
    work: (connection: PostgresConnection, transaction: Transaction) => Promise<Value>,
    isolation?: 'read committed',
  ): Promise<Value>
  /** Whether a connection is one of pg, which takes named statements and queries of our own classes. */
  readonly isDriver: boolean
  /** Closes a connection in an unknown state, so that the pool does not use it again. */
  discard(connection: PostgresConnection, reason: unknown): void
  /** Throws a TypeError unless the value is a transaction of this handle. */
  checkTransaction(value: Transaction): void
  /** Resolves when a transaction of the host app is committed. Absent if the handle cannot know. */
  committed?(transaction: Transaction): Promise<unknown>
}

/** A connection of pg. */
export interface DriverConnection extends PostgresConnection {
  on(event: 'notice', listener: (notice: Notice) => void): unknown
  off(event: 'notice', listener: (notice: Notice) => void): unknown
}

/** A warning of the server. */
interface Notice {
  /** The function of the server that sent it. Unlike the message, it is not translated. */
  readonly routine?: string | undefined
}

/** Codes of a server that became read-only or is shutting down: it is no longer the primary. */
const demoted = /^(25006|57P0[1-3])$/
/** Codes after which a connection can fail each time: it was lost, or a pooler has mixed up its prepared statements. */
const unusable = /^(08...|26000|42P05)$/

/** The pool of the host app. */
export interface LendingPool {
  /** Runs `use` with a connection of the pool, which takes it back. */
  lend<Value>(use: (connection: DriverConnection) => Promise<Value>): Promise<Value>
  discard: PostgresHandle['discard']
  /** The number of connections that nobody uses. */
  idle(): number
}

/**
 * Returns {@link PostgresHandle.borrow} for a pool. It discards a connection whose error shows that it must not be used again. If
 * the server was demoted, it discards all that are open: reads through them would be outdated.
 */
export function borrowFrom({ lend, discard, idle }: LendingPool) {
  const used = new Set<PostgresConnection>()
  const outdated = new WeakSet<PostgresConnection>()

  function discardAll(reason: unknown): void {
    for (const connection of used) outdated.add(connection)
    for (let count = idle(); count > 0; count -= 1) {
      lend(async (connection) => discard(connection, reason)).catch(() => undefined)
    }
  }

  return <Value>(use: (connection: PostgresConnection) => Promise<Value>): Promise<Value> =>
    lend(async (connection) => {
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
    })
}

/** Rejects if the server cancelled the wait of a commit for its standby: to the driver, the commit then looks successful. */
async function useWatched<Value>(
  connection: DriverConnection,
  use: (connection: PostgresConnection) => Promise<Value>,
): Promise<Value> {
  let isReplicated = true
  const onNotice = ({ routine }: Notice) => {
    if (routine === 'SyncRepWaitForLSN') isReplicated = false
  }
  connection.on('notice', onNotice)
  try {
    const value = await use(connection)
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

/**
 * Discards a connection whose statement timed out. It may be half open, and a late result would count as the result of the
 * next statement.
 */
export async function discardOnTimeout<Value>(
  handle: Pick<PostgresHandle, 'discard'>,
  connection: PostgresConnection,
  result: Promise<Value>,
): Promise<Value> {
  try {
    return await result
  } catch (error) {
    if (isReadTimeout(error)) handle.discard(connection, error)
    throw error
  }
}

function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** For statements that read or write the whole log. */
export const longTimeoutMs = 60 * 60_000
