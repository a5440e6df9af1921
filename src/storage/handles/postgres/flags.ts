import { checkOptions, optional } from '../../../check-options'
import {
  type ApplyRecord,
  type ApplyRecords,
  createApplyRecords,
  defaultRecordsTable,
  maxIdLength,
  rejectCompleted,
} from '../../flags/apply-records'
import { createPlainFlags, type PlainFlags, type PlainFlagsTable, plainFlagsTable } from '../../flags/plain-flags'
import { jsonRows, limits, postgresFlagTable } from '../../flags/postgres-rows'
import { aTable, quoted } from '../../sql/database/names'
import { rejectUsedTransaction } from '../../sql/postgres/open-transaction'
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

/**
 * Options of {@link applyRecords}: the database of your flags.
 *
 * @typeParam Transaction The transaction object of the host app: `PoolClient` with a `pg.Pool`.
 */
export interface ApplyRecordsOptions<Transaction = unknown> extends PostgresAccess<Transaction> {
  /**
   * The name of the table, with or without a schema.
   * @defaultValue `'ffcr_apply_records'`
   */
  readonly table?: string
}

/**
 * The piece that a gateway needs when flags and change requests are in different databases: it makes an apply in the flag
 * database happen at most once, and knows afterwards whether it happened.
 *
 * @example
 * ```ts
 * import { applyRecords } from 'express-change-requests/postgres'
 * import { Pool } from 'pg'
 *
 * const records = applyRecords({ pool: new Pool() })
 * await records.migrate()
 *
 * const flags: FlagGateway = {
 *   current: async () => ({ features: new Map(), segments: new Map() }),
 *   apply: (changes, { applyId }) =>
 *     records.run(applyId, async (client) => {
 *       const events: FlagEvent[] = []
 *       for (const { feature } of changes) {
 *         await client.query('update flags set enabled = true where name = $1', [feature])
 *         events.push({ type: 'feature-environment-enabled', featureName: feature })
 *       }
 *       return events
 *     }),
 *   outcome: (applyId) => records.outcome(applyId),
 * }
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or not a name.
 */
export function applyRecords<Transaction>(options: ApplyRecordsOptions<Transaction>): ApplyRecords<Transaction> {
  checkOptions('applyRecords', options, { ...accessTable<Transaction>(), table: optional(aTable) })
  const { table = defaultRecordsTable } = options
  const handle = openHandle(options, limits)
  const { run, select } = jsonRows(handle)
  const records = quoted(table)

  return createApplyRecords<Transaction>({
    check: () => run(`select apply_id, attempt, events, recorded_at from ${records} limit 0`, []),
    create: () =>
      run(
        `create table ${records} (apply_id varchar(${maxIdLength}) not null primary key, attempt varchar(36), events text,
           recorded_at varchar(24) not null)`,
        [],
      ),
    async claim(transaction, { applyId, attempt, recordedAt }) {
      const insert = `insert into ${records} (apply_id, attempt, recorded_at) values ($1, $2, $3) on conflict do nothing`
      await run(insert, [applyId, attempt, recordedAt], transaction)
      const find = `select attempt, events from ${records} where apply_id = $1 for update`
      return (await select(find, [applyId], transaction))[0] as unknown as ApplyRecord
    },
    async store(transaction, applyId, events) {
      try {
        handle.checkTransaction(transaction)
      } catch {
        return rejectCompleted()
      }
      return run(`update ${records} set events = $2 where apply_id = $1`, [applyId, events], transaction)
    },
    transaction: (work, lockTimeoutMs) =>
      handle.transaction(async (connection, transaction) => {
        if (!handle.isDriver) await rejectUsedTransaction(connection)
        if (lockTimeoutMs !== undefined) await run(`set local lock_timeout = ${lockTimeoutMs}`, [], transaction)
        return work(transaction)
      }),
  })
}
