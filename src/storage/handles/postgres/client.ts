import { asText } from '../../sql/postgres/events/statements'
import type { PostgresConnection, PostgresHandle, PostgresQuery } from '../../sql/postgres/handle'
import { AcquireTimeoutError } from '../../sql/shared/acquire'
import { driverError } from '../../sql/shared/failures'
import type { PostgresClient } from './host'

/** Time limits in milliseconds. */
export interface Limits {
  readonly acquireTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
}

/** Runs everything in transactions of the client, because only a transaction can have time limits. */
export function clientHandle<Transaction>(
  client: PostgresClient<Transaction>,
  { acquireTimeoutMs, lockTimeoutMs, statementTimeoutMs }: Limits,
): PostgresHandle<Transaction> {
  const limits = `select set_config('lock_timeout', '${lockTimeoutMs}', true), set_config('statement_timeout', '${statementTimeoutMs}', true)`

  const connectionOf = (transaction: Transaction): PostgresConnection => ({
    query: (config) => query(client, transaction, config as PostgresQuery),
    escapeLiteral: () => unavailable(),
    end: async () => undefined,
  })

  /** Rejects if the transaction does not begin in time, for example because all connections are in use. */
  function transaction<Value>(
    work: (connection: PostgresConnection, transaction: Transaction) => Promise<Value>,
    isolation?: 'read committed',
  ): Promise<Value> {
    const late = new AcquireTimeoutError(acquireTimeoutMs)
    return new Promise((resolve, reject) => {
      let isLate = false
      let ownError: { readonly error: unknown } | undefined
      const timer = setTimeout(() => {
        isLate = true
        reject(late)
      }, acquireTimeoutMs)
      const run = async (begun: Transaction) => {
        // The client rolls back, which returns the connection to its pool.
        if (isLate) throw late
        clearTimeout(timer)
        try {
          return await work(connectionOf(begun), begun)
        } catch (error) {
          ownError = { error }
          throw error
        }
      }
      const running = (async () => client.transaction(run, isolation))()
      // A failed rollback must not hide the error that caused it.
      running.then(resolve, (error) => reject(ownError === undefined ? driverError(error) : ownError.error))
      running.catch(() => undefined).finally(() => clearTimeout(timer))
    })
  }

  return {
    isDriver: false,
    transaction,
    borrow: (use, joined) =>
      joined === undefined
        ? transaction(async (connection) => {
            await connection.query({ text: limits })
            return use(connection)
          }, 'read committed')
        : use(connectionOf(joined)),
    discard: () => undefined,
    checkTransaction(value) {
      if (!client.isTransaction(value)) throw new TypeError(`The transaction must be ${client.transactionName}.`)
    },
  }
}

async function query<Transaction>(
  client: PostgresClient<Transaction>,
  transaction: Transaction,
  { text, values = [], isText = false }: PostgresQuery,
) {
  const bound = values.map((value) => (value === null || value === undefined ? null : asText(value as never)))
  const converted = isText ? undefined : asJsonRows(text)
  try {
    const { rows } = await client.query(transaction, converted ?? text, bound)
    return { rows: converted === undefined ? rows : rows.map(({ row }) => JSON.parse(row as string)) }
  } catch (error) {
    throw driverError(error)
  }
}

/**
 * The statement with its rows as JSON texts, because the library's own parsers convert everything else as the host app has set
 * them. Undefined for a statement without rows, and for WITH that modifies data: it cannot be nested, and returns text.
 */
function asJsonRows(text: string): string | undefined {
  // A schema can be called "update".
  const modifies = /\b(insert into|update|delete from)\b/i.test(text.replace(/"[^"]*"/g, ''))
  if (!modifies && /^\s*(select|with)\b/i.test(text)) return `select row_to_json(r)::text as row from (${text}) as r`
  if (!/^(insert|update|delete)\b[\s\S]*\breturning\b/i.test(text)) return undefined
  return `with r as (${text}) select row_to_json(r)::text as row from r`
}

function unavailable(): never {
  throw new Error('A client of another library has no literals.')
}
