import { must, type OptionTable, optional } from '../../../check-options'

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
 * Access to a Postgres database through another library than pg or Knex. `express-change-requests/handles` has it for some
 * libraries; for another library, implement it.
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
  /**
   * Runs `run` in a new transaction of the isolation level, by default the one of your database. Commits unless it throws.
   * `statementTimeoutMs` is the option of the storage, for a library that limits the time of the whole transaction: the storage
   * itself limits that of its statements.
   */
  transaction<Value>(
    run: (transaction: Transaction) => Promise<Value>,
    isolation?: 'read committed',
    statementTimeoutMs?: number,
  ): Promise<Value>
}

/**
 * How to reach the database: `pool` or `client`.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 */
export interface PostgresAccess<Transaction = unknown> {
  /** The host app's `pg.Pool`. It is never ended. */
  readonly pool?: PostgresPool<Transaction>
  /** Instead of `pool`: another library, such as `fromKysely(db)`. `preparedStatements` and `notify` then do not apply. */
  readonly client?: PostgresClient<Transaction>
}

export function accessTable<Transaction>(): OptionTable<PostgresAccess<Transaction>> {
  return {
    pool: (pool, { client }) => {
      if (client !== undefined) return pool === undefined ? undefined : 'left out with `client`'
      return isPool(pool) ? undefined : 'a pg.Pool, or left out with `client`'
    },
    client: optional(must(isClient, 'a client such as fromKysely(db) returns, with `portVersion: 1`')),
  }
}

/** A client of pg has `connect` and `query`, too. */
function isPool(value: unknown): boolean {
  const { connect, totalCount } = (value ?? {}) as { connect?: unknown; totalCount?: unknown }
  return typeof connect === 'function' && typeof totalCount === 'number'
}

function isClient(value: unknown): boolean {
  const { portVersion, query, transaction, isTransaction } = (value ?? {}) as Partial<PostgresClient>
  const methods = [query, transaction, isTransaction]
  return portVersion === 1 && methods.every((method) => typeof method === 'function')
}

/** The maximum number of connections of the pool, if it is known. */
export function poolSize({ pool }: PostgresAccess): number | undefined {
  return (pool as { readonly options?: { readonly max?: number } } | null | undefined)?.options?.max
}
