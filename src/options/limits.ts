import { maxDurationMs } from '../check-options'

/**
 * Limits on the size of requests and on durations. A body that exceeds a limit is rejected with 413
 * PayloadTooLargeError, 400 BadDataError or 400 ExceedsLimitError. A duration is at most 2,147,483,647 ms (24 days), the
 * longest that a timer can wait.
 */
export interface Limits {
  /**
   * The maximum size of a body in bytes, after decompression.
   * @defaultValue `102400`
   */
  readonly bodyBytes: number
  /**
   * The maximum nesting of a body.
   * @defaultValue `32`
   */
  readonly bodyDepth: number
  /**
   * The maximum number of values and keys in a body.
   * @defaultValue `20000`
   */
  readonly bodyNodes: number
  /**
   * The maximum number of changes in one POST.
   * @defaultValue `100`
   */
  readonly changesPerRequest: number
  /**
   * The maximum number of changes in one change request.
   * @defaultValue `500`
   */
  readonly changesPerChangeRequest: number
  /**
   * The maximum size of all changes of one change request in bytes, as JSON. Only requests that add to it are rejected.
   * @defaultValue `1048576`
   */
  readonly changesBytes: number
  /**
   * The maximum size of the state that the changes of one change request can alter, in bytes as JSON. It is stored with each
   * change, for the diff. Only requests that add to it are rejected.
   * @defaultValue `8388608`
   */
  readonly targetsBytes: number
  /**
   * The maximum number of comments on one change request. Deleted ones do not count, and the text of a step is accepted beyond
   * it.
   * @defaultValue `1000`
   */
  readonly commentsPerChangeRequest: number
  /**
   * The maximum size of all comments on one change request in bytes, as JSON. A quarter of it, at least 256 kB, is reserved for
   * the texts of steps, such as the reason of a rejection.
   * @defaultValue `1048576`
   */
  readonly commentsBytes: number
  /**
   * The timeout of hooks of your app in milliseconds; after that the caller gets 503.
   * @defaultValue `5000`
   */
  readonly hookTimeoutMs: number
  /**
   * The maximum number of events that one text search reads; the response links to the next page.
   * @defaultValue `10000`
   */
  readonly searchedEvents: number
  /**
   * The number of events beyond the offset that one search counts if the total is not stored; a tenth of it for several filters.
   * Above it, the total is a lower bound.
   * @defaultValue `1000`
   */
  readonly countedEvents: number
  /**
   * The time in milliseconds after which the connection of a client that stops reading is closed.
   * @defaultValue `60000`
   */
  readonly streamTimeoutMs: number
  /**
   * The interval in milliseconds at which the log is read for events of other processes. All followers of a router share
   * one read; without followers there is none.
   * @defaultValue `1000`
   */
  readonly followPollMs: number
  /**
   * The interval in milliseconds at which a follower gets a heartbeat while there are no events.
   * @defaultValue `15000`
   */
  readonly heartbeatMs: number
  /**
   * The duration of an event stream in milliseconds. Then the client reconnects, and its permission is checked again.
   * @defaultValue `900000`
   */
  readonly followMs: number
  /**
   * The time in milliseconds after which an apply without a stored result counts as interrupted, and the gateway's `outcome`
   * is called.
   * @defaultValue `60000`
   */
  readonly applyTimeoutMs: number
  /**
   * The interval in milliseconds at which due change requests are read, with the option `schedule: 'here'`.
   * @defaultValue `1000`
   */
  readonly schedulePollMs: number
  /**
   * The time in milliseconds after which an overdue change request is suspended instead of applied.
   * @defaultValue `86400000`
   */
  readonly scheduleGraceMs: number
  /**
   * The time in milliseconds after which a schedule that was set before the last approval has no effect any more; at most
   * 100 years.
   * @defaultValue `2592000000`
   */
  readonly presetScheduleMs: number
  /**
   * The time in milliseconds after which an attempt of a consumer is aborted and counts as failed; at least 1,000. Each call of
   * `done` starts it again.
   * @defaultValue `60000`
   */
  readonly consumerTimeoutMs: number
  /**
   * The time in milliseconds for which a process leases a consumer; at least 1,000. The consumers of a process that died
   * continue in another process within this time.
   * @defaultValue `15000`
   */
  readonly consumerLeaseMs: number
}

/** The lowest accepted values, where it is not 1. */
export const lowestLimits: Partial<Limits> = { consumerTimeoutMs: 1_000, consumerLeaseMs: 1_000 }

/** The highest accepted values of durations that may be longer than a timer. */
export const highestLimits: Partial<Limits> = { presetScheduleMs: maxDurationMs }

/** The default limits. */
export const defaultLimits: Limits = {
  bodyBytes: 100 * 1024,
  bodyDepth: 32,
  bodyNodes: 20_000,
  changesPerRequest: 100,
  changesPerChangeRequest: 500,
  changesBytes: 1024 * 1024,
  targetsBytes: 8 * 1024 * 1024,
  commentsPerChangeRequest: 1_000,
  commentsBytes: 1024 * 1024,
  hookTimeoutMs: 5_000,
  searchedEvents: 10_000,
  countedEvents: 1_000,
  streamTimeoutMs: 60_000,
  followPollMs: 1_000,
  heartbeatMs: 15_000,
  followMs: 900_000,
  applyTimeoutMs: 60_000,
  schedulePollMs: 1_000,
  scheduleGraceMs: 86_400_000,
  presetScheduleMs: 30 * 86_400_000,
  consumerTimeoutMs: 60_000,
  consumerLeaseMs: 15_000,
}
