import { checkOptions, optional } from '../../../check-options'
import {
  createSyncApplyRecords,
  defaultRecordsTable,
  maxIdLength,
  type SyncApplyRecords,
} from '../../flags/apply-records'
import {
  createSyncPlainFlags,
  type PlainFlagsTable,
  plainFlagsTable,
  type SyncPlainFlags,
} from '../../flags/plain-flags'
import { sqliteFlagTable } from '../../flags/sqlite-rows'
import { aTable, quoted } from '../../sql/database/names'
import { sqliteConnections } from '../../sql/sqlite/connection'
import type { SqliteConnection } from '../../sql/sqlite/handle'
import { prepared } from '../../sql/sqlite/prepared'
import { aDatabase, databaseHandle, type SqliteDatabase } from './handle'

/**
 * Options of {@link plainFlags}: the database of {@link sqliteStorage}, your table, and the one project and environment that its
 * flags belong to.
 *
 * @typeParam Database The type of your database: `Database` of better-sqlite3, `DatabaseSync` of node:sqlite.
 */
export interface PlainFlagsOptions<Database extends SqliteDatabase = SqliteDatabase> extends PlainFlagsTable {
  /** The same database as that of {@link sqliteStorage}: flags, change requests and events are written in one transaction. */
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

/**
 * Options of {@link applyRecords}: the database of your flags.
 *
 * @typeParam Database The type of your database: `Database` of better-sqlite3, `DatabaseSync` of node:sqlite.
 */
export interface ApplyRecordsOptions<Database extends SqliteDatabase = SqliteDatabase> {
  /** The database of your flags. */
  readonly database: Database
  /**
   * The name of the table.
   * @defaultValue `'ffcr_apply_records'`
   */
  readonly table?: string
}

/**
 * The piece that a gateway needs when flags and change requests are in different databases: it makes an apply in the flag
 * database happen at most once, and knows afterwards whether it happened.
 *
 * @example
 * ```ts
 * import Database from 'better-sqlite3'
 * import { applyRecords } from 'express-change-requests/sqlite'
 *
 * const records = applyRecords({ database: new Database('flags.sqlite') })
 * await records.migrate()
 *
 * const flags: FlagGateway = {
 *   current: async () => ({ features: new Map(), segments: new Map() }),
 *   apply: (changes, { applyId }) =>
 *     records.run(applyId, (database) =>
 *       changes.map(({ feature }) => {
 *         database.prepare('update flags set enabled = 1 where name = ?').run(feature)
 *         return { type: 'feature-environment-enabled', featureName: feature ?? '' }
 *       }),
 *     ),
 *   outcome: (applyId) => records.outcome(applyId),
 * }
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or not a name.
 */
export function applyRecords<Database extends SqliteDatabase>(
  options: ApplyRecordsOptions<Database>,
): SyncApplyRecords<Database> {
  checkOptions('applyRecords', options, { database: aDatabase, table: optional(aTable) })
  const { database, table = defaultRecordsTable } = options
  const records = quoted(table)
  const handle = databaseHandle(database)
  const { transact } = sqliteConnections({ handle, durability: 'host', statementTimeoutMs: 5_000 })
  const statement = (text: string) => prepared(database as never, text)

  return createSyncApplyRecords(
    {
      check: () => statement(`select apply_id, attempt, events, recorded_at from ${records} limit 0`).all(),
      create: () =>
        database.exec(
          `create table if not exists ${records} (apply_id varchar(${maxIdLength}) not null primary key, attempt varchar(36),
             events text, recorded_at varchar(24) not null)`,
        ),
      claim({ applyId, attempt, recordedAt }) {
        statement(
          `insert into ${records} (apply_id, attempt, recorded_at) values (?, ?, ?) on conflict do nothing`,
        ).run(applyId, attempt, recordedAt)
        return statement(`select attempt, events from ${records} where apply_id = ?`).get(applyId)
      },
      store: (applyId, events) => {
        statement(`update ${records} set events = ? where apply_id = ?`).run(events, applyId)
      },
      transaction: (work) => transact(work, { retries: false }),
    },
    database,
  )
}
