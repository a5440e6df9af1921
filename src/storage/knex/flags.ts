import type { Knex } from 'knex'
import { checkOptions, each, must, optional } from '../../check-options'
import { type ApplyRecords, createApplyRecords, defaultRecordsTable, maxIdLength } from '../flags/apply-records'
import type { FlagTable } from '../flags/flag-rows'
import { createPlainFlags, type PlainFlags, type PlainFlagsTable, plainFlagsTable } from '../flags/plain-flags'
import { limits, postgresFlagTable } from '../flags/postgres-rows'
import { sqliteFlagTable } from '../flags/sqlite-rows'
import { aTable } from '../sql/database/names'
import type { SqliteConnection } from '../sql/sqlite/handle'
import { aKnex, postgresHandle, sqliteHandle } from './handles'

/** Options of {@link plainFlags}: your Knex, your table, and the one project and environment that its flags belong to. */
export interface PlainFlagsOptions extends PlainFlagsTable {
  /** The same Knex as that of {@link knexStorage}: flags, change requests and events are written in one transaction. */
  readonly knex: Knex
}

const aSupportedKnex = each(
  aKnex,
  must(
    (knex) => ['pg', 'better-sqlite3'].includes((knex as Knex).client.driverName),
    'a Knex with the client "pg" or "better-sqlite3"; for flags in another database, see applyRecords in docs/flag-gateway.md',
  ),
)

/**
 * A gateway for flags in one table of your app, in the database of the change requests: on or off, with a percentage if
 * `columns.rollout` is set. The percentage is the parameter `rollout` of the only strategy, whose id is `rollout`.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({
 *   storage: knexStorage({ knex }),
 *   authenticate,
 *   ...plainFlags({
 *     knex,
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
export function plainFlags(options: PlainFlagsOptions): PlainFlags<Knex.Transaction> {
  checkOptions('plainFlags', options, { knex: aSupportedKnex, ...plainFlagsTable })
  const { knex } = options
  // As the case mappers of the host app name it.
  const quote = (name: string) => knex.raw('??', [name]).toString()
  const table =
    knex.client.driverName === 'pg'
      ? postgresFlagTable(postgresHandle(knex, { ...limits, report: () => undefined }), options, quote)
      : waitingSqliteTable(options, quote)
  return createPlainFlags(table, options)
}

/** Waits for the only connection of the pool; each statement is synchronous. */
function waitingSqliteTable(options: PlainFlagsOptions, quote: (name: string) => string): FlagTable<Knex.Transaction> {
  const handle = sqliteHandle(options.knex, limits.acquireTimeoutMs)
  const tableOn = (connection: SqliteConnection) => sqliteFlagTable(connection, options, quote)
  return {
    read: (names, transaction) => handle.borrow((connection) => tableOn(connection).read(names), transaction),
    search: (prefix) => handle.borrow((connection) => tableOn(connection).search(prefix)),
    write: (transaction, change) => handle.borrow((connection) => tableOn(connection).write(change), transaction),
  }
}

/** Options of {@link applyRecords}: the database of your flags. */
export interface ApplyRecordsOptions {
  /** The Knex of your flags: SQLite, Postgres or MySQL. */
  readonly knex: Knex
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
 * const records = applyRecords({ knex })
 * await records.migrate()
 *
 * const flags: FlagGateway = {
 *   current: async () => ({ features: new Map(), segments: new Map() }),
 *   apply: (changes, { applyId }) =>
 *     records.run(applyId, async (transaction) => {
 *       const events: FlagEvent[] = []
 *       for (const { feature } of changes) {
 *         await transaction('flags').where({ name: feature }).update({ enabled: true })
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
export function applyRecords(options: ApplyRecordsOptions): ApplyRecords<Knex.Transaction> {
  checkOptions('applyRecords', options, { knex: aKnex, table: optional(aTable) })
  const { knex, table = defaultRecordsTable } = options
  const isMysql = knex.client.dialect === 'mysql'

  return createApplyRecords<Knex.Transaction>({
    check: async () => knex(table).first('apply_id', 'attempt', 'events', 'recorded_at'),
    async create() {
      // MySQL limits a text to 64 KB.
      const json = isMysql ? 'longtext' : 'text'
      const text = `create table ?? (?? varchar(${maxIdLength}) not null primary key, ?? varchar(36), ?? ${json}, ?? varchar(24) not null)`
      await knex.raw(text, [table, 'apply_id', 'attempt', 'events', 'recorded_at'])
    },
    async claim(transaction, { applyId, attempt, recordedAt }) {
      // First, so that SQLite takes its write lock before it reads.
      const insert = transaction(table)
        .insert({ apply_id: applyId, attempt, events: null, recorded_at: recordedAt })
        .onConflict('apply_id')
      // With `insert ignore`, MySQL would only share the lock of an existing row: two that wait for it deadlock.
      await (isMysql ? insert.merge(['apply_id']) : insert.ignore())
      return transaction(table).first('attempt', 'events').where({ apply_id: applyId }).forUpdate()
    },
    store: async (transaction, applyId, events) => transaction(table).where({ apply_id: applyId }).update({ events }),
    transaction: (work, lockTimeoutMs) =>
      knex.transaction(async (transaction) => {
        if (lockTimeoutMs !== undefined && knex.client.dialect === 'postgresql') {
          await transaction.raw(`set local lock_timeout = ${lockTimeoutMs}`)
        }
        return work(transaction)
      }),
  })
}
