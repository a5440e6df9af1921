/**
 * Limits on what a caller may send, and on how long things may take. A body beyond a limit is rejected with 413
 * PayloadTooLargeError, 400 BadDataError or 400 ExceedsLimitError.
 *
 * @example
 * ```ts
 * const limits: Partial<Limits> = { bodyBytes: 1024 * 1024, changesPerRequest: 500 }
 * ```
 */
export interface Limits {
  /**
   * The largest body in bytes, after decompression.
   * @defaultValue `102400`
   */
  readonly bodyBytes: number
  /**
   * The deepest nesting of a body.
   * @defaultValue `32`
   */
  readonly bodyDepth: number
  /**
   * The most values and keys in a body.
   * @defaultValue `20000`
   */
  readonly bodyNodes: number
  /**
   * The most changes in one POST.
   * @defaultValue `100`
   */
  readonly changesPerRequest: number
  /**
   * The most changes in one change request.
   * @defaultValue `500`
   */
  readonly changesPerChangeRequest: number
  /**
   * The most bytes of all changes of one change request, as JSON. Only a request that adds to them is rejected.
   * @defaultValue `1048576`
   */
  readonly changesBytes: number
  /**
   * The most bytes of what the changes of one change request can alter, as JSON: it is kept with each change, for the diff.
   * Only a request that adds to it is rejected.
   * @defaultValue `8388608`
   */
  readonly targetsBytes: number
  /**
   * The most comments on one change request.
   * @defaultValue `1000`
   */
  readonly commentsPerChangeRequest: number
  /**
   * The most bytes of all comments on one change request, as JSON.
   * @defaultValue `1048576`
   */
  readonly commentsBytes: number
  /**
   * How many milliseconds a hook of your app may take; after that the request is answered with 503.
   * @defaultValue `5000`
   */
  readonly hookTimeoutMs: number
  /**
   * How many events one search for a text reads; the answer links to the rest.
   * @defaultValue `10000`
   */
  readonly searchedEvents: number
  /**
   * How many events one search examines for a total that is not kept; beyond it, the total is a lower bound.
   * @defaultValue `100000`
   */
  readonly countedEvents: number
  /**
   * How many milliseconds a client may stop reading a list before its connection is closed.
   * @defaultValue `60000`
   */
  readonly streamTimeoutMs: number
  /**
   * How many milliseconds lie between two reads of the log for events of other processes. All subscribers of a router
   * share one read; without subscribers there is none.
   * @defaultValue `1000`
   */
  readonly followPollMs: number
  /**
   * How many milliseconds lie between two keep-alive messages to a subscriber while there are no events.
   * @defaultValue `15000`
   */
  readonly heartbeatMs: number
  /**
   * How many milliseconds a stream of events lasts. The client then reconnects, and its permission is checked again.
   * @defaultValue `900000`
   */
  readonly followMs: number
  /**
   * After how many milliseconds an application without a stored outcome counts as interrupted, and the gateway is asked.
   * @defaultValue `60000`
   */
  readonly applyTimeoutMs: number
  /**
   * How many milliseconds lie between two looks for what is due, with the option `schedule: 'here'`.
   * @defaultValue `1000`
   */
  readonly schedulePollMs: number
  /**
   * How many milliseconds late a scheduled change request is still applied; later it is suspended.
   * @defaultValue `86400000`
   */
  readonly scheduleGraceMs: number
}

/** The limits of a router whose host sets none. */
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
  countedEvents: 100_000,
  streamTimeoutMs: 60_000,
  followPollMs: 1_000,
  heartbeatMs: 15_000,
  followMs: 900_000,
  applyTimeoutMs: 60_000,
  schedulePollMs: 1_000,
  scheduleGraceMs: 86_400_000,
}
