import type { ChangeRequestStorage, Write } from './change-requests'
import type { ConsumerStorage } from './consumers'
import type { EventRow, EventStorage } from './events'
import type { StoredGauges } from './gauges'
import type { StorageInspection } from './inspection'
import type { SettingsStorage } from './settings'

/** The condition of a store, as a part of what `router.health()` returns. */
export interface StorageHealth {
  /** False if the store does not respond; the numbers are then 0. */
  readonly reachable: boolean
  /** The number of the last migration; 0 before the first. */
  readonly schemaVersion: number
  /** Whether this release supports the schema of the tables: false before `migrate()`, and for an unknown version. */
  readonly compatible: boolean
  /** The id of the newest visible event; 0 if there is none, or if the store is not compatible. */
  readonly lastEventId: number
  /** The durability setting of the database, which decides what a commit survives. */
  readonly durability: string
  /** The time of the store's clock, UTC, ISO 8601 with milliseconds; absent if it has no clock of its own. */
  readonly now?: string
  /** How commits reach other servers; absent for a store that has no replication, and when it does not respond. */
  readonly replication?: StorageReplication
  /** Whether the store is a standby, which accepts no writes; absent for a store that cannot be one. */
  readonly recovery?: boolean
}

/**
 * The replication of a store, as a part of {@link StorageHealth}: with it the host app knows what an acknowledged write survives.
 */
export interface StorageReplication {
  /** The setting `synchronous_commit` of the connection. */
  readonly synchronousCommit: string
  /** The setting `synchronous_standby_names`; empty if commits do not wait for a standby. */
  readonly synchronousStandbyNames: string
  /** Whether a standby receives the commits of this server; `unknown` without the privileges of `pg_monitor`. */
  readonly standbyConnected: boolean | 'unknown'
}

/**
 * The meaning of an error of the store, as {@link Storage.failureOf} returns it.
 *
 * - `lost-race`: another writer was faster and nothing was written, as after a serialization failure or a deadlock. The
 *   router loads and decides again, up to twelve times.
 * - `busy`: waiting for a lock, a free connection or the end of a statement took too long. Not retried; 503.
 * - `unreachable`: the store does not respond, or the connection was lost; a write may have succeeded. 503.
 * - `unmigrated`: {@link Storage.migrate} has not been called yet. 503.
 * - `unsupported-schema`: the store has a version that this release does not support. 503.
 * - `read-only`: the store currently accepts no writes. 503.
 * - `not-allowed`: the app's database user lacks a privilege. 503.
 * - `full`: there is no space left. 503.
 * - `refused-data`: the store cannot hold a value of the request. 400.
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

/** A problem that a storage detected outside of a call, as {@link Storage.onProblem} reports it. */
export interface StorageProblem {
  /** `error` for wrong data, `warn` for a problem without damage. */
  readonly level: 'warn' | 'error'
  /** A sentence for the log. */
  readonly message: string
  /** Numbers and names for the log, without stored values. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The writes of a {@link Storage} that can also run inside a transaction. */
export interface TransactionStorage {
  /** As {@link ChangeRequestStorage.commit}. */
  commit: ChangeRequestStorage['commit']
  /** As {@link EventStorage.appendEvents}. */
  appendEvents(events: readonly EventRow[]): Promise<void>
}

/**
 * The interface of a store for the router: change requests, events, settings and idempotency records, and a life cycle. A
 * storage has no rules: the router decides on what it read, and `commit` rejects a decision on outdated content. Errors of
 * the driver pass through unchanged: {@link Storage.failureOf} determines whether the router retries, or responds with
 * 503 UnavailableError or 500 UnknownError.
 *
 * `null` and `''` are different values and are returned as they were written; only the project of an event is never `''`.
 * If a stored document is not JSON, reject the call, as `JSON.parse` does: the response is 500, and the log has the error.
 *
 * `describeStorage` from `express-change-requests/testing` has a test for each of these guarantees.
 *
 * @typeParam Transaction The transaction that {@link Storage.transaction} provides, and that a flag gateway receives.
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
   * The version of this interface that the storage implements. The router rejects any other version when it is created: an
   * older storage would ignore a filter that it does not know.
   */
  readonly portVersion: 1

  /**
   * Migrates the schema to the version of this release. Idempotent; any number of processes may call it concurrently.
   * Rejects if the store has a version that this release does not support.
   */
  migrate(): Promise<void>

  /** Never throws: for an unreachable store it returns `reachable: false`. */
  health(): Promise<StorageHealth>

  /**
   * Calls the listener for each problem that the storage detected outside of a call, including problems before the first
   * call of this method, until the returned function is called. The listener does not throw. Absent if there are no such
   * problems. The router logs them.
   */
  onProblem?(listener: (problem: StorageProblem) => void): () => void

  /**
   * The values of the gauges of the option `telemetry`, all from one moment. Must not scan the log. Each process calls it every
   * 15 seconds.
   */
  gauges(): Promise<StoredGauges>

  /** Waits for running writes, and closes only what the storage itself opened. */
  close(): Promise<void>

  /**
   * The meaning of an error that a call of this storage rejected with, by the codes and texts of its driver; undefined for
   * an unknown error, which becomes a 500. It is called with any thrown value, including text, null and errors of other
   * components, and must not throw.
   */
  failureOf(error: unknown): StorageFailure | undefined

  /**
   * Runs `work` in one transaction, which the flag gateway can share: if `work` throws, all of its writes are rolled back.
   * Absent if the store has no transactions to share.
   */
  transaction?<Value>(work: (transaction: Transaction, storage: TransactionStorage) => Promise<Value>): Promise<Value>

  /**
   * For a store in whose transactions nothing may wait, in place of {@link Storage.transaction}: calls `work` in a transaction
   * that holds the write lock, and commits the write that it returns in the same transaction. If `work` throws, everything is
   * rolled back, and the call rejects with the error. Returns false if the write lost a race; then everything is rolled back,
   * too. `work` is called at most once.
   */
  transactionSync?(work: (transaction: Transaction) => Write): Promise<boolean>

  /**
   * The same writes inside a transaction of the host app, committed or rolled back with it; they are never retried. Absent
   * if the store has no transactions to share.
   */
  within?(transaction: Transaction): TransactionStorage

  /** The positions of durable consumers. Without it, `router.events.consume` throws. */
  readonly consumers?: ConsumerStorage

  /** Reads what is stored for `verifyStorage`. Without it, that checks less. */
  readonly inspect?: StorageInspection
}
