import { codeOf } from '../../sql/database/failures'
import type { PostgresClient } from '../postgres/access'

/**
 * The part of a Kysely that {@link fromKysely} uses.
 *
 * @typeParam Transaction `Transaction<DB>` of Kysely.
 */
export interface KyselyDatabase<Transaction = unknown> {
  /** Begins a transaction. */
  transaction(): KyselyTransactionBuilder<Transaction>
}

/**
 * What `db.transaction()` of Kysely returns.
 *
 * @typeParam Transaction `Transaction<DB>` of Kysely.
 */
export interface KyselyTransactionBuilder<Transaction = unknown> {
  /** Sets the isolation level of the transaction. */
  setIsolationLevel(level: 'read committed'): KyselyTransactionBuilder<Transaction>
  /** Runs `run` in the transaction. */
  execute<Value>(run: (transaction: Transaction) => Promise<Value>): Promise<Value>
}

interface CompiledQuery {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly query: object
  readonly queryId: { readonly queryId: string }
}

interface QueryExecutor {
  withoutPlugins(): QueryExecutor
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: Readonly<Record<string, unknown>>[] }>
}

interface KyselyTransaction extends QueryExecutor {
  readonly isTransaction: true
  /** Of one that the host app commits itself, with `db.startTransaction()`. */
  readonly isCommitted?: boolean
  readonly isRolledBack?: boolean
}

interface KyselyInstance extends QueryExecutor {
  readonly isTransaction: boolean
  withoutPlugins(): QueryExecutor & {
    selectFrom(table: string): { limit(count: number): { compile(): CompiledQuery } }
  }
}

const expected = 'a Kysely with a dialect of Postgres'

/**
 * A client for `postgresStorage` on your Kysely. Its plugins do not apply to the statements of the storage.
 *
 * @example
 * ```ts
 * import { Kysely, PostgresDialect } from 'kysely'
 * import { Pool } from 'pg'
 *
 * interface DB {
 *   flags: { name: string }
 * }
 * const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: new Pool() }) })
 * const client = fromKysely(db)
 * ```
 *
 * @throws TypeError unless it is a Kysely with a dialect of Postgres.
 */
export function fromKysely<Transaction>(db: KyselyDatabase<Transaction>): PostgresClient<Transaction> {
  const given: unknown = db
  if (!isKysely(given)) throw new TypeError(`fromKysely: give it ${expected}.`)
  if (given.isTransaction) throw new TypeError('fromKysely: give it the Kysely, not one of its transactions.')
  if (!writesPostgres(given)) {
    throw new TypeError(
      `fromKysely: give it ${expected}; ORMs work on Postgres only. For SQLite, use sqliteStorage({ database }).`,
    )
  }
  return {
    portVersion: 1,
    transactionName: 'a Transaction of Kysely, such as db.transaction().execute(async (trx) => …) provides',
    isTransaction,
    query: (transaction, text, values) => execute(transaction as KyselyTransaction, text, values),
    async transaction(run, isolation) {
      const builder = db.transaction()
      try {
        return await (isolation === undefined ? builder : builder.setIsolationLevel(isolation)).execute(run)
      } catch (error) {
        // Kysely returns a connection whose BEGIN failed to its pool as it is, and takes the same one again.
        if (codeOf(error) === abortedCode) await execute(given, 'rollback', []).catch(() => undefined)
        throw error
      }
    },
  }
}

/** The transaction is aborted: everything except its end fails. */
const abortedCode = '25P02'

function execute(on: QueryExecutor, text: string, values: readonly unknown[]) {
  return on.withoutPlugins().executeQuery({
    sql: text,
    parameters: values,
    query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
    queryId: { queryId: 'change-requests' },
  })
}

function isKysely(value: unknown): value is KyselyInstance {
  const given = value as Partial<KyselyInstance> | null | undefined
  return typeof given?.withoutPlugins === 'function' && typeof given.isTransaction === 'boolean'
}

/** Compiles a query, because dialects have no name. Only Postgres numbers its parameters with a dollar sign. */
function writesPostgres(db: KyselyInstance): boolean {
  return db.withoutPlugins().selectFrom('any').limit(1).compile().sql.includes('$1')
}

function isTransaction(value: unknown): boolean {
  const given = value as Partial<KyselyTransaction> | null | undefined
  if (given?.isTransaction !== true || typeof given.executeQuery !== 'function') return false
  return given.isCommitted !== true && given.isRolledBack !== true
}
