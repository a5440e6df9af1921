import { eachEvent, idOf } from '../../kernel/log/event-bytes'
import type { Limits } from '../../options/limits'
import { beyond, type EventCursor, type EventFilter, newest } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'

/** What a caller searches for. */
export interface SearchInput {
  readonly filter: EventFilter
  /** Where the page starts; left out: at the newest event. */
  readonly cursor: EventCursor | undefined
  readonly offset: number
  readonly limit: number
}

export interface SearchResult {
  /** Newest first, each as it is served. */
  readonly events: readonly Uint8Array[]
  /** Number of matches before paging. With a `query`: the matches among the events that were examined. */
  readonly total: number
  /** Whether the total is exact. */
  readonly isExact: boolean
  /** Where the search continues, in the direction of its cursor; undefined if nothing is left. */
  readonly next: EventCursor | undefined
  /** The number of matches that are still to be skipped from there. */
  readonly offsetLeft: number
}

/** The number of events that are searched for a text in one call; other work runs in between. */
const windowSize = 1_000

/** One page of the matches. A text is searched only in a limited number of events next to the cursor. */
export async function searchEvents(
  storage: Storage,
  search: SearchInput,
  limits: Pick<Limits, 'searchedEvents' | 'countedEvents'>,
): Promise<SearchResult> {
  const { cursor = newest, filter } = search
  if (filter.query !== undefined) return searchText(storage, search, limits.searchedEvents)
  const { page, next, ...found } = await storage.searchEvents({
    ...withoutUndefined(search),
    grouped: true,
    maxCounted: limits.countedEvents,
  })
  return { ...found, events: newestFirst(eachEvent(page), cursor), next: next ?? undefined }
}

function withoutUndefined({ cursor, ...search }: SearchInput) {
  return cursor === undefined ? search : { ...search, cursor }
}

function newestFirst(events: Uint8Array[], cursor: EventCursor): Uint8Array[] {
  return 'after' in cursor ? events.reverse() : events
}

async function searchText(storage: Storage, search: SearchInput, maxSearched: number): Promise<SearchResult> {
  const { filter, offset, limit } = search
  const events: Uint8Array[] = []
  let cursor = search.cursor ?? newest
  let total = 0
  let left = maxSearched
  let more = true
  while (left > 0 && more) {
    const size = Math.min(windowSize, left)
    // Once the page is full, the rest is only counted.
    const page = events.length < limit ? await storage.eventPage(filter, cursor, size, true) : undefined
    const part = page ?? (await storage.countEvents(filter, cursor, size))
    // The matches beyond the offset, up to the limit of the page.
    const wanted = page === undefined ? [] : eachEvent(page).slice(Math.max(0, offset - total))
    events.push(...wanted.slice(0, limit - events.length))
    total += part.count
    left -= part.searched
    more = part.searched === size
    if (part.lastId > 0) cursor = beyond(cursor, part.lastId)
    // On SQLite a read does not yield to the event loop.
    if (left > 0 && more) await new Promise(setImmediate)
  }
  const isFull = total > offset + events.length
  const offsetLeft = Math.max(0, offset - total)
  const next = isFull ? beyond(cursor, idOf(events.at(-1))) : cursor
  return {
    events: newestFirst(events, cursor),
    total,
    isExact: !more,
    next: isFull || more ? next : undefined,
    offsetLeft,
  }
}
