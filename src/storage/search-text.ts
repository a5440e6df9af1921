import { eachEvent, idOf, separator } from '../kernel/log/event-bytes'
import {
  beyond,
  type EventCursor,
  type EventFilter,
  type EventPage,
  type EventSearch,
  type FoundEvents,
  newest,
} from '../ports/storage/events'

/** The reads of a storage that a search for a text consists of. */
export interface TextReads {
  /** As {@link EventStorage.eventPage}. */
  page(filter: EventFilter, cursor: EventCursor, limit: number, grouped: boolean): EventPage | Promise<EventPage>
  /** The same without the events. */
  count(filter: EventFilter, cursor: EventCursor, limit: number): Extent | Promise<Extent>
}

type Extent = Omit<EventPage, 'json'>

/** The number of events that are searched in one read; other work runs in between. */
const windowSize = 1_000

/** Searches for a text, window by window. */
export async function searchText(search: EventSearch, reads: TextReads): Promise<FoundEvents> {
  const { filter, offset, limit, grouped } = search
  const events: Uint8Array[] = []
  let cursor = search.cursor ?? newest
  let lastId = 0
  let total = 0
  let left = search.maxCounted
  let more = true
  while (left > 0 && more) {
    const size = Math.min(windowSize, left)
    // Once the page is full, the rest is only counted.
    const page = events.length < limit ? await reads.page(filter, cursor, size, grouped) : undefined
    const part = page ?? (await reads.count(filter, cursor, size))
    // The matches beyond the offset, up to the limit of the page.
    const wanted = page === undefined ? [] : eachEvent(page).slice(Math.max(0, offset - total))
    events.push(...wanted.slice(0, limit - events.length))
    total += part.count
    left -= part.searched
    more = part.searched === size
    if (part.lastId > 0) lastId = part.lastId
    if (lastId > 0) cursor = beyond(cursor, lastId)
    // On SQLite a read does not yield to the event loop.
    if (left > 0 && more) await new Promise(setImmediate)
  }
  const isFull = total > offset + events.length
  const next = isFull ? beyond(cursor, idOf(events.at(-1))) : cursor
  return {
    page: { count: events.length, searched: search.maxCounted - left, lastId, json: joinEvents(events) },
    total,
    isExact: !more,
    next: isFull || more ? next : null,
    offsetLeft: Math.max(0, offset - total),
  }
}

/** The JSON of events or of pages, as that of one page. */
export function joinEvents(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part])))
}
