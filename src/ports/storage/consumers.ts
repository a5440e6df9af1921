/** How far a consumer has read the log. */
export interface ConsumerPosition {
  /** The log was searched up to this id. */
  readonly position: number
  /**
   * The id and the {@link EventHead.fingerprint} of the newest event at or below the position when it was stored; null if
   * there was none. They show whether the log was replaced by another one.
   */
  readonly event: { readonly id: number; readonly fingerprint: string } | null
}

/** What a consumer is doing, shared by all processes. All times are UTC, ISO 8601. */
export interface ConsumerStatus {
  /** The number of failed attempts since the last progress. */
  readonly failures: number
  /** When the first of them failed; null without failures. */
  readonly failingSince: string | null
  /** When the next attempt begins; null if it does not wait. */
  readonly nextAttemptAt: string | null
  /** The message of the last failure, at most 200 characters; null without failures. */
  readonly lastError: string | null
  /** Why it was stopped; null unless it is stopped. */
  readonly reason: string | null
  /** When it last handled events; null before. */
  readonly handledAt: string | null
  /** The ids, both included, of events that were removed from the log before they were read; null if there are none. */
  readonly skipped: { readonly from: number; readonly to: number } | null
}

/** The status of a consumer that has not started yet. */
export const newConsumerStatus: ConsumerStatus = {
  failures: 0,
  failingSince: null,
  nextAttemptAt: null,
  lastError: null,
  reason: null,
  handledAt: null,
  skipped: null,
}

/** The stored row of a consumer. */
export interface StoredConsumer extends ConsumerPosition {
  /** Unique in the store. */
  readonly name: string
  /** The process that leased it last; null before the first lease. */
  readonly owner: string | null
  /** Increases with each new owner and each `seek`, so that a write of an earlier owner is rejected. */
  readonly epoch: number
  /** The time until its lease ends, on the clock of the store; 0 or less if it is not leased. */
  readonly leaseLeftMs: number
  /** What it is doing. */
  readonly status: ConsumerStatus
}

/** A write of position and status, for {@link ConsumerStorage.write}. */
export interface ConsumerWrite extends ConsumerPosition {
  /** The row as it was read. Nothing is written unless its owner, epoch and position are still the same. */
  readonly before: Pick<StoredConsumer, 'name' | 'owner' | 'epoch' | 'position'>
  /** The epoch from now on. */
  readonly epoch: number
  /** The status from now on. */
  readonly status: ConsumerStatus
}

/**
 * The optional part of a {@link Storage} for `router.events.consume`: one row per consumer, each with a lease. The store
 * compares and writes, and has no rules. Each method is atomic. Times are measured on the clock of the store, so that
 * processes with different clocks agree on when a lease ends.
 */
export interface ConsumerStorage {
  /** A random UUID of this log. `migrate()` stores it once; it never changes. */
  logId(): Promise<string>

  /** All consumers, by name. */
  list(): Promise<StoredConsumer[]>

  /** Stores a consumer without an owner, with epoch 0 and {@link newConsumerStatus}. Returns false if the name exists. */
  create(name: string, start: ConsumerPosition): Promise<boolean>

  /**
   * Leases those of the named consumers that are free or already leased by this owner, for `leaseMs` from now, in one
   * statement. Returns them as they are stored then; a consumer that another owner has leased is missing. The epoch increases
   * by 1, unless the owner has a lease that has not ended. A lease that ends later than `leaseMs` from now counts as ended: the
   * clock was set back.
   */
  lease(owner: string, names: readonly string[], leaseMs: number): Promise<StoredConsumer[]>

  /** Ends the leases of this owner now. */
  release(owner: string, names: readonly string[]): Promise<void>

  /** Stores position, event, epoch and status if the row is still as in `before`; otherwise returns false. */
  write(write: ConsumerWrite): Promise<boolean>

  /** Removes the consumer. Returns false if there is none, or if it is leased. */
  remove(name: string): Promise<boolean>
}
