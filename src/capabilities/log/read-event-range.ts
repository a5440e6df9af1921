import { eachEvent, idOf, separator } from '../../kernel/log/event-bytes'
import type { EventFilter, EventPage } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'
import { readPages } from './read-events'

/** A part of the log, and which end of it comes first. */
export interface EventRange {
  readonly oldestFirst: boolean
  readonly after: number
  readonly before: number
}

/**
 * The matching events between two ids, page by page. Newest first: up to the oldest event, without events that are written
 * meanwhile. Oldest first: up to the newest event.
 */
export async function* readEventRange(
  storage: Storage,
  filter: EventFilter,
  { oldestFirst, after, before }: EventRange,
  grouped: boolean,
): AsyncGenerator<EventPage> {
  const beyond = oldestFirst ? (id: number) => id >= before : (id: number) => id <= after
  for await (const page of readPages(storage, filter, oldestFirst ? { after } : { before }, { grouped })) {
    const isLast = page.searched > 0 && beyond(page.lastId)
    yield isLast ? cutAt(page, beyond) : page
    if (isLast) return
  }
}

/** The events of a page before the end of the range. */
function cutAt(page: EventPage, beyond: (id: number) => boolean): EventPage {
  const events = eachEvent(page)
  const count = events.findIndex((event) => beyond(idOf(event)))
  const first = events[count]
  if (first === undefined) return page
  const end = Math.max(0, first.byteOffset - page.json.byteOffset - separator.length)
  return { ...page, count, json: page.json.subarray(0, end) }
}
