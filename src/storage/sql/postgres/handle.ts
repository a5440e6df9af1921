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

/** Discards a connection whose statement timed out: a late result would count as that of the next one. */
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

export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** For statements that read or write the whole log. */
export const longTimeoutMs = 60 * 60_000
