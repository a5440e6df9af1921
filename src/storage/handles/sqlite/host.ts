/** The part of a `better-sqlite3` Database that the storage uses. */
export interface SqliteDatabase {
  /** Whether a transaction is open. */
  readonly inTransaction: boolean
  /** Runs statements without results. */
  exec(text: string): unknown
  /** Reads or sets a setting. */
  pragma(text: string, options?: { simple: true }): unknown
  /** Prepares a statement. */
  prepare(text: string): unknown
}
