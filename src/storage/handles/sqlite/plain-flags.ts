import { checkOptions } from '../../../check-options'
import {
  createSyncPlainFlags,
  type PlainFlagsTable,
  plainFlagsTable,
  type SyncPlainFlags,
} from '../../flags/plain-flags'
import { sqliteFlagTable } from '../../flags/sqlite-rows'
import type { SqliteConnection } from '../../sql/sqlite/connection'
import { aDatabase, type SqliteDatabase } from './handle'

/**
 * Options of {@link plainFlags}: the database of {@link sqliteStorage}, your table, and the one project and environment that its
 * flags belong to.
 *
 * @typeParam Database The type of your database: `Database` of better-sqlite3.
 */
export interface PlainFlagsOptions<Database extends SqliteDatabase = SqliteDatabase> extends PlainFlagsTable {
  /** The same Database as that of {@link sqliteStorage}: flags, change requests and events are written in one transaction. */
  readonly database: Database
}

/**
 * A gateway for flags in one table of your app, in the database of the change requests: on or off, with a percentage if
 * `columns.rollout` is set. The percentage is the parameter `rollout` of the only strategy, whose id is `rollout`.
 *
 * @example
 * ```ts
 * import Database from 'better-sqlite3'
 * import { plainFlags, sqliteStorage } from 'express-change-requests/sqlite'
 *
 * const database = new Database('app.sqlite')
 * const router = createChangeRequestRouter({
 *   storage: sqliteStorage({ database }),
 *   authenticate,
 *   ...plainFlags({
 *     database,
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
export function plainFlags<Database extends SqliteDatabase>(
  options: PlainFlagsOptions<Database>,
): SyncPlainFlags<Database> {
  checkOptions('plainFlags', options, { database: aDatabase, ...plainFlagsTable })
  const connection = options.database as unknown as SqliteConnection
  return createSyncPlainFlags(sqliteFlagTable(connection, options), options)
}
