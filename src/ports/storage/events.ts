import { hash } from 'node:crypto'
import type { MachineKind } from '../../domain/change-request'

/** An event ready to be stored: the columns that filters compare, and the JSON text that a read copies. */
export interface EventRow {
  /** One of {@link EventType}. */
  readonly type: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** The project it concerns; {@link EventScope} filters by it. */
  readonly project: string | null
  /** The environment it concerns. */
  readonly environment: string | null
  /** The flag it concerns. */
  readonly featureName: string | null
  /** The id of the user who acted. */
  readonly createdByUserId: number | null
  /** The kind of the machine that acted; absent for a person. */
  readonly createdByKind?: MachineKind
  /** The kind of group it belongs to. */
  readonly groupType: string | null
  /** The group it belongs to. */
  readonly groupId: string | null
  /** The change request it belongs to. */
  readonly changeRequestId: number | null
  /** The W3C `traceparent` of the step that wrote it, at most 55 characters; absent without one. Part of no page. */
  readonly trace?: string
  /**
   * The JSON object as it is served, without its `id`; never empty, written once by JSON.stringify. Store and return exactly
   * this text. If it is not JSON, reject the whole write: a reader of the log could not parse it.
   */
  readonly json: string
}

/**
 * Selects events for which a count is maintained: all events, those of projects, those of flags, or those of flags in
 * projects.
 */
export interface EventScope {
  /** The project is one of these; an empty list matches nothing. Without it, events without a project match as well. */
  readonly projects?: readonly string[]
  /** The `featureName` is one of these; an empty list matches nothing. */
  readonly features?: readonly string[]
}

/** Selects events. The parts combine with AND, the items of a list with OR. */
export interface EventFilter extends EventScope {
  /** The id is one of these. */
  readonly ids?: readonly number[]
  /** The type is one of these. */
  readonly types?: readonly string[]
  /** The environment is one of these. */
  readonly environments?: readonly string[]
  /** The {@link EventRow.createdByUserId} is one of these. */
  readonly createdBy?: readonly number[]
  /** The {@link EventRow.groupId} is one of these. */
  readonly groupIds?: readonly string[]
  /** The {@link EventRow.changeRequestId} is one of these. */
  readonly changeRequestIds?: readonly number[]
  /**
   * The history of flags: the `featureName` is one of the features, or the event belongs to a change request that has one
   * of the subjects now.
   */
  readonly history?: { readonly features: readonly string[]; readonly subjects: readonly string[] }
  /** The first day, UTC: `yyyy-mm-dd`; or the first instant, in the form of {@link EventRow.createdAt}. */
  readonly from?: string
  /** The last day, included; or the instant before which the events are. */
  readonly to?: string
  /**
   * Occurs in the JSON text of `data`, `preData` or `tags`. The case of A to Z is ignored; all other characters are
   * compared exactly.
   */
  readonly query?: string
}

/** Whether a bound of a filter is an instant, not a day. */
export function isInstant(bound: string): boolean {
  return bound.includes('T')
}

/** The parts of a filter that are lists, in which each event has a value or not. */
type ListName = {
  [Name in keyof EventFilter]-?: NonNullable<EventFilter[Name]> extends readonly unknown[] ? Name : never
}[keyof EventFilter]

/** The column that each list of a filter is compared with. */
export const filterColumns = {
  ids: { column: 'id', type: 'number' },
  groupIds: { column: 'groupId', type: 'string' },
  changeRequestIds: { column: 'changeRequestId', type: 'number' },
  features: { column: 'featureName', type: 'string' },
  createdBy: { column: 'createdByUserId', type: 'number' },
  types: { column: 'type', type: 'string' },
  environments: { column: 'environment', type: 'string' },
  projects: { column: 'project', type: 'string' },
} as const satisfies {
  readonly [Name in ListName]: {
    readonly column: 'id' | keyof EventRow
    readonly type: NonNullable<EventFilter[Name]> extends readonly number[] ? 'number' : 'string'
  }
}

/** The lists of a filter that are given, each with its column. */
export function givenLists(filter: EventFilter) {
  return listNames.flatMap((name) => {
    const values: readonly (string | number)[] | undefined = filter[name]
    return values === undefined ? [] : [{ ...filterColumns[name], name, values }]
  })
}

const listNames = Object.keys(filterColumns) as ListName[]

/** The end of the log at one moment. */
export interface EventHead {
  /**
   * The id of the newest visible event in the scope; 0 if there is none. That of the whole log stays when events are removed:
   * positions of readers are compared with it.
   */
  readonly lastId: number
  /** The number of visible events in the scope. */
  readonly total: number
  /**
   * The first 8 hexadecimal digits of the SHA-256 of the {@link EventRow.json} of that event; empty when there is no such
   * event. A database that is restored to an earlier state reuses ids: the fingerprint distinguishes the new event from the
   * lost one.
   */
  readonly fingerprint: string
}

/** {@link EventHead.fingerprint} of an event with this `json`. */
export function eventFingerprint(json: string | Uint8Array): string {
  return hash('sha256', json, 'hex').slice(0, fingerprintDigits)
}

/** The number of hexadecimal digits of a fingerprint. */
export const fingerprintDigits = 8

/** Where a page starts: newest first below an id, or oldest first above an id. */
export type EventCursor = { readonly before: number } | { readonly after: number }

/** Where a search without a cursor starts. */
export const newest: EventCursor = { before: Number.MAX_SAFE_INTEGER }

/** The cursor after an event. */
export function beyond(cursor: EventCursor, id: number): EventCursor {
  return 'after' in cursor ? { after: id } : { before: id }
}

/** Events as bytes, ready to be sent. */
export interface EventPage {
  /** The number of events that match. */
  readonly count: number
  /** The number of examined events: `count`, or more with a `query`. If it is less than the limit, no event is left. */
  readonly searched: number
  /** The id of the last event that was examined, the cursor for the next page; 0 if there was none. */
  readonly lastId: number
  /**
   * `{"id":7,…},\n{"id":6,…}`: the events as UTF-8 JSON, separated by a comma and a line feed, which occurs nowhere
   * else. Immutable: followers and exports share a page, so it must not be modified, and a storage must not reuse its
   * memory for another page.
   */
  readonly json: Uint8Array
}

/** A search, for {@link EventStorage.searchEvents}. */
export interface EventSearch {
  /** The events to find; it may have a `query`. */
  readonly filter: EventFilter
  /** Where the page starts; the newest event when left out. */
  readonly cursor?: EventCursor
  /** The number of matches next to the cursor to skip. */
  readonly offset: number
  /** Maximum number of events of the page. */
  readonly limit: number
  /** Adds `groupType` and `groupId`, as {@link EventStorage.eventPage} does. */
  readonly grouped: boolean
  /**
   * Maximum number of events to examine for the page and for the total, if each must be examined. With a `query`, exactly that
   * many of the events next to the cursor that match everything else, if the log has them.
   */
  readonly maxCounted: number
}

/** A page of a search. */
export interface FoundEvents {
  /** In the order of the cursor. */
  readonly page: EventPage
  /**
   * The number of matches in the whole log, whatever the cursor; a lower bound if it is not exact. With a `query`, the number
   * of matches among the examined events.
   */
  readonly total: number
  /** Whether the total is exact; with a `query`, whether the search has reached the end of the log. */
  readonly isExact: boolean
  /** Where the search continues, in the direction of its cursor; null if nothing is left. */
  readonly next: EventCursor | null
  /**
   * The rest of the offset, if the search stopped before it had skipped that many matches: the number of matches beyond
   * `next` to skip. Otherwise 0.
   */
  readonly offsetLeft: number
}

/** The number of events of a day. */
export interface EventsOfDay {
  /** UTC, `yyyy-mm-dd`. */
  readonly date: string
  /** At least 1. */
  readonly total: number
}

/** A user who has written events. */
export interface EventCreator {
  /** `createdByUserId` of their events. */
  readonly id: number
  /** `createdBy` of their newest event; null if that event was removed. */
  readonly createdBy: string | null
  /** `createdByKind` of that event; absent for a person. */
  readonly kind?: MachineKind
}

/** The part of a {@link Storage} that stores the event log. */
export interface EventStorage {
  /** Appends events that belong to no change request: atomically, in the order given. */
  appendEvents(events: readonly EventRow[]): Promise<void>

  /**
   * The newest id and the number of events, both from the same moment. Must not scan the log: both values are maintained
   * when events are appended.
   */
  eventHead(scope: EventScope): Promise<EventHead>

  /**
   * At most `limit` events that match, starting next to the cursor. With a `query`, it examines the next `limit` events
   * that match everything else and returns those that contain it, possibly none. Ids increase in the order in
   * which events become visible: once a reader has seen an id, no event with a smaller id ever appears. Holds no
   * connection and no snapshot after it has returned.
   *
   * @param grouped adds `groupType` and `groupId` to the events that have them, directly after the id.
   */
  eventPage(filter: EventFilter, cursor: EventCursor, limit: number, grouped?: boolean): Promise<EventPage>

  /**
   * One page of the matches, and their number. Examines at most about `maxCounted` events, so that the time does not depend on
   * the size of the log. A page may therefore have fewer events than `limit`; `next` continues the search. It may take long,
   * but must not block other calls.
   */
  searchEvents(search: EventSearch): Promise<FoundEvents>

  /**
   * The {@link EventRow.trace} of the events with these ids, by id. Those without one are missing, as are unknown ids.
   *
   * @param ids at most 1,000
   */
  eventTraces(ids: readonly number[]): Promise<ReadonlyMap<number, string>>

  /**
   * The users who have written events of these projects, by id. Without `projects`: of all projects and of none. Must not
   * scan the log.
   */
  eventCreators(projects?: readonly string[]): Promise<EventCreator[]>

  /**
   * The days from the first to the last, both included, that have events of these projects, in their order. Without
   * `projects`: of all projects and of none. Must not scan the log.
   */
  eventsPerDay(
    days: { readonly from: string; readonly to: string },
    projects?: readonly string[],
  ): Promise<EventsOfDay[]>

  /**
   * Rebuilds everything that is maintained about events (counts, newest ids, creators) from the stored events, after the
   * operator has removed some. Writes continue meanwhile, and none of them is missed. Absent if nothing is maintained.
   */
  recountEvents?(): Promise<void>

  /**
   * Calls the listener when events may have become visible, until the returned function is called. A call is only a hint: it
   * may be late, missing or without a new event. The listener does not throw. Absent if the store has no notifications.
   */
  onAppend?(listener: () => void): () => void
}
