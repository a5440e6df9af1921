import type { StorageProblem } from '../../../ports/storage/storage'
import type { limits } from '../../flags/postgres-rows'
import { AcquireTimeoutError } from '../../sql/database/acquire'
import { codeOf, driverError } from '../../sql/database/failures'
import type { QueryResult } from '../../sql/postgres/connection'
import { asText } from '../../sql/postgres/events/statements'
import type { PostgresConnection, PostgresHandle, PostgresQuery } from '../../sql/postgres/handle'
import {
  OpenTransactionError,
  openTransactionReport,
  rejectUsed,
  unusedColumn,
} from '../../sql/postgres/open-transaction'
import type { PostgresClient } from './access'

export type Limits = typeof limits

/** Runs everything in transactions of the client, because only a transaction can have time limits. */
export function clientHandle<Transaction>(
  client: PostgresClient<Transaction>,
  { acquireTimeoutMs, lockTimeoutMs, statementTimeoutMs }: Limits,
  report: (problem: StorageProblem) => void,
): PostgresHandle<Transaction> {
  const setLimits = `select set_config('lock_timeout', '${lockTimeoutMs}', true), set_config('statement_timeout', '${statementTimeoutMs}', true), ${unusedColumn}`
  const reportOpenTransaction = openTransactionReport(report)

  const connectionOf = (transaction: Transaction): PostgresConnection => ({
    query: (config) => query(client, transaction, config as PostgresQuery),
    escapeLiteral: () => {
      throw new Error('A client of another library has no literals.')
    },
    end: async () => undefined,
  })

  /** Rejects if the transaction does not begin in time, for example because all connections are in use. */
  function begin<Value>(
    work: (connection: PostgresConnection, transaction: Transaction) => Promise<Value>,
    isolation?: 'read committed',
  ): Promise<Value> {
    const late = new AcquireTimeoutError(acquireTimeoutMs)
    return new Promise((resolve, reject) => {
      let isLate = false
      let ownError: { readonly error: unknown } | undefined
      let hasBegun = false
      const timer = setTimeout(() => {
        isLate = true
        reject(late)
      }, acquireTimeoutMs)
      const run = async (begun: Transaction) => {
        // The client rolls back, which returns the connection to its pool.
        if (isLate) throw late
        clearTimeout(timer)
        hasBegun = true
        try {
          return await work(connectionOf(begun), begun)
        } catch (error) {
          ownError = { error }
          throw error
        }
      }
      const running = (async () => client.transaction(run, isolation, statementTimeoutMs))()
      // A failed rollback must not hide the error that caused it.
      running.then(resolve, (error) => {
        if (ownError !== undefined) reject(ownError.error)
        else reject(!hasBegun && failsBegin.test(codeOf(error)) ? new OpenTransactionError() : driverError(error))
      })
      running.catch(() => undefined).finally(() => clearTimeout(timer))
    })
  }

  /** The library begins on whichever connection its pool has. If that is in a transaction already, its end ends both. */
  async function transaction<Value>(
    work: (connection: PostgresConnection, transaction: Transaction) => Promise<Value>,
    isolation?: 'read committed',
  ): Promise<Value> {
    for (let left = maxAttempts; ; left -= 1) {
      try {
        return await begin(work, isolation)
      } catch (error) {
        if (!(error instanceof OpenTransactionError)) throw error
        reportOpenTransaction()
        if (left === 0) throw error
      }
    }
  }

  return {
    isDriver: false,
    transaction,
    borrow: (use, joined) =>
      joined === undefined
        ? transaction(async (connection) => {
            const { rows } = (await connection.query({ text: setLimits })) as QueryResult
            rejectUsed(rows[0])
            return use(connection)
          }, 'read committed')
        : use(connectionOf(joined)),
    discard: () => undefined,
    checkTransaction(value) {
      if (!client.isTransaction(value)) throw new TypeError(`The transaction must be ${client.transactionName}.`)
    },
  }
}

/** Codes of a BEGIN inside a transaction that was aborted, or that has another isolation level. */
const failsBegin = /^(25P02|25001)$/

/** For each, the library has rolled back one transaction of the host app. */
const maxAttempts = 20

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
