import { checkOptions } from '../../../check-options'
import { createPlainFlags, type PlainFlags, type PlainFlagsTable, plainFlagsTable } from '../../flags/plain-flags'
import { limits, postgresFlagTable } from '../../flags/postgres-rows'
import { accessTable, type PostgresAccess } from './access'
import { openHandle } from './handle'

/**
 * Options of {@link plainFlags}: the `pool` or `client` of {@link postgresStorage}, your table, and the one project and
 * environment that its flags belong to.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 */
export interface PlainFlagsOptions<Transaction = unknown> extends PostgresAccess<Transaction>, PlainFlagsTable {}

/**
 * A gateway for flags in one table of your app, in the database of the change requests: on or off, with a percentage if
 * `columns.rollout` is set. The percentage is the parameter `rollout` of the only strategy, whose id is `rollout`.
 *
 * @example
 * ```ts
 * import { plainFlags, postgresStorage } from 'express-change-requests/postgres'
 * import { Pool } from 'pg'
 *
 * const pool = new Pool()
 * const router = createChangeRequestRouter({
 *   storage: postgresStorage({ pool }),
 *   authenticate,
 *   ...plainFlags({
 *     pool,
 *     table: 'flags',
 *     columns: { name: 'name', enabled: 'enabled', rollout: 'rollout', archived: 'archived' },
 *     project: 'default',
 *     environment: 'production',
 *   }),
 * })
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or not a name.
 */
export function plainFlags<Transaction>(options: PlainFlagsOptions<Transaction>): PlainFlags<Transaction> {
  checkOptions('plainFlags', options, { ...accessTable<Transaction>(), ...plainFlagsTable })
  return createPlainFlags(postgresFlagTable(openHandle(options, limits), options), options)
}
