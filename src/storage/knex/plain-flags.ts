import type { Knex } from 'knex'
import { checkOptions, each, must } from '../../check-options'
import type { FlagTable } from '../flags/flag-rows'
import { createPlainFlags, type PlainFlags, type PlainFlagsTable, plainFlagsTable } from '../flags/plain-flags'
import { limits, postgresFlagTable } from '../flags/postgres-rows'
import { sqliteFlagTable } from '../flags/sqlite-rows'
import type { SqliteConnection } from '../sql/sqlite/connection'
import { aKnex, postgresHandle, sqliteHandle } from './handles'

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
  const { knex } = options
  // As the case mappers of the host app name it.
  const quote = (name: string) => knex.raw('??', [name]).toString()
  const table =
    knex.client.driverName === 'pg'
      ? postgresFlagTable(postgresHandle(knex, { ...limits, report: () => undefined }), options, quote)
      : waitingSqliteTable(options, quote)
  return createPlainFlags(table, options)
}

/** Waits for the only connection of the pool; each statement is synchronous. */
function waitingSqliteTable(options: PlainFlagsOptions, quote: (name: string) => string): FlagTable<Knex.Transaction> {
  const handle = sqliteHandle(options.knex, limits.acquireTimeoutMs)
  const tableOn = (connection: SqliteConnection) => sqliteFlagTable(connection, options, quote)
  return {
    read: (names, transaction) => handle.borrow((connection) => tableOn(connection).read(names), transaction),
    write: (transaction, change) => handle.borrow((connection) => tableOn(connection).write(change), transaction),
  }
}
