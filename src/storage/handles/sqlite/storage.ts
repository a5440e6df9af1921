import { checkOptions } from '../../../check-options'
import type { Storage, TransactionStorage } from '../../../ports/storage/storage'
import { type Migration, migrations } from '../../sql/migrations'
import { openSqlite } from '../../sql/open-storage'
import { type CommonSqliteOptions, resolveSqliteOptions, sqliteOptionTable } from '../../sql/sqlite/options'
import { aDatabase, databaseHandle, type SqliteDatabase } from './handle'

/**
 * Options of {@link sqliteStorage}. Only `database` is required.
 *
 * @typeParam Database The type of your database: `Database` of better-sqlite3, `DatabaseSync` of node:sqlite.
 *
 * @example
 * ```ts
 * import Database from 'better-sqlite3'
 *
 * const options: SqliteStorageOptions = { database: new Database('app.sqlite'), tablePrefix: 'reviews_' }
 * ```
 */
export interface SqliteStorageOptions<Database extends SqliteDatabase = SqliteDatabase> extends CommonSqliteOptions {
  /** The host app's `Database` of better-sqlite3, or its `DatabaseSync` of node:sqlite. The storage never closes it. */
  readonly database: Database
}

/**
 * The result of {@link sqliteStorage}: a {@link Storage} on one connection. Nothing may wait inside a transaction of it, so a
 * `transactional` gateway is a {@link SyncFlagGateway}.
 *
 * @typeParam Database The type of your database: `Database` of better-sqlite3, `DatabaseSync` of node:sqlite.
 */
export interface SqliteStorage<Database = unknown> extends Storage<Database> {
  /** As {@link Storage.transactionSync}. */
  transactionSync: NonNullable<Storage<Database>['transactionSync']>
  /**
   * The same writes inside an open transaction of the host app.
   *
   * @throws TypeError when it is another object, or when no transaction is open.
   */
  within(transaction: Database): TransactionStorage
}

const owner = 'sqliteStorage'

/**
 * A storage on the host app's own database: a `Database` of better-sqlite3, or a `DatabaseSync` of node:sqlite from Node 22.16.
 *
 * @example
 * ```ts
 * import Database from 'better-sqlite3'
 *
 * const storage = sqliteStorage({ database: new Database('app.sqlite') })
 * await storage.migrate()
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
 */
export function sqliteStorage<Database extends SqliteDatabase>(
  options: SqliteStorageOptions<Database>,
): SqliteStorage<Database> {
  return createSqliteStorage(options, migrations)
}

/** Like {@link sqliteStorage}, with other migrations; for tests. */
export function createSqliteStorage<Database extends SqliteDatabase>(
  options: SqliteStorageOptions<Database>,
  migrations: readonly Migration[],
): SqliteStorage<Database> {
  checkOptions(owner, options, { database: aDatabase, ...sqliteOptionTable })
  const handle = databaseHandle(options.database)
  return openSqlite({ handle, ...resolveSqliteOptions(options) }, migrations) as SqliteStorage<Database>
}
