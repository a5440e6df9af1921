import type { Knex } from 'knex'
import { checkOption, checkOptions, type OptionTable } from '../../check-options'
import type { Storage, TransactionStorage } from '../../ports/storage/storage'
import { type Migration, migrations } from '../sql/migrations'
import { openPostgres, openSqlite } from '../sql/open-storage'
import { type CommonPostgresOptions, postgresOptionTable, resolvePostgresOptions } from '../sql/postgres/options'
import { type CommonSqliteOptions, resolveSqliteOptions, sqliteOptionTable } from '../sql/sqlite/options'
import { aKnex, postgresHandle, sqliteHandle } from './handles'

/**
 * Options of {@link knexStorage}. Only `knex` is required.
 *
 * @example
 * ```ts
 * const options: KnexStorageOptions = { knex, tablePrefix: 'reviews_', schema: 'flags', lockTimeoutMs: 5_000 }
 * ```
 */
export interface KnexStorageOptions extends CommonPostgresOptions, CommonSqliteOptions {
  /** The host app's Knex with the driver `pg` or `better-sqlite3`. The storage uses its pool and never destroys it. */
  readonly knex: Knex
}

/** The result of {@link knexStorage}: a {@link Storage} that can always take part in a transaction of Knex. */
export interface KnexStorage extends Storage<Knex.Transaction> {
  /** Runs `work` in a new transaction. If `work` throws, everything is rolled back. */
  transaction<Value>(
    work: (transaction: Knex.Transaction, storage: TransactionStorage) => Promise<Value>,
  ): Promise<Value>
  /**
   * The same writes inside a transaction of the host.
   *
   * @throws TypeError when it is not a transaction of Knex.
   */
  within(transaction: Knex.Transaction): TransactionStorage
}

/**
 * A storage on the host's own Knex, SQLite or Postgres.
 *
 * @example
 * ```ts
 * import createKnex from 'knex'
 *
 * const storage = knexStorage({ knex: createKnex({ client: 'pg', connection: process.env['DATABASE_URL'] ?? '' }) })
 * await storage.migrate()
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
 */
export function knexStorage(options: KnexStorageOptions): KnexStorage {
  return createKnexStorage(options, migrations)
}

/** Like {@link knexStorage}, with other migrations; for tests. */
export function createKnexStorage(options: KnexStorageOptions, migrations: readonly Migration[]): KnexStorage {
  const { knex } = options
  const resolved = resolveOptions(options)
  const storage =
    resolved.client === 'pg'
      ? openPostgres((report) => postgresHandle(knex, { ...resolved, report }), resolved, migrations)
      : openSqlite({ handle: sqliteHandle(knex, resolved.acquireTimeoutMs), ...resolved }, migrations)
  return storage as KnexStorage
}

const owner = 'knexStorage'
const optionTable: OptionTable<KnexStorageOptions> = { knex: aKnex, ...postgresOptionTable, ...sqliteOptionTable }
const postgresOnly = ['schema', 'notify'] as const

/** Checks the options for the database that the Knex instance is configured for, and adds the defaults. */
function resolveOptions(options: KnexStorageOptions) {
  checkOptions(owner, options, optionTable)
  const { knex, acquireTimeoutMs = 2_000 } = options
  switch (`${knex.client.dialect} ${knex.client.driverName}`) {
    case 'postgresql pg':
      return { client: 'pg', ...resolvePostgresOptions(owner, options, knex.client.pool?.max) } as const
    case 'sqlite3 better-sqlite3':
      for (const name of postgresOnly) {
        const isLeftOut = options[name] === undefined || options[name] === false
        checkOption(owner, name, isLeftOut, 'left out on SQLite')
      }
      return { client: 'better-sqlite3', ...resolveSqliteOptions(options), acquireTimeoutMs } as const
    default:
      throw new TypeError(
        `knexStorage: option "knex" must use the client "pg" or "better-sqlite3", not "${knex.client.driverName}": the tables are ` +
          'in Postgres or SQLite, wherever your flags are. See docs/storage.md.',
      )
  }
}
