import { checkOption, checkOptions } from '../../../check-options'
import type { Storage, StorageProblem, TransactionStorage } from '../../../ports/storage/storage'
import { type Migration, migrations } from '../../sql/migrations'
import { openPostgres } from '../../sql/open-storage'
import { type CommonPostgresOptions, postgresOptionTable, resolvePostgresOptions } from '../../sql/postgres/options'
import { accessTable, type PostgresAccess, poolSize } from './access'
import { openHandle } from './handle'

/**
 * Options of {@link postgresStorage}: `pool` or `client`, and those of the tables.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 *
 * @example
 * ```ts
 * import { Pool, type PoolClient } from 'pg'
 *
 * const options: PostgresStorageOptions<PoolClient> = { pool: new Pool(), tablePrefix: 'reviews_', schema: 'flags' }
 * ```
 */
export interface PostgresStorageOptions<Transaction = unknown>
  extends CommonPostgresOptions,
    PostgresAccess<Transaction> {}

/**
 * The result of {@link postgresStorage}: a {@link Storage} that can always take part in a transaction of the host app.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 */
export interface PostgresStorage<Transaction = unknown> extends Storage<Transaction> {
  /** Runs `work` in a new transaction. If `work` throws, everything is rolled back. */
  transaction<Value>(work: (transaction: Transaction, storage: TransactionStorage) => Promise<Value>): Promise<Value>
  /**
   * The same writes inside a transaction of the host app.
   *
   * @throws TypeError when it is not a transaction of the pool or of the client.
   */
  within(transaction: Transaction): TransactionStorage
}

const owner = 'postgresStorage'

/**
 * A storage on the host app's own `pg.Pool`, or on its ORM.
 *
 * @example
 * ```ts
 * import { Pool } from 'pg'
 *
 * const storage = postgresStorage({ pool: new Pool({ connectionString: process.env['DATABASE_URL'] }) })
 * await storage.migrate()
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
 */
export function postgresStorage<Transaction>(
  options: PostgresStorageOptions<Transaction>,
): PostgresStorage<Transaction> {
  return createPostgresStorage(options, migrations)
}

/** Like {@link postgresStorage}, with other migrations; for tests. */
export function createPostgresStorage<Transaction>(
  options: PostgresStorageOptions<Transaction>,
  migrations: readonly Migration[],
): PostgresStorage<Transaction> {
  checkOptions(owner, options, { ...accessTable<Transaction>(), ...postgresOptionTable })
  const { client, notify, preparedStatements } = options
  const resolved = resolvePostgresOptions(owner, options, poolSize(options))
  checkOption(owner, 'notify', client === undefined || !notify, 'left out with `client`, which cannot listen')
  checkOption(owner, 'preparedStatements', client === undefined || !preparedStatements, 'left out with `client`')
  const open = (report: (problem: StorageProblem) => void) => openHandle(options, resolved, report)
  return openPostgres(open, resolved, migrations) as PostgresStorage<Transaction>
}
