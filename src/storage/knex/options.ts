import type { Knex } from 'knex'
import { checkOption, refuseUnknownOptions } from '../../check-options'
import type { StorageProblem } from '../../ports/storage/storage'
import type { Migration } from './migrations'
import { checkedDatabase } from './shared/checked-database'
import type { Database } from './shared/database'
import { createNames } from './shared/names'
import type { Durability } from './sqlite/durability'

/**
 * Options of {@link knexStorage}. Only `knex` is required.
 *
 * @example
 * ```ts
 * const options: KnexStorageOptions = { knex, tablePrefix: 'reviews_', schema: 'flags', lockTimeoutMs: 5_000 }
 * ```
 */
export interface KnexStorageOptions {
  /** The host app's Knex with the driver `pg` or `better-sqlite3`. The storage uses its pool and never destroys it. */
  readonly knex: Knex
  /**
   * The prefix of every table name: lower-case letters, digits, underscores.
   * @defaultValue `'ffcr_'`
   */
  readonly tablePrefix?: string
  /**
   * The Postgres schema of the tables; it must exist.
   * @defaultValue the first of the connection's search path
   */
  readonly schema?: string
  /**
   * SQLite: what a commit survives. With `full` it survives a power loss, with `normal` a crash of the process. Both use WAL
   * and set `synchronous` on the connection during transactions of the storage. `host` leaves both settings to the host app.
   * @defaultValue `'full'`
   */
  readonly durability?: Durability
  /**
   * Postgres: set it to false behind a pooler in transaction mode without support for named statements.
   * @defaultValue `true`
   */
  readonly preparedStatements?: boolean
  /**
   * Postgres: whether followers of the log see the commits of other processes immediately instead of at the next poll. Each
   * commit then sends a NOTIFY. While there is a follower, one connection of the pool is in use, so the pool needs at least
   * two.
   * @defaultValue `false`
   */
  readonly notify?: boolean
  /**
   * Postgres: with `monthly` the event log of an empty database is a table with one partition per month. Each `migrate()`
   * creates the partitions of the current month and the next three. An existing log stays unchanged.
   * @defaultValue none: one table
   */
  readonly eventPartitions?: 'monthly'
  /**
   * The time in milliseconds that a request waits for a free connection of the pool before it fails with 503.
   * @defaultValue `2000`
   */
  readonly acquireTimeoutMs?: number
  /**
   * The time in milliseconds that a write waits for other writes before it fails with 503.
   * @defaultValue `2000`
   */
  readonly lockTimeoutMs?: number
  /**
   * The time in milliseconds that a statement may take before it fails with 503. SQLite: the total time that requests wait,
   * without blocking the event loop, while another process holds the lock of the file.
   * @defaultValue `5000`
   */
  readonly statementTimeoutMs?: number
}

const optionNames = [
  'knex',
  'tablePrefix',
  'schema',
  'durability',
  'preparedStatements',
  'notify',
  'eventPartitions',
  'acquireTimeoutMs',
  'lockTimeoutMs',
  'statementTimeoutMs',
] as const satisfies readonly (keyof KnexStorageOptions)[]

// Only the adapter of the configured database is loaded: each takes a tenth of the time of loading this entry. With require,
// because import() is asynchronous; bundlers follow it.
function loadPostgres() {
  // biome-ignore lint/style/noCommonJs: see above
  const { postgresDatabase }: typeof import('./postgres') = require('./postgres')
  return postgresDatabase
}

function loadSqlite() {
  // biome-ignore lint/style/noCommonJs: see above
  const { sqliteDatabase }: typeof import('./sqlite') = require('./sqlite')
  return sqliteDatabase
}

/** Checks the options and opens the database that the Knex instance is configured for. */
export function openDatabase(
  options: KnexStorageOptions,
  migrations: readonly Migration[],
  blockSize: number,
  report: (problem: StorageProblem) => void,
): Database {
  const owner = 'knexStorage'
  refuseUnknownOptions(owner, options, optionNames)
  const {
    knex,
    tablePrefix,
    schema,
    durability = 'full',
    preparedStatements = true,
    notify = false,
    eventPartitions,
    acquireTimeoutMs = 2_000,
    lockTimeoutMs = 2_000,
    statementTimeoutMs = 5_000,
  } = options
  checkOption(owner, 'knex', typeof knex === 'function' && 'client' in knex, 'a Knex instance')
  const names = createNames(owner, { tablePrefix, schema })
  checkOption(owner, 'durability', ['full', 'normal', 'host'].includes(durability), '"full", "normal" or "host"')
  checkOption(owner, 'preparedStatements', typeof preparedStatements === 'boolean', 'a boolean')
  checkOption(owner, 'notify', typeof notify === 'boolean', 'a boolean')
  const partitioned = eventPartitions === 'monthly'
  checkOption(owner, 'eventPartitions', partitioned || eventPartitions === undefined, '"monthly" or left out')
  const timeouts = { acquireTimeoutMs, lockTimeoutMs, statementTimeoutMs }
  for (const [name, value] of Object.entries(timeouts)) {
    checkOption(owner, name, Number.isSafeInteger(value) && value > 0, 'a positive whole number of milliseconds')
  }
  switch (`${knex.client.dialect} ${knex.client.driverName}`) {
    case 'postgresql pg':
      checkOption(owner, 'notify', !notify || (knex.client.pool?.max ?? 2) >= 2, 'false with a pool of one connection')
      return checkedDatabase(
        loadPostgres()(
          { knex, names, blockSize, report, preparedStatements, notify, partitioned, ...timeouts },
          migrations,
        ),
        migrations.length,
        names.table('meta'),
        report,
      )
    case 'sqlite3 better-sqlite3':
      checkOption(owner, 'schema', schema === undefined, 'left out on SQLite')
      checkOption(owner, 'notify', !notify, 'left out on SQLite')
      checkOption(owner, 'eventPartitions', !partitioned, 'left out on SQLite')
      return checkedDatabase(
        loadSqlite()({ knex, names, blockSize, report, durability, ...timeouts }, migrations),
        migrations.length,
        names.table('meta'),
        report,
      )
    default:
      throw new TypeError('knexStorage: option "knex" must use the client "pg" or "better-sqlite3".')
  }
}
