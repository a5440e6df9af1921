import type { Knex } from 'knex'
import { checkOption, refuseUnknownOptions } from '../../check-options'
import { checkTimeouts } from '../sql/database/timeouts'
import { type CommonPostgresOptions, commonPostgresOptions, resolvePostgresOptions } from '../sql/postgres/options'
import { type CommonSqliteOptions, commonSqliteOptions, resolveSqliteOptions } from '../sql/sqlite/options'

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

/** @throws TypeError unless the value is a Knex */
export function checkKnex(owner: string, knex: Knex): void {
  checkOption(owner, 'knex', typeof knex === 'function' && 'client' in knex, 'a Knex instance')
}

const owner = 'knexStorage'
const optionNames: readonly (keyof KnexStorageOptions)[] = ['knex', ...commonPostgresOptions, ...commonSqliteOptions]
const postgresOnly = ['schema', 'notify'] as const

/** Checks the options for the database that the Knex instance is configured for, and adds the defaults. */
export function resolveOptions(options: KnexStorageOptions) {
  refuseUnknownOptions(owner, options, [...new Set(optionNames)])
  const { knex, acquireTimeoutMs = 2_000, lockTimeoutMs = 2_000 } = options
  checkKnex(owner, knex)
  const sqlite = resolveSqliteOptions(owner, options)
  switch (`${knex.client.dialect} ${knex.client.driverName}`) {
    case 'postgresql pg':
      return { client: 'pg', ...resolvePostgresOptions(owner, options, knex.client.pool?.max) } as const
    case 'sqlite3 better-sqlite3':
      for (const name of postgresOnly) {
        const isLeftOut = options[name] === undefined || options[name] === false
        checkOption(owner, name, isLeftOut, 'left out on SQLite')
      }
      checkTimeouts(owner, { acquireTimeoutMs, lockTimeoutMs })
      return { client: 'better-sqlite3', ...sqlite, acquireTimeoutMs } as const
    default:
      throw new TypeError('knexStorage: option "knex" must use the client "pg" or "better-sqlite3".')
  }
}
