import { fingerprintOf, firstEvent, idOf } from '../../kernel/log/event-bytes'
import {
  beyond,
  type EventCursor,
  type EventFilter,
  type EventHead,
  type EventPage,
  type EventScope,
  newest,
} from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'

/** A list of events, newest first. */
export interface EventList {
  readonly head: EventHead
  pages(): AsyncGenerator<EventPage>
}

/** The first page is small, because it delays the first byte, and nothing is known yet about the size of the events. */
const firstPageSize = 100
/** Larger pages need fewer round trips, smaller ones less memory. */
const maxPageSize = 500
const targetPageBytes = 1 << 20

/** Opens a list of at most `max` events. Its pages are read as they are sent. Events that are written meanwhile are not in it. */
export async function readEvents(storage: Storage, scope: EventScope, max: number): Promise<EventList> {
  const head = await storage.eventHead(scope)
  const start = { before: head.lastId + 1 }
  return { head, pages: () => (head.lastId === 0 ? nothing() : readPages(storage, scope, start, { max })) }
}

/** The same for the newest events of the whole log, with the page in the same read. */
export async function readNewest(storage: Storage, max: number): Promise<EventList> {
  const search = { filter: {}, offset: 0, limit: max, grouped: false, maxCounted: max }
  const { page, total } = await storage.searchEvents(search)
  return wholeList(page, total)
}

/** A list that is no longer than this page. */
function wholeList(page: EventPage, total: number): EventList {
  const first = firstEvent(page)
  const fingerprint = first === undefined ? '' : fingerprintOf(first)
  return { head: { lastId: idOf(first), total, fingerprint }, pages: () => only(page) }
}

/**
 * The same for a list that is usually short. Its first page is read before the head: a list that ends on it needs no head,
 * which would read the newest events once more.
 */
export async function readShort(storage: Storage, scope: EventScope): Promise<EventList> {
  const page = await storage.eventPage(scope, newest, maxPageSize)
  if (page.searched < maxPageSize) return wholeList(page, page.count)
  const list = await readEvents(storage, scope, Number.POSITIVE_INFINITY)
  return list.head.lastId === idOf(firstEvent(page))
    ? { ...list, pages: () => startingWith(page, storage, scope) }
    : list
}

async function* startingWith(page: EventPage, storage: Storage, scope: EventScope): AsyncGenerator<EventPage> {
  yield page
  yield* readPages(storage, scope, { before: page.lastId }, { size: nextPageSize(page) })
}

interface HowMuch {
  readonly max?: number
  /** Of the first page. */
  readonly size?: number
  /** Adds the groups of the events, as {@link Storage.eventPage} does. */
  readonly grouped?: boolean
}

/**
 * The events from the cursor to the end of the log, page by page. The next page is requested before the current one is
 * sent, so that database and socket work in parallel.
 */
export async function* readPages(
  storage: Storage,
  filter: EventFilter,
  start: EventCursor,
  { max = Number.POSITIVE_INFINITY, size = firstPageSize, grouped = false }: HowMuch = {},
): AsyncGenerator<EventPage> {
  const forward = 'after' in start
  const read = (cursor: EventCursor, left: number, most: number) => {
    const limit = Math.min(most, left)
    const page = storage.eventPage(filter, cursor, limit, grouped)
    // If the reader stops early, this is never awaited: without the handler, a failure would be an unhandled rejection.
    page.catch(() => undefined)
    return { page, limit, left }
  }
  let next: ReturnType<typeof read> | undefined = read(start, max, size)
  while (next !== undefined) {
    const { limit, left }: ReturnType<typeof read> = next
    const page: EventPage = await next.page
    const more: boolean = page.searched === limit && left > limit && (forward || page.lastId > 1)
    next = more ? read(beyond(start, page.lastId), left - limit, nextPageSize(page)) : undefined
    yield page
  }
}

/** A page of events as large as those of this page has about `targetPageBytes`. */
function nextPageSize({ count, json }: EventPage): number {
  const fitting = Math.floor((targetPageBytes * count) / Math.max(json.length, 1))
  return count === 0 ? maxPageSize : Math.min(Math.max(fitting, 1), maxPageSize)
}

async function* nothing(): AsyncGenerator<EventPage> {}

async function* only(page: EventPage): AsyncGenerator<EventPage> {
  yield page
}
