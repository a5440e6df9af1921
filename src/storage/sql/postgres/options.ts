import { aBoolean, aTimeout, checkOption, type OptionTable, optional } from '../../../check-options'
import { anIdentifier, createNames } from '../database/names'

/** Options of every storage on Postgres. */
export interface CommonPostgresOptions {
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

export const postgresOptionTable: OptionTable<CommonPostgresOptions> = {
  tablePrefix: anIdentifier,
  schema: anIdentifier,
  preparedStatements: optional(aBoolean),
  notify: optional(aBoolean),
  acquireTimeoutMs: optional(aTimeout),
  lockTimeoutMs: optional(aTimeout),
  statementTimeoutMs: optional(aTimeout),
}

/** Adds the defaults. @throws TypeError if the pool is too small for `notify` */
export function resolvePostgresOptions(owner: string, options: CommonPostgresOptions, poolSize = 2) {
  const { tablePrefix, schema, preparedStatements = true, notify = false } = options
  const { acquireTimeoutMs = 2_000, lockTimeoutMs = 2_000, statementTimeoutMs = 5_000 } = options
  checkOption(owner, 'notify', !notify || poolSize >= 2, 'false with a pool of one connection')
  const names = createNames({ tablePrefix, schema })
  return { names, preparedStatements, notify, acquireTimeoutMs, lockTimeoutMs, statementTimeoutMs }
}
