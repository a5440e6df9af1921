import type { Knex } from 'knex'
import { checkOptions, each, must } from '../../../check-options'
import { type FlagTable, usedColumns } from '../../flags/flag-rows'
import { createPlainFlags, type PlainFlags, type PlainFlagsTable, plainFlagsTable } from '../../flags/plain-flags'
import { aKnex } from '../options'

/** Options of {@link plainFlags}: your Knex, your table, and the one project and environment that its flags belong to. */
export interface PlainFlagsOptions extends PlainFlagsTable {
  /** The same Knex as that of {@link knexStorage}: flags, change requests and events are written in one transaction. */
  readonly knex: Knex
}

const aSupportedKnex = each(
  aKnex,
  must(
    (knex) => ['pg', 'better-sqlite3'].includes((knex as Knex).client.driverName),
    'a Knex with the client "pg" or "better-sqlite3"',
  ),
)

/**
 * A gateway for flags in one table of your app, in the database of the change requests: on or off, with a percentage if
 * `columns.rollout` is set. The percentage is the parameter `rollout` of the only strategy, whose id is `rollout`.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({
 *   storage: knexStorage({ knex }),
 *   authenticate,
 *   ...plainFlags({
 *     knex,
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
export function plainFlags(options: PlainFlagsOptions): PlainFlags<Knex.Transaction> {
  checkOptions('plainFlags', options, { knex: aSupportedKnex, ...plainFlagsTable })
  return createPlainFlags(knexTable(options), options)
}

function knexTable({ knex, table, columns }: PlainFlagsOptions): FlagTable<Knex.Transaction> {
  // Under aliases that no case mapper of the host app alters.
  const selected = Object.fromEntries(usedColumns(columns))
  return {
    async read(names, transaction, lock) {
      const query = (transaction ?? knex)(table).select(selected).whereIn(columns.name, names).orderBy(columns.name)
      return lock ? query.forUpdate() : query
    },
    async write(transaction, { name, values }) {
      await transaction(table).where(columns.name, name).update(Object.fromEntries(values))
    },
  }
}
