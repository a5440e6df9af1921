/** The part of a better-sqlite3 connection that is used here. */
export interface SqliteConnection {
  readonly inTransaction: boolean
  exec(text: string): void
  pragma(text: string, options?: { simple: true }): unknown
  prepare(text: string): {
    run(...values: unknown[]): unknown
    get<Row>(...values: unknown[]): Row | undefined
    all<Row>(...values: unknown[]): Row[]
    safeIntegers(asBigInt: boolean): unknown
  }
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
