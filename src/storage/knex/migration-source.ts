import type { Knex } from 'knex'
import { checkOption, checkOptions } from '../../check-options'
import type { Names } from '../sql/database/database'
import { anIdentifier, createNames, defaultPrefix } from '../sql/database/names'
import { type Migration, migrations } from '../sql/migrations/index'
import type { PostgresConnection } from '../sql/postgres/handle'
import { advancePostgres } from '../sql/postgres/migrate'
import type { SqliteConnection } from '../sql/sqlite/handle'
import { advanceSqlite } from '../sql/sqlite/migrate'
import { withConnection } from './handles'

/** Options of {@link knexMigrationSource}: the store to migrate. */
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
}

/**
 * A migration of this package in the form that Knex runs. It is self-contained, so it can run among those of the host app.
 */
export interface KnexMigration extends Knex.Migration {
  /** Recorded in the host's table of migrations; never changes. */
  readonly name: string
  /** Makes Knex use a transaction, even if the host app has disabled them. */
  readonly config: { readonly transaction: true }
  /** Migrates up to this version; skips what `migrate()` or a script has done already. */
  up(knex: Knex): Promise<void>
  /**
   * Always rejects: migrations only go forward, and nothing is dropped.
   *
   * @throws Error always.
   */
  down(knex: Knex): Promise<never>
}

const owner = 'knexMigrationSource'

/**
 * The migrations as a source for the host app's Knex, for apps that run all migrations with one tool. It skips what
 * `migrate()` or a printed script has done already, and vice versa.
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

/** Like {@link knexMigrationSource}, with other migrations; for tests. */
export function createMigrationSource(
  options: KnexMigrationSourceOptions,
  migrations: readonly Migration[],
): Knex.MigrationSource<KnexMigration> {
  checkOptions(owner, options, { tablePrefix: anIdentifier, schema: anIdentifier })
  const names = createNames(options)
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

/** Two stores may share a table of migrations; the one with the default options keeps the short names. */
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
      // A wrapper around this source may have dropped `config`.
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
      return withConnection(transaction, acquireTimeoutMs, async (connection: PostgresConnection) => {
        await advancePostgres(connection, names, version, all)
      })
    case 'better-sqlite3':
      checkOption(owner, 'schema', options.schema === undefined, 'left out on SQLite')
      return withConnection(transaction, acquireTimeoutMs, (connection: SqliteConnection) => {
        advanceSqlite(connection, names, version, all)
      })
    default:
      throw new TypeError(`${owner}: Knex must use the client "pg" or "better-sqlite3".`)
  }
}

/** Never reached: a transaction has its connection already. */
const acquireTimeoutMs = 60_000
