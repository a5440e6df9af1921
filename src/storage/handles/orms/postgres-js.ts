import { codeOf, driverError } from '../../sql/database/failures'
import type { PostgresClient } from '../postgres/access'

/**
 * The part of postgres.js that {@link fromPostgresJs} uses.
 *
 * @typeParam Transaction `TransactionSql` of postgres.js.
 */
export interface PostgresJs<Transaction = unknown> {
  /** The options of the instance. */
  readonly options: object
  /** Takes a connection from the pool; not used. */
  reserve(): Promise<unknown>
  /** Runs `run` in a new transaction. */
  begin<Value>(options: string, run: (transaction: Transaction) => Promise<Value>): Promise<unknown>
}

interface Scoped {
  unsafe(text: string, values: readonly unknown[]): { raw(): Promise<RawResult>; catch: () => unknown }
  typed(value: unknown, type: number): unknown
}

type RawResult = readonly (readonly (Buffer | null)[])[] & {
  readonly columns?: readonly { readonly name: string }[] | null
}

/**
 * A client for `postgresStorage` on your postgres.js. Its types and its names of columns do not apply to the statements of the
 * storage.
 *
 * @example
 * ```ts
 * import postgres from 'postgres'
 *
 * const client = fromPostgresJs(postgres())
 * ```
 *
 * @throws TypeError unless it is an instance of postgres.js that does not transform whole rows.
 */
export function fromPostgresJs<Transaction>(sql: PostgresJs<Transaction>): PostgresClient<Transaction> {
  if (isScoped(sql as unknown))
    throw new TypeError('fromPostgresJs: give it the instance, not one of its transactions.')
  const { begin, reserve, options } = ((sql as unknown) ?? {}) as Partial<PostgresJs>
  if (typeof begin !== 'function' || typeof reserve !== 'function' || typeof options !== 'object') {
    throw new TypeError('fromPostgresJs: give it an instance of postgres.js: postgres(url).')
  }
  const { transform } = options as { readonly transform?: { readonly row?: { readonly from?: unknown } } }
  if (transform?.row?.from) {
    throw new TypeError('fromPostgresJs: give it an instance without `transform.row`, which would alter the rows.')
  }
  const finished = new WeakSet<object>()

  return {
    portVersion: 1,
    transactionName: 'a transaction of postgres.js, such as sql.begin(async (sql) => …) provides',
    isTransaction: (value) => isScoped(value) && !finished.has(value),
    query: (transaction, text, values) => query(transaction as Scoped, text, values),
    // Not on a reserved connection: a statement on one that was lost never ends.
    transaction: async (run, isolation) => {
      let value: { readonly of: Awaited<ReturnType<typeof run>> } | undefined
      let hasBegun = false
      const options = isolation === undefined ? '' : `isolation level ${isolation}`
      const runInside = async (transaction: Transaction) => {
        hasBegun = true
        try {
          // A list would be taken for one of statements.
          value = { of: await run(transaction) }
        } catch (error) {
          // The library rejects when the connection is closed. Its ROLLBACK on a closed one would end the process.
          if (isLost(error)) await new Promise(() => undefined)
          throw error
        } finally {
          finished.add(transaction as object)
        }
      }
      try {
        await sql.begin(options, runInside)
      } catch (error) {
        // A new connection first reports the error with which the server has ended the one before.
        if (hasBegun || !isLost(error)) throw error
        await sql.begin(options, runInside)
      }
      return (value as { readonly of: Awaited<ReturnType<typeof run>> }).of
    },
  }
}

function isLost(error: unknown): boolean {
  const { severity } = (driverError(error) ?? {}) as { readonly severity?: unknown }
  return severity === 'FATAL' || codeOf(error).startsWith('CONNECTION_')
}

/** The type that leaves it to the server what a text is; the library converts values of other types. */
const unknownType = 705

async function query(connection: Scoped, text: string, values: readonly (string | null)[]) {
  const bound = values.map((value) => connection.typed(value, unknownType))
  const statement = connection.unsafe(text, bound)
  // With it the library remembers an error, to roll back at the end even what a savepoint has undone.
  statement.catch = () => undefined
  const result = await statement.raw()
  // The host app may have its own way to write the names of columns.
  const names = result.columns?.map(({ name }) => name.toLowerCase()) ?? []
  const toRow = (row: RawResult[number]) =>
    Object.fromEntries(names.map((name, at) => [name, row[at]?.toString() ?? null]))
  return { rows: result.map(toRow) }
}

/** What `sql.begin()` and `sql.reserve()` provide: one connection. */
function isScoped(value: unknown): value is object {
  if (typeof value !== 'function') return false
  const { unsafe, release, savepoint } = value as { unsafe?: unknown; release?: unknown; savepoint?: unknown }
  return typeof unsafe === 'function' && (typeof release === 'function' || typeof savepoint === 'function')
}
