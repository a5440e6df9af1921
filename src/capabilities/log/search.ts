import type { Reply } from '../../http/reply'
import { eachEvent, separator } from '../../kernel/log/event-bytes'
import type { Limits } from '../../options/limits'
import type { EventCursor, EventSearch } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'

export interface SearchInput extends Pick<EventSearch, 'filter' | 'offset' | 'limit'> {
  /** Where the page starts; left out: at the newest event. */
  readonly cursor: EventCursor | undefined
}

/** One page of the matches. A text is searched only in a limited number of events next to the cursor. */
export async function searchEvents(
  storage: Storage,
  { cursor, ...search }: SearchInput,
  { searchedEvents, countedEvents }: Pick<Limits, 'searchedEvents' | 'countedEvents'>,
) {
  const { page, ...found } = await storage.searchEvents({
    ...search,
    ...(cursor && { cursor }),
    grouped: true,
    maxCounted: search.filter.query === undefined ? countedEvents : searchedEvents,
  })
  const events = eachEvent(page)
  // Newest first.
  return { ...found, events: cursor !== undefined && 'after' in cursor ? events.reverse() : events }
}

type SearchPage = Awaited<ReturnType<typeof searchEvents>> & { readonly address: URLSearchParams }

/** One page of a search, with a link to the next one, and a header if the total is not exact (contract 9.4). */
export function viewSearch({ events, total, isExact, next, offsetLeft, address }: SearchPage): Reply {
  const pieces = events.flatMap((event, index) => (index === 0 ? [event] : [separator, event]))
  const body = Buffer.concat([Buffer.from('{"events":['), ...pieces, Buffer.from(`],"total":${total}}`)])
  const link = next === null ? {} : { Link: `<?${nextQuery(address, next, offsetLeft)}>; rel="next"` }
  const count = isExact ? {} : { 'Total-Count': 'at-least' }
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store', Vary: 'Authorization, Accept', ...link, ...count },
    type: 'application/json; charset=utf-8',
    body,
  }
}

function nextQuery(query: URLSearchParams, next: EventCursor, offsetLeft: number): URLSearchParams {
  const changed = new URLSearchParams(query)
  for (const name of ['offset', 'before', 'after']) changed.delete(name)
  for (const [name, id] of Object.entries(next)) changed.set(name, String(id))
  if (offsetLeft > 0) changed.set('offset', String(offsetLeft))
  return changed
}
