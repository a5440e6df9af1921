import type { ChangeRequestStorage, Write } from './change-requests'
import type { EventRow, EventStorage } from './events'
import type { SettingsStorage } from './settings'

/**
 * The condition of a store, as a part of what `router.health()` returns.
 *
 * @example
 * ```ts
 * const health: StorageHealth = { reachable: true, schemaVersion: 1, compatible: true, lastEventId: 1042, durability: 'fsync=on' }
 * ```
 */
export interface StorageHealth {
  /** False when the store does not answer; the numbers are then 0. */
  readonly reachable: boolean
  /** The number of the last migration; 0 before the first. */
  readonly schemaVersion: number
  /** Whether this release works on the tables as they are: false before `migrate()`, and for a store that it does not know. */
  readonly compatible: boolean
  /** The id of the newest visible event; 0 when there is none, or when the store is not compatible. */
  readonly lastEventId: number
  /** What a commit survives, in the terms of the database. */
  readonly durability: string
  /** The time of its own clock, UTC, ISO 8601 with milliseconds; absent for a store that has none but that of the process. */
  readonly now?: string
}

/**
 * The meaning of an error of the store, as {@link Storage.failureOf} returns it.
 *
 * - `lost-race`: another writer was faster and nothing was written, as after a serialization failure or a deadlock. The
 *   router loads and decides again, up to twelve times.
 * - `busy`: waiting for a lock, a free connection or the end of a statement took too long. Not retried; 503.
 * - `unreachable`: the store does not answer, or the connection was lost; whether a write arrived is unknown. 503.
 * - `unmigrated`: {@link Storage.migrate} has not been called yet. 503.
 * - `unsupported-schema`: the store has a version that this release does not work with. 503.
 * - `read-only`: the store takes no writes at the moment. 503.
 * - `not-allowed`: the host lacks a permission in its store. 503.
 * - `full`: there is no space left. 503.
 * - `refused-data`: the store cannot hold a value of the request. 400.
 *
 * @example
 * ```ts
 * const failureOf = (error: unknown): StorageFailure | undefined => {
 *   const { code } = (error ?? {}) as { code?: unknown }
 *   if (code === 'NR_CLOSED' || code === 'ECONNREFUSED') return 'unreachable'
 *   return code === 'LOADING' ? 'busy' : undefined
 * }
 * ```
 */
export type StorageFailure =
  | 'lost-race'
  | 'busy'
  | 'unreachable'
  | 'unmigrated'
  | 'unsupported-schema'
  | 'read-only'
  | 'not-allowed'
  | 'full'
  | 'refused-data'

/**
 * Something that a storage noticed by itself and that made no call fail, as {@link Storage.onProblem} reports it.
 *
 * @example
 * ```ts
 * const log = ({ level, message, details }: StorageProblem) => console[level](message, details)
 * ```
 */
export interface StorageProblem {
  /** `error` for data that is wrong, `warn` for what is no fault yet. */
  readonly level: 'warn' | 'error'
  /** A sentence for the log. */
  readonly message: string
  /** Numbers and names for the log, without stored values. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * The writes of a {@link Storage} that can also run inside a transaction.
 *
 * @example
 * ```ts
 * await knex.transaction(async (transaction) => {
 *   const inside: TransactionStorage = knexStorage({ knex }).within(transaction)
 *   await inside.appendEvents([])
 * })
 * ```
 */
export interface TransactionStorage {
  /** As {@link ChangeRequestStorage.commit}. */
  commit(write: Write): Promise<boolean>
  /** As {@link EventStorage.appendEvents}. */
  appendEvents(events: readonly EventRow[]): Promise<void>
}

/**
 * What the router needs of a store: change requests, events, settings and idempotency records, and a life cycle. A
 * storage holds no rules: they are decided on what was read, and `commit` rejects a decision on something older. Errors
 * of the driver pass through unchanged: from {@link Storage.failureOf} the router learns whether to retry, or to answer
 * 503 UnavailableError or 500 UnknownError.
 *
 * `describeStorage` from `express-change-requests/testing` has a test for each of these promises.
 *
 * @typeParam Transaction What {@link Storage.transaction} hands out, and a flag gateway receives.
 *
 * @example
 * ```ts
 * const inner = memoryStorage()
 * const timed: Storage = {
 *   ...inner,
 *   async commit(write) {
 *     const start = performance.now()
 *     const done = await inner.commit(write)
 *     console.log(write.changeRequest.id, done, performance.now() - start)
 *     return done
 *   },
 * }
 * ```
 */
export interface Storage<Transaction = unknown> extends ChangeRequestStorage, EventStorage, SettingsStorage {
  /**
   * The version of this interface that the storage implements. The router refuses any other at construction: an older
   * storage would ignore a filter that it does not know.
   */
  readonly portVersion: 1

  /**
   * Brings the schema to what this release needs. Idempotent; any number of processes may call it at once. Rejects when the
   * store has a version that this release does not work with.
   */
  migrate(): Promise<void>

  /** Never throws: for an unreachable store it returns `reachable: false`. */
  health(): Promise<StorageHealth>

  /**
   * Calls the listener for each problem that the storage noticed by itself and that made no call fail, also for those
   * before the first call of this method, until the returned function is called. The listener does not throw. Absent
   * where there are no such problems. The router logs them.
   */
  onProblem?(listener: (problem: StorageProblem) => void): () => void

  /** Waits for the writes under way and releases what the storage itself opened, nothing of the host's. */
  close(): Promise<void>

  /**
   * The meaning of an error that a call of this storage rejected with, by the codes and texts of its driver; undefined
   * for an error that it does not know, which becomes a 500. It is called with whatever was thrown, including text, null
   * and errors from elsewhere, and must not throw.
   */
  failureOf(error: unknown): StorageFailure | undefined

  /**
   * Runs `work` in one transaction, which the flag gateway may share: if `work` throws, none of its writes stay. Absent
   * where the store has no transactions to share.
   */
  transaction?<Value>(work: (transaction: Transaction, storage: TransactionStorage) => Promise<Value>): Promise<Value>

  /**
   * The same writes inside a transaction of the host, committed or rolled back with it; they are never retried. Absent
   * where the store has no transactions to share.
   */
  within?(transaction: Transaction): TransactionStorage
}
