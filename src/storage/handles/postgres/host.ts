/**
 * The part of a `pg.Pool` that the storage uses.
 *
 * @typeParam Client The client of the pool: `PoolClient` of pg.
 */
export interface PostgresPool<Client = unknown> {
  /** The number of clients that nobody uses. */
  readonly idleCount: number
  /** Returns a client of the pool. */
  connect(): Promise<Client>
  /** The same with a callback; not used. */
  connect(callback: (...args: never[]) => void): void
}

/**
 * Access to a Postgres database through another library than pg or Knex. `express-change-requests/handles` has it for three
 * ORMs; for another library, implement it.
 *
 * @typeParam Transaction The transaction object of the library, which a flag gateway receives.
 *
 * @example
 * ```ts
 * import { Client, Pool, type PoolClient } from 'pg'
 *
 * const pool = new Pool()
 * const client: PostgresClient<PoolClient> = {
 *   portVersion: 1,
 *   transactionName: 'a client of pg',
 *   isTransaction: (value) => value instanceof Client,
 *   query: (transaction, text, values) => transaction.query(text, [...values]),
 *   async transaction(run, isolation) {
 *     const transaction = await pool.connect()
 *     try {
 *       await transaction.query(isolation === undefined ? 'begin' : `begin isolation level ${isolation}`)
 *       const value = await run(transaction)
 *       await transaction.query('commit')
 *       return value
 *     } catch (error) {
 *       await transaction.query('rollback')
 *       throw error
 *     } finally {
 *       transaction.release()
 *     }
 *   },
 * }
 * ```
 */
export interface PostgresClient<Transaction = unknown> {
  /** The version of this interface. */
  readonly portVersion: 1
  /** What a transaction is called in a message, such as `a Transaction of Kysely`. */
  readonly transactionName: string
  /** Whether the value is a transaction of the library. */
  isTransaction(value: unknown): boolean
  /**
   * Runs one statement with the parameters `$1`, `$2` …; each is a text or null. Rejects with the error of the driver, or with
   * one that has it as its `cause`.
   */
  query(
    transaction: Transaction,
    text: string,
    values: readonly (string | null)[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>
  /** Runs `run` in a new transaction of the isolation level, by default the one of your database. Commits unless it throws. */
  transaction<Value>(run: (transaction: Transaction) => Promise<Value>, isolation?: 'read committed'): Promise<Value>
}
