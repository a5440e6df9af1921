import type { EventView } from '../generated/index'
import type { LogFilter } from './consumers'

/** Options of {@link EventLog.read}. */
export interface EventReadOptions {
  /** The events to return. @defaultValue all events */
  readonly filter?: LogFilter
  /** Only events with a greater id, oldest first. Not together with `before`. */
  readonly after?: number
  /** Only events with a lower id, newest first. */
  readonly before?: number
  /** The maximum number of events, at most 1,000. @defaultValue `50` */
  readonly limit?: number
}

/** A page of events, as {@link EventLog.read} returns it. */
export interface EventReadPage {
  /** The events, in the order of the ids: ascending with `after`, otherwise descending. */
  readonly events: readonly EventView[]
  /** The id for `after` or `before` of the next page; null if there is none. */
  readonly next: number | null
}

/** Options of {@link EventLog.follow}. */
export interface EventFollowOptions {
  /** The events to return. @defaultValue all events */
  readonly filter?: LogFilter
  /** Only events with a greater id. @defaultValue the newest id: only new events */
  readonly after?: number
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}
