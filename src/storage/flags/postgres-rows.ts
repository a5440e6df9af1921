import { quoted } from '../sql/database/names'
import type { QueryResult } from '../sql/postgres/connection'
import { asText } from '../sql/postgres/events/statements'
import { discardOnTimeout, type PostgresHandle } from '../sql/postgres/handle'
import { type FlagTable, usedColumns } from './flag-rows'
import type { PlainFlagsTable } from './plain-flags'

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

/**
 * The table of `plainFlags` on Postgres.
 *
 * @param quote the name of a table or column in SQL
 */
export function postgresFlagTable<Transaction>(
  handle: PostgresHandle<Transaction>,
  { table, columns }: PlainFlagsTable,
  quote = quoted,
): FlagTable<Transaction> {
  const { run, select } = jsonRows(handle)
  const selected = usedColumns(columns).map(([name, column]) => `${quote(column)} as ${quoted(name)}`)
  const key = quote(columns.name)
  const all = `select ${selected.join(', ')} from ${quote(table)}`
  const text = `${all} where ${key} = any($1) order by ${key}`
  const search = `${all} where starts_with(lower(${key}), lower($1)) order by ${key} limit 100`
  return {
    search: (prefix) => select(search, [prefix]),
    read: (names, transaction, lock) => select(lock ? `${text} for update` : text, [names], transaction),
    async write(transaction, { name, values }) {
      const set = values.map(([column], index) => `${quote(column)} = $${index + 2}`)
      const update = `update ${quote(table)} set ${set.join(', ')} where ${key} = $1`
      await run(update, [name, ...values.map(([, value]) => value)], transaction)
    },
  }
}
