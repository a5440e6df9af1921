/** The part of a connection of better-sqlite3 or node:sqlite that is used here. */
export interface SqliteConnection {
  exec(text: string): void
  prepare(text: string): {
    run(...values: unknown[]): unknown
    get<Row>(...values: unknown[]): Row | undefined
    all<Row>(...values: unknown[]): Row[]
  }
}

/** Where a connection has its state; node:sqlite throws when the state of a closed one is read. */
interface ConnectionState {
  readonly inTransaction?: boolean
  readonly isTransaction?: boolean
  readonly isOpen?: boolean
}

export function isInTransaction(connection: object): boolean {
  const state = connection as ConnectionState
  return state.inTransaction ?? (state.isOpen === true && state.isTransaction === true)
}

export interface SqliteHandle<Transaction = unknown> {
  /** Runs `use` with a connection of the pool, or with that of a transaction of the host app. */
  borrow<Value>(
    use: (connection: SqliteConnection) => Value | Promise<Value>,
    transaction?: Transaction,
  ): Promise<Value>
  /** Runs `work` in a new transaction. Commits unless it throws. Absent if nothing may wait in a transaction. */
  transaction?<Value>(connection: SqliteConnection, work: (transaction: Transaction) => Promise<Value>): Promise<Value>
  /** Throws a TypeError unless the value is a transaction of this handle. */
  checkTransaction(value: Transaction): void
  /** Resolves when a transaction of the host app is committed. Absent if the handle cannot know. */
  committed?(transaction: Transaction): Promise<unknown>
}
