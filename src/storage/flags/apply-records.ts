import { randomUUID } from 'node:crypto'
import { ChangeRequestError } from '../../errors'
import type { FlagEvent } from '../../ports/flags'

/**
 * Records which applies your flag database has committed, for a {@link FlagGateway} whose flags are in another database than
 * the change requests.
 *
 * @typeParam Transaction The transaction of the database of the flags.
 */
export interface ApplyRecords<Transaction = unknown> {
  /** Creates the table unless it exists. Safe to call at every start, and in several processes. */
  migrate(): Promise<void>
  /**
   * Runs `work` and stores its events, in one transaction. If the `applyId` was committed before, `work` is not called, and the
   * stored events are returned. If `work` throws, everything is rolled back.
   *
   * @throws ConflictError after `outcome` returned null for the `applyId`.
   */
  run(applyId: string, work: (transaction: Transaction) => Promise<readonly FlagEvent[]>): Promise<readonly FlagEvent[]>
  /**
   * The events of an `applyId` that was committed. Null if it was not; from then on, `run` rejects it permanently. It waits for
   * a `run` in progress, and throws if that takes too long.
   */
  outcome(applyId: string): Promise<readonly FlagEvent[] | null>
}

/**
 * {@link ApplyRecords} of a database in whose transactions nothing may wait.
 *
 * @typeParam Transaction The transaction of the database of the flags.
 */
export interface SyncApplyRecords<Transaction = unknown> extends Omit<ApplyRecords, 'run'> {
  /** As {@link ApplyRecords.run}; `work` returns its events, not a promise. */
  run(applyId: string, work: (transaction: Transaction) => readonly FlagEvent[]): Promise<readonly FlagEvent[]>
}

export interface ApplyRecord {
  /** The call of `run` that claimed the id; null if `outcome` was faster. */
  readonly attempt: string | null
  /** JSON; null until `work` has ended. */
  readonly events: string | null
}

/** The table of the records. Its columns are `apply_id`, `attempt`, `events` and `recorded_at`. */
interface ApplyRecordTable<Transaction> {
  /** Rejects unless the table exists. */
  check(): Promise<unknown>
  /** Creates the table with one statement: a process that dies cannot leave a table without its key. */
  create(): Promise<unknown>
  /** Inserts the record unless there is one, and locks it. A concurrent transaction with the same id is awaited. */
  claim(transaction: Transaction, record: NewRecord): Promise<ApplyRecord>
  store(transaction: Transaction, applyId: string, events: string): Promise<unknown>
  /** Runs `work` in a new transaction; with a limit, waiting for a lock fails after that time. */
  transaction<Value>(work: (transaction: Transaction) => Promise<Value>, lockTimeoutMs?: number): Promise<Value>
}

interface NewRecord {
  readonly applyId: string
  readonly attempt: string | null
  readonly recordedAt: string
}

export const defaultRecordsTable = 'ffcr_apply_records'

const owner = 'applyRecords'

/** Postgres waits for another transaction without a limit, and each waiting `outcome` uses a connection. */
const lockTimeoutMs = 2_000

export function createApplyRecords<Transaction>(table: ApplyRecordTable<Transaction>): ApplyRecords<Transaction> {
  const claim = (transaction: Transaction, applyId: string, attempt: string | null) =>
    table.claim(transaction, { applyId, attempt, recordedAt: new Date().toISOString() })
  const exists = () =>
    table
      .check()
      .then(() => true)
      .catch(() => false)

  return {
    async migrate() {
      if (await exists()) return
      try {
        await table.create()
      } catch (error) {
        // Another process has created it at the same time.
        if (!(await exists())) throw error
      }
    },

    async run(applyId, work) {
      checkApplyId(applyId)
      const attempt = randomUUID()
      const applied = await table.transaction(async (transaction): Promise<readonly FlagEvent[] | undefined> => {
        const record = await claim(transaction, applyId, attempt)
        if (record.attempt !== attempt) return earlierEvents(record, applyId)
        const json = toJson(await work(transaction))
        await table.store(transaction, applyId, json)
        // As a later call returns them.
        return JSON.parse(json) as FlagEvent[]
      })
      return applied ?? rejectCompleted()
    },

    async outcome(applyId) {
      checkApplyId(applyId)
      const end = async (transaction: Transaction) => storedEvents(await claim(transaction, applyId, null))
      return table.transaction(end, lockTimeoutMs)
    },
  }
}

interface SyncApplyRecordTable {
  check(): unknown
  /** As {@link ApplyRecordTable.create}; an existing table stays unchanged. */
  create(): void
  claim(record: NewRecord): ApplyRecord
  store(applyId: string, events: string): void
  transaction<Value>(work: () => Value): Promise<Value>
}

/** The records in the table; `work` returns its events, not a promise. */
export function createSyncApplyRecords<Transaction>(
  table: SyncApplyRecordTable,
  transaction: Transaction,
): SyncApplyRecords<Transaction> {
  const claim = (applyId: string, attempt: string | null) =>
    table.claim({ applyId, attempt, recordedAt: new Date().toISOString() })

  return {
    migrate: () =>
      // Not in a transaction that the host app holds open: its rollback would remove the table.
      table.transaction(() => {
        table.create()
        table.check()
      }),

    async run(applyId, work) {
      checkApplyId(applyId)
      const attempt = randomUUID()
      return table.transaction(() => {
        const record = claim(applyId, attempt)
        if (record.attempt !== attempt) return earlierEvents(record, applyId)
        const events: unknown = work(transaction)
        if (events instanceof Promise) events.catch(() => undefined)
        const json = toJson(events)
        table.store(applyId, json)
        return JSON.parse(json) as FlagEvent[]
      })
    },

    async outcome(applyId) {
      checkApplyId(applyId)
      return table.transaction(() => storedEvents(claim(applyId, null)))
    },
  }
}

/** The events of an earlier call. @throws ConflictError if `outcome` has ended the id */
function earlierEvents(record: ApplyRecord, applyId: string): readonly FlagEvent[] {
  const events = storedEvents(record)
  if (events !== null) return events
  throw new ChangeRequestError(
    'ConflictError',
    `The apply ${JSON.stringify(applyId)} was reported as not applied and cannot be applied any more. Apply the change ` +
      'request again.',
  )
}

/** The events as text. @throws TypeError for a result of `work` that is no list */
function toJson(events: unknown): string {
  if (!Array.isArray(events)) throw new TypeError(`${owner}: work must return a list of flag events.`)
  return JSON.stringify(events)
}

export const maxIdLength = 100

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

/** The record has no events: Knex ignores what follows, and other storages call this function. */
export function rejectCompleted(): never {
  throw new Error(`${owner}: the result is unknown, because work completed the transaction itself.`)
}
