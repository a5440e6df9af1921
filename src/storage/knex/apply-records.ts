import type { Knex } from 'knex'
import { checkOptions, optional } from '../../check-options'
import { type ApplyRecords, createApplyRecords, defaultRecordsTable, maxIdLength } from '../flags/apply-records'
import { aTable } from '../sql/database/names'
import { aKnex } from './handles'

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

  return createApplyRecords<Knex.Transaction>({
    check: async () => knex(table).first('apply_id', 'attempt', 'events', 'recorded_at'),
    async create() {
      // MySQL limits a text to 64 KB.
      const json = knex.client.dialect === 'mysql' ? 'longtext' : 'text'
      const text = `create table ?? (?? varchar(${maxIdLength}) not null primary key, ?? varchar(36), ?? ${json}, ?? varchar(24) not null)`
      await knex.raw(text, [table, 'apply_id', 'attempt', 'events', 'recorded_at'])
    },
    async claim(transaction, { applyId, attempt, recordedAt }) {
      // First, so that SQLite takes its write lock before it reads.
      await transaction(table)
        .insert({ apply_id: applyId, attempt, events: null, recorded_at: recordedAt })
        .onConflict('apply_id')
        .ignore()
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
