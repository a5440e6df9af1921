import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { refuseUnknownOptions } from '../../../check-options'
import { ChangeRequestError } from '../../../errors'
import type { FlagEvent } from '../../../ports/flags'
import { checkTable } from './identifiers'

/**
 * Options of {@link applyRecords}: the database of your flags.
 *
 * @example
 * ```ts
 * const options: ApplyRecordsOptions = { knex, table: 'app.apply_records' }
 * ```
 */
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
 * Records which applies your flag database has committed, for a {@link FlagGateway} whose flags are in another database than
 * the change requests.
 *
 * @example
 * ```ts
 * const records: ApplyRecords = applyRecords({ knex })
 * await records.migrate()
 * ```
 */
export interface ApplyRecords {
  /** Creates the table unless it exists. Safe to call at every start, and in several processes. */
  migrate(): Promise<void>
  /**
   * Runs `work` and stores its events, in one transaction. If the `applyId` was committed before, `work` is not called, and the
   * stored events are returned. If `work` throws, everything is rolled back.
   *
   * @throws ConflictError after `outcome` returned null for the `applyId`.
   */
  run(
    applyId: string,
    work: (transaction: Knex.Transaction) => Promise<readonly FlagEvent[]>,
  ): Promise<readonly FlagEvent[]>
  /**
   * The events of an `applyId` that was committed. Null if it was not; from then on, `run` rejects it permanently. It waits for
   * a `run` in progress, and throws if that takes too long.
   */
  outcome(applyId: string): Promise<readonly FlagEvent[] | null>
}

interface ApplyRecord {
  /** The call of `run` that claimed the id; null if `outcome` was faster. */
  readonly attempt: string | null
  /** JSON; null until `work` has ended. */
  readonly events: string | null
}

const owner = 'applyRecords'
const optionNames = ['knex', 'table'] as const satisfies readonly (keyof ApplyRecordsOptions)[]

/** Postgres waits for another transaction without a limit, and each waiting `outcome` uses a connection. */
const lockTimeoutMs = 2_000

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
export function applyRecords(options: ApplyRecordsOptions): ApplyRecords {
  refuseUnknownOptions(owner, options, optionNames)
  const { knex, table = 'ffcr_apply_records' } = options
  checkTable(owner, { knex, table })

  /** Inserts the record unless there is one, and locks it. A concurrent transaction with the same id is awaited. */
  async function claim(transaction: Knex.Transaction, applyId: string, attempt: string | null): Promise<ApplyRecord> {
    // First, so that SQLite takes its write lock before it reads.
    await transaction(table)
      .insert({ apply_id: applyId, attempt, events: null, recorded_at: new Date().toISOString() })
      .onConflict('apply_id')
      .ignore()
    return transaction(table).first('attempt', 'events').where({ apply_id: applyId }).forUpdate()
  }

  const exists = () =>
    knex(table)
      .first('apply_id', 'attempt', 'events', 'recorded_at')
      .then(
        () => true,
        () => false,
      )

  return {
    async migrate() {
      if (await exists()) return
      // One statement: a process that dies cannot leave a table without its key. MySQL limits a text to 64 KB.
      const json = knex.client.dialect === 'mysql' ? 'longtext' : 'text'
      const text = `create table ?? (?? varchar(${maxIdLength}) not null primary key, ?? varchar(36), ?? ${json}, ?? varchar(24) not null)`
      try {
        await knex.raw(text, [table, 'apply_id', 'attempt', 'events', 'recorded_at'])
      } catch (error) {
        // Another process has created it at the same time.
        if (!(await exists())) throw error
      }
    },

    async run(applyId, work) {
      checkApplyId(applyId)
      const attempt = randomUUID()
      const applied: readonly FlagEvent[] | undefined = await knex.transaction(async (transaction) => {
        const record = await claim(transaction, applyId, attempt)
        if (record.attempt !== attempt) return storedEvents(record) ?? rejectAbandoned(applyId)
        const events = await work(transaction)
        if (!Array.isArray(events)) throw new TypeError(`${owner}: work must return a list of flag events.`)
        const json = JSON.stringify(events)
        await transaction(table).where({ apply_id: applyId }).update({ events: json })
        // As a later call returns them.
        return JSON.parse(json) as FlagEvent[]
      })
      return applied ?? rejectCompleted()
    },

    async outcome(applyId) {
      checkApplyId(applyId)
      return knex.transaction(async (transaction) => {
        if (knex.client.dialect === 'postgresql') await transaction.raw(`set local lock_timeout = ${lockTimeoutMs}`)
        return storedEvents(await claim(transaction, applyId, null))
      })
    },
  }
}

const maxIdLength = 100

/** MySQL would truncate a longer id. */
function checkApplyId(applyId: string): void {
  if (typeof applyId === 'string' && applyId.length >= 1 && applyId.length <= maxIdLength) return
  throw new TypeError(`${owner}: the applyId must be a string of 1 to ${maxIdLength} characters.`)
}

/** Null for an id that `outcome` has ended. */
function storedEvents({ attempt, events }: ApplyRecord): readonly FlagEvent[] | null {
  if (events !== null) return JSON.parse(events)
  if (attempt === null) return null
  return rejectCompleted()
}

/** Knex then ignores what follows, and the record has no events. */
function rejectCompleted(): never {
  throw new Error(`${owner}: the result is unknown, because work completed the transaction itself.`)
}

function rejectAbandoned(applyId: string): never {
  throw new ChangeRequestError(
    'ConflictError',
    `The apply ${JSON.stringify(applyId)} was reported as not applied and cannot be applied any more. Apply the change ` +
      'request again.',
  )
}
