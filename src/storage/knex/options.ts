import type { Knex } from 'knex'
import { checkOption, checkOptions, must, type OptionTable } from '../../check-options'
import { type CommonPostgresOptions, postgresOptionTable, resolvePostgresOptions } from '../sql/postgres/options'
import { type CommonSqliteOptions, resolveSqliteOptions, sqliteOptionTable } from '../sql/sqlite/options'

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

/** The check of the option `knex`. */
export const aKnex = must((knex) => typeof knex === 'function' && 'client' in knex, 'a Knex instance')

const owner = 'knexStorage'
const optionTable: OptionTable<KnexStorageOptions> = { knex: aKnex, ...postgresOptionTable, ...sqliteOptionTable }
const postgresOnly = ['schema', 'notify'] as const

/** Checks the options for the database that the Knex instance is configured for, and adds the defaults. */
export function resolveOptions(options: KnexStorageOptions) {
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
      throw new TypeError('knexStorage: option "knex" must use the client "pg" or "better-sqlite3".')
  }
}
