import { eachEvent } from '../../kernel/log/event-bytes'
import type { Limits } from '../../options/limits'
import type { EventCursor, EventSearch } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'

/** What a caller searches for. */
export interface SearchInput extends Pick<EventSearch, 'filter' | 'offset' | 'limit'> {
  /** Where the page starts; left out: at the newest event. */
  readonly cursor: EventCursor | undefined
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

/** One page of the matches. A text is searched only in a limited number of events next to the cursor. */
export async function searchEvents(
  storage: Storage,
  { cursor, ...search }: SearchInput,
  { searchedEvents, countedEvents }: Pick<Limits, 'searchedEvents' | 'countedEvents'>,
): Promise<SearchResult> {
  const { page, next, ...found } = await storage.searchEvents({
    ...search,
    ...(cursor && { cursor }),
    grouped: true,
    maxCounted: search.filter.query === undefined ? countedEvents : searchedEvents,
  })
  const events = eachEvent(page)
  return {
    ...found,
    events: cursor !== undefined && 'after' in cursor ? events.reverse() : events,
    next: next ?? undefined,
  }
}
