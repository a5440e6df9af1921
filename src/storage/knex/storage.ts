import type { Knex } from 'knex'
import type { Storage, TransactionStorage } from '../../ports/storage/storage'
import { createProblems } from '../problems'
import { type Migration, migrations } from '../sql/migrations'
import { postgresDatabase } from '../sql/postgres'
import { sqliteDatabase } from '../sql/sqlite'
import { createSqlStorage } from '../sql/storage'
import { postgresHandle, sqliteHandle } from './handles'
import { type KnexStorageOptions, resolveOptions } from './options'

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
  const problems = createProblems()
  const { report } = problems
  const parts = { names: resolved.names, version: migrations.length, problems }
  if (resolved.client === 'pg') {
    const handle = postgresHandle(knex, { ...resolved, report })
    const database = postgresDatabase({ handle, report, ...resolved }, migrations)
    return createSqlStorage({ handle, database, ...parts }) as KnexStorage
  }
  const handle = sqliteHandle(knex, resolved.acquireTimeoutMs)
  const database = sqliteDatabase({ handle, report, ...resolved }, migrations)
  return createSqlStorage({ handle, database, ...parts }) as KnexStorage
}
