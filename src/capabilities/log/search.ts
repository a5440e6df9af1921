import type { Reply } from '../../http/reply'
import { separator } from '../../kernel/log/event-bytes'
import type { EventCursor } from '../../ports/storage/events'
import type { SearchResult } from './search-events'

/** One page of a search, with its query. */
interface SearchPage extends SearchResult {
  readonly address: URLSearchParams
}

/** One page of a search, with a link to the next one, and a header if the total is not exact (contract 9.4). */
export function viewSearch({ events, total, isExact, next, offsetLeft, address }: SearchPage): Reply {
  const pieces = events.flatMap((event, index) => (index === 0 ? [event] : [separator, event]))
  const body = Buffer.concat([Buffer.from('{"events":['), ...pieces, Buffer.from(`],"total":${total}}`)])
  const link = next === undefined ? {} : { Link: `<?${nextQuery(address, next, offsetLeft)}>; rel="next"` }
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
