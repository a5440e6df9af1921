import type { EventCursor, EventFilter, EventPage, Storage } from '../../ports/storage'
import { eachEvent, idOf } from './event-bytes'

export interface EventSearch {
  readonly filter: EventFilter
  /** Where the page starts; the newest event when left out. */
  readonly cursor: EventCursor | undefined
  readonly offset: number
  readonly limit: number
}

export interface FoundEvents {
  /** Newest first, each as it is served. */
  readonly events: readonly Uint8Array[]
  /** With the filter, before paging. Of a text: how often it was found among the events that were looked at. */
  readonly total: number
  /** Where the search goes on, in the direction of its cursor; undefined when nothing is left. */
  readonly next: EventCursor | undefined
}

const newest: EventCursor = { before: Number.MAX_SAFE_INTEGER }

/** The events that are searched for a text at once; other work runs in between. */
const windowSize = 1_000

/** One page of what matches. A text is searched for in the `mostSearched` events next to the cursor, and no further. */
export async function searchEvents(storage: Storage, search: EventSearch, mostSearched: number): Promise<FoundEvents> {
  return search.filter.text === undefined ? searchIndexed(storage, search) : searchText(storage, search, mostSearched)
}

async function searchIndexed(storage: Storage, search: EventSearch): Promise<FoundEvents> {
  const { filter, cursor = newest, offset, limit } = search
  const start = await skip(storage, filter, cursor, offset)
  const page = start === undefined ? undefined : await storage.eventPage(filter, start, limit, true)
  return {
    events: page === undefined ? [] : newestFirst(eachEvent(page), cursor),
    total: await countAll(storage, search, page),
    next: page?.searched === limit ? beyond(cursor, page.lastId) : undefined,
  }
}

function beyond(cursor: EventCursor, id: number): EventCursor {
  return 'after' in cursor ? { after: id } : { before: id }
}

function newestFirst(events: Uint8Array[], cursor: EventCursor): Uint8Array[] {
  return 'after' in cursor ? events.reverse() : events
}

/** The cursor after `offset` events; undefined when there are fewer. */
async function skip(storage: Storage, filter: EventFilter, cursor: EventCursor, offset: number) {
  if (offset === 0) return cursor
  const { searched, lastId } = await storage.countEvents(filter, cursor, offset)
  return searched < offset ? undefined : beyond(cursor, lastId)
}

/** Counts only where it must: projects have a kept count, and a first page that is not full has every match. */
async function countAll(storage: Storage, search: EventSearch, page: EventPage | undefined): Promise<number> {
  const { filter, cursor, offset, limit } = search
  const { projects, ...others } = filter
  if (Object.values(others).every((value) => value === undefined)) {
    return (await storage.eventHead(projects === undefined ? {} : { projects })).total
  }
  if (cursor === undefined && page !== undefined && page.searched < limit) return offset + page.count
  return (await storage.countEvents(filter, newest, Number.MAX_SAFE_INTEGER)).count
}

async function searchText(storage: Storage, search: EventSearch, mostSearched: number): Promise<FoundEvents> {
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
  const next = isFull ? beyond(cursor, idOf(events.at(-1))) : cursor
  return { events: newestFirst(events, cursor), total, next: isFull || more ? next : undefined }
}
