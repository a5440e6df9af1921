import { aTimeout, type OptionTable, oneOf, optional } from '../../../check-options'
import { anIdentifier, createNames } from '../database/names'

/**
 * What a commit to SQLite survives: `full` a power loss, `normal` a crash of the process; with `host`, the settings of
 * the host apply.
 */
export type Durability = 'full' | 'normal' | 'host'

/** Options of every storage on SQLite. */
export interface CommonSqliteOptions {
  /**
   * The prefix of every table name: lower-case letters, digits, underscores.
   * @defaultValue `'ffcr_'`
   */
  readonly tablePrefix?: string
  /**
   * SQLite: what a commit survives. With `full` it survives a power loss, with `normal` a crash of the process. Both use WAL
   * and set `synchronous` on the connection during transactions of the storage. `host` leaves both settings to the host app.
   * @defaultValue `'full'`
   */
  readonly durability?: Durability
  /**
   * The time in milliseconds that a statement may take before it fails with 503. SQLite: the total time that requests wait,
   * without blocking the event loop, while another process holds the lock of the file.
   * @defaultValue `5000`
   */
  readonly statementTimeoutMs?: number
}

export const sqliteOptionTable: OptionTable<CommonSqliteOptions> = {
  tablePrefix: anIdentifier,
  durability: optional(oneOf('full', 'normal', 'host')),
  statementTimeoutMs: optional(aTimeout),
}

export function resolveSqliteOptions({
  tablePrefix,
  durability = 'full',
  statementTimeoutMs = 5_000,
}: CommonSqliteOptions) {
  return { names: createNames({ tablePrefix }), durability, statementTimeoutMs }
}
