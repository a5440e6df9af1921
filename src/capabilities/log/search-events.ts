import { eachEvent, idOf } from '../../kernel/events/event-bytes'
import type { Limits } from '../../options/limits'
import { beyond, type EventCursor, type EventFilter, newest } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'

export interface EventSearch {
  readonly filter: EventFilter
  /** Where the page starts; the newest event when left out. */
  readonly cursor: EventCursor | undefined
  readonly offset: number
  readonly limit: number
}

export interface SearchResult {
  /** Newest first, each as it is served. */
  readonly events: readonly Uint8Array[]
  /** With the filter, before paging. Of a text: how often it was found among the events that were looked at. */
  readonly total: number
  /** Whether there are no more than the total. */
  readonly isExact: boolean
  /** Where the search goes on, in the direction of its cursor; undefined when nothing is left. */
  readonly next: EventCursor | undefined
  /** How many matches are still to be left out from there; 0 once the offset has been left out. */
  readonly offsetLeft: number
}

/** The events that are searched for a text at once; other work runs in between. */
const windowSize = 1_000

/** One page of what matches. A text is searched for in the events next to the cursor, and no further. */
export async function searchEvents(
  storage: Storage,
  search: EventSearch,
  limits: Pick<Limits, 'searchedEvents' | 'countedEvents'>,
): Promise<SearchResult> {
  const { cursor = newest, filter } = search
  if (filter.text !== undefined) return searchText(storage, search, limits.searchedEvents)
  const { page, next, ...found } = await storage.searchEvents({
    ...withoutUndefined(search),
    grouped: true,
    mostCounted: limits.countedEvents,
  })
  return { ...found, events: newestFirst(eachEvent(page), cursor), next: next ?? undefined }
}

function withoutUndefined({ cursor, ...search }: EventSearch) {
  return cursor === undefined ? search : { ...search, cursor }
}

function newestFirst(events: Uint8Array[], cursor: EventCursor): Uint8Array[] {
  return 'after' in cursor ? events.reverse() : events
}

async function searchText(storage: Storage, search: EventSearch, mostSearched: number): Promise<SearchResult> {
  const { filter, offset, limit } = search
  const events: Uint8Array[] = []
  let cursor = search.cursor ?? newest
  let total = 0
  let left = mostSearched
  let more = true
  while (left > 0 && more) {
    const size = Math.min(windowSize, left)
    // Once the page is full, the rest is only counted.
    const page = events.length < limit ? await storage.eventPage(filter, cursor, size, true) : undefined
    const part = page ?? (await storage.countEvents(filter, cursor, size))
    // What this part has beyond the offset, as far as there is room.
    const wanted = page === undefined ? [] : eachEvent(page).slice(Math.max(0, offset - total))
    events.push(...wanted.slice(0, limit - events.length))
    total += part.count
    left -= part.searched
    more = part.searched === size
    if (part.lastId > 0) cursor = beyond(cursor, part.lastId)
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
