import { checkOptions } from '../../../../check-options'
import { type SyncFlagTable, usedColumns } from '../../../flags/flag-rows'
import { quoted } from '../../../flags/identifiers'
import {
  createSyncPlainFlags,
  type PlainFlagsTable,
  plainFlagsTable,
  type SyncPlainFlags,
} from '../../../flags/plain-flags'
import type { SqliteConnection } from '../../../sql/sqlite/connection'
import type { SqliteDatabase } from '../host'
import { aDatabase } from '../storage'

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
  return createSyncPlainFlags(sqliteTable(options), options)
}

function sqliteTable({ database, table, columns }: PlainFlagsOptions): SyncFlagTable {
  const connection = database as unknown as SqliteConnection
  const selected = usedColumns(columns).map(([name, column]) => `${quoted(column)} as ${quoted(name)}`)
  const key = quoted(columns.name)
  const text = `select ${selected.join(', ')} from ${quoted(table)} where ${key} in (select value from json_each(?))`
  return {
    read: (names) => connection.prepare(`${text} order by ${key}`).all(JSON.stringify(names)),
    write({ name, values }) {
      const set = values.map(([column]) => `${quoted(column)} = ?`)
      // SQLite has no booleans.
      const bound = values.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value))
      connection.prepare(`update ${quoted(table)} set ${set.join(', ')} where ${key} = ?`).run(...bound, name)
    },
  }
}
