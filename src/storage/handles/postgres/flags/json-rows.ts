import type { QueryResult } from '../../../sql/postgres/connection'
import { asText } from '../../../sql/postgres/events/statements'
import { discardOnTimeout, type PostgresHandle } from '../../../sql/postgres/handle'

/** The time limits of the statements that a gateway runs outside a transaction of the storage. */
export const limits = { acquireTimeoutMs: 2_000, lockTimeoutMs: 2_000, statementTimeoutMs: 5_000 }

type Value = boolean | number | string | null

/** Runs statements on the tables of the host app, whose type parsers do not matter. */
export function jsonRows<Transaction>(handle: Pick<PostgresHandle<Transaction>, 'borrow' | 'discard'>) {
  const run = (text: string, values: readonly (Value | readonly string[])[], transaction?: Transaction) =>
    handle.borrow((connection) => {
      const bound = values.map((value) => (value === null ? null : asText(value as never)))
      const query = { text, values: bound, isText: true, query_timeout: limits.statementTimeoutMs }
      return discardOnTimeout(handle, connection, connection.query(query) as Promise<QueryResult>)
    }, transaction)

  return {
    run,
    async select(text: string, values: readonly (Value | readonly string[])[], transaction?: Transaction) {
      const { rows } = await run(`select row_to_json(r)::text as row from (${text}) as r`, values, transaction)
      return rows.map(({ row }): Readonly<Record<string, unknown>> => JSON.parse(row))
    },
  }
}
