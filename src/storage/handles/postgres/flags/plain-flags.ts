import { checkOptions } from '../../../../check-options'
import { type FlagTable, usedColumns } from '../../../flags/flag-rows'
import { quoted } from '../../../flags/identifiers'
import { createPlainFlags, type PlainFlags, type PlainFlagsTable, plainFlagsTable } from '../../../flags/plain-flags'
import type { PostgresHandle } from '../../../sql/postgres/handle'
import { accessTable, openHandle, type PostgresAccess } from '../access'
import { jsonRows, limits } from './json-rows'

/**
 * Options of {@link plainFlags}: the `pool` or `client` of {@link postgresStorage}, your table, and the one project and
 * environment that its flags belong to.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 */
export interface PlainFlagsOptions<Transaction = unknown> extends PostgresAccess<Transaction>, PlainFlagsTable {}

/**
 * A gateway for flags in one table of your app, in the database of the change requests: on or off, with a percentage if
 * `columns.rollout` is set. The percentage is the parameter `rollout` of the only strategy, whose id is `rollout`.
 *
 * @example
 * ```ts
 * import { plainFlags, postgresStorage } from 'express-change-requests/postgres'
 * import { Pool } from 'pg'
 *
 * const pool = new Pool()
 * const router = createChangeRequestRouter({
 *   storage: postgresStorage({ pool }),
 *   authenticate,
 *   ...plainFlags({
 *     pool,
 *     table: 'flags',
 *     columns: { name: 'name', enabled: 'enabled', rollout: 'rollout', archived: 'archived' },
 *     project: 'default',
 *     environment: 'production',
 *   }),
 * })
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or not a name.
 */
export function plainFlags<Transaction>(options: PlainFlagsOptions<Transaction>): PlainFlags<Transaction> {
  checkOptions('plainFlags', options, {
    ...accessTable<Transaction>(),
    ...plainFlagsTable,
  })
  return createPlainFlags(postgresTable(openHandle(options, limits), options), options)
}

function postgresTable<Transaction>(
  handle: PostgresHandle<Transaction>,
  { table, columns }: PlainFlagsTable,
): FlagTable<Transaction> {
  const { run, select } = jsonRows(handle)
  const selected = usedColumns(columns).map(([name, column]) => `${quoted(column)} as ${quoted(name)}`)
  const key = quoted(columns.name)
  const text = `select ${selected.join(', ')} from ${quoted(table)} where ${key} = any($1) order by ${key}`
  return {
    read: (names, transaction, lock) => select(lock ? `${text} for update` : text, [names], transaction),
    async write(transaction, { name, values }) {
      const set = values.map(([column], index) => `${quoted(column)} = $${index + 2}`)
      const update = `update ${quoted(table)} set ${set.join(', ')} where ${key} = $1`
      await run(update, [name, ...values.map(([, value]) => value)], transaction)
    },
  }
}
