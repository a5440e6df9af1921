import type { Knex } from 'knex'
import { checkOption, refuseUnknownOptions } from '../../../check-options'
import type { PostgresConnection } from '../postgres/connection'
import { advancePostgres } from '../postgres/migrate'
import { withConnection } from '../shared/connection'
import type { Names } from '../shared/database'
import { createNames, defaultPrefix } from '../shared/names'
import { advanceSqlite, type SqliteMigrationConnection } from '../sqlite/migrate'
import { type Migration, migrations } from './index'

/**
 * What {@link knexMigrationSource} takes: which store is meant.
 *
 * @example
 * ```ts
 * const options: KnexMigrationSourceOptions = { tablePrefix: 'reviews_', schema: 'flags' }
 * ```
 */
export interface KnexMigrationSourceOptions {
  /**
   * As for `knexStorage`.
   * @defaultValue `'ffcr_'`
   */
  readonly tablePrefix?: string
  /**
   * Postgres, as for `knexStorage`.
   * @defaultValue the first of the connection's search path
   */
  readonly schema?: string
  /**
   * Postgres, as for `knexStorage`.
   * @defaultValue none: one table
   */
  readonly eventPartitions?: 'monthly'
}

/**
 * One of our migrations as Knex runs it; it is complete in itself, so that it can stand among those of the host.
 *
 * @example
 * ```ts
 * const all: KnexMigration[] = await knexMigrationSource().getMigrations([])
 * ```
 */
export interface KnexMigration extends Knex.Migration {
  /** Stands in the host's table of migrations; never changes. */
  readonly name: string
  /** Tells Knex that it needs a transaction, also where the host's migrations have none. */
  readonly config: { readonly transaction: true }
  /** Does what is missing up to this one; what was done already, in whatever way, is skipped. */
  up(knex: Knex): Promise<void>
  /**
   * Refuses: migrations go forward only, and nothing is dropped.
   *
   * @throws Error always.
   */
  down(knex: Knex): Promise<never>
}

const owner = 'knexMigrationSource'
const optionNames = [
  'tablePrefix',
  'schema',
  'eventPartitions',
] as const satisfies readonly (keyof KnexMigrationSourceOptions)[]

/**
 * The migrations as a source for the host's Knex, for hosts that run all migrations by one tool. What `migrate()` or a
 * printed script has done already is skipped, and the other way round.
 *
 * @example
 * ```ts
 * await knex.migrate.latest({
 *   migrationSource: knexMigrationSource(),
 *   tableName: 'change_request_migrations',
 * })
 * ```
 *
 * @throws TypeError that names the option when one is unknown or out of its range.
 */
export function knexMigrationSource(options: KnexMigrationSourceOptions = {}): Knex.MigrationSource<KnexMigration> {
  return createMigrationSource(options, migrations)
}

/** The same of other migrations, for the tests. */
export function createMigrationSource(
  options: KnexMigrationSourceOptions,
  migrations: readonly Migration[],
): Knex.MigrationSource<KnexMigration> {
  refuseUnknownOptions(owner, options, optionNames)
  const { eventPartitions } = options
  checkOption(owner, 'eventPartitions', [undefined, 'monthly'].includes(eventPartitions), '"monthly" or left out')
  const names = createNames(owner, options)
  const all = migrations.map(({ name }, index) =>
    createMigration(nameOf(name, options), (transaction) =>
      advanceOn(transaction, options, names, index + 1, migrations),
    ),
  )
  return {
    getMigrations: async () => [...all],
    getMigrationName: ({ name }) => name,
    getMigration: async (migration) => migration,
  }
}

/** Two stores may stand in one table of migrations; the one with nothing set keeps the short names. */
function nameOf(migration: string, { tablePrefix = defaultPrefix, schema }: KnexMigrationSourceOptions) {
  const name = `change_requests_${migration}`
  if (schema !== undefined) return `${name}.${schema}.${tablePrefix}`
  return tablePrefix === defaultPrefix ? name : `${name}.${tablePrefix}`
}

function createMigration(name: string, advance: (transaction: Knex) => Promise<void>): KnexMigration {
  return {
    name,
    config: { transaction: true },
    up: async (knex) => {
      // Also where a source around this one has lost `config`.
      await (knex.isTransaction ? advance(knex) : knex.transaction(advance))
    },
    down: async () => {
      throw new Error(`${name} cannot be undone: migrations go forward only, and nothing is dropped.`)
    },
  }
}

async function advanceOn(
  transaction: Knex,
  options: KnexMigrationSourceOptions,
  names: Names,
  version: number,
  all: readonly Migration[],
): Promise<void> {
  switch (transaction.client.driverName) {
    case 'pg':
      return withConnection(transaction, longestWaitMs, (connection: PostgresConnection) =>
        advancePostgres(connection, names, version, options.eventPartitions === 'monthly', all),
      )
    case 'better-sqlite3':
      for (const name of ['schema', 'eventPartitions'] as const) {
        checkOption(owner, name, options[name] === undefined, 'left out on SQLite')
      }
      return withConnection(transaction, longestWaitMs, (connection: SqliteMigrationConnection) =>
        advanceSqlite(connection, names, version, all),
      )
    default:
      throw new TypeError(`${owner}: Knex must use the client "pg" or "better-sqlite3".`)
  }
}

/** Nobody waits: a transaction has its connection already. */
const longestWaitMs = 60_000
