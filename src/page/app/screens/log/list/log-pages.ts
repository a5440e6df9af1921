import type { EventPageAnswer, EventPageOptions, EventQuery } from '../../../../../client'
import type { EventView } from '../../../../../generated'
import { firstEvents } from '../search/filter'

/** How a page of the log is requested. */
export type SearchEvents = (
  filter: EventQuery,
  page: EventPageOptions,
  options: { readonly signal: AbortSignal },
) => Promise<EventPageAnswer>

/** What is known of the log for one filter. */
export interface LogPages {
  readonly events: readonly EventView[]
  readonly total: number
  /** Whether `total` is what was counted so far. */
  readonly atLeast: boolean
  /** The page below goes on below this id; null at the end of the log. */
  readonly next: number | null
  /** A text was found so rarely that the user decides whether to search below this id; otherwise null. */
  readonly searchedTo: number | null
}

/** Newer events that wait above the list. */
export interface FreshEvents {
  readonly events: readonly EventView[]
  /** There are more than were fetched: the list has to start again. */
  readonly isCut: boolean
}

export const noFresh: FreshEvents = { events: [], isCut: false }

const nextPage = 300
/** A search for a text may examine many events and find none: it is continued this often before the user decides. */
const emptyPages = 8
/** A page with fewer hits of a text is not followed by another one unasked. */
const fewHits = 20
/** With more new events than this, the list starts again. */
export const maxFresh = 500

/** The first page, or the one below what is known; of a text that is rare, several pages. */
export async function loadPage(
  search: SearchEvents,
  filter: EventQuery,
  known: LogPages | undefined,
  signal: AbortSignal,
): Promise<LogPages> {
  let before = known?.next ?? undefined
  for (let tries = 1; ; tries++) {
    const { body, atLeast, next } = await search(
      filter,
      { limit: known === undefined ? firstEvents : nextPage, before },
      { signal },
    )
    // A search for a text counts the hits among what it looked at below its cursor.
    const above = filter.query === undefined ? 0 : (known?.events.length ?? 0)
    const isEnough = body.events.length > 0 || next === null || tries === emptyPages
    if (isEnough) {
      return {
        events: [...(known?.events ?? []), ...body.events],
        total: above + body.total,
        atLeast,
        next,
        searchedTo: filter.query !== undefined && body.events.length < fewHits ? next : null,
      }
    }
    before = next
  }
}

/** What came since the newest event of the list, newest first. */
export async function loadFresh(
  search: SearchEvents,
  filter: EventQuery,
  newest: number,
  signal: AbortSignal,
): Promise<FreshEvents> {
  const { body } = await search(filter, { limit: maxFresh, after: newest }, { signal })
  return { events: body.events, isCut: body.events.length >= maxFresh }
}

/** With the new events on top. */
export function withFresh(pages: LogPages, fresh: FreshEvents): LogPages {
  const newest = pages.events[0]?.id ?? 0
  const above = fresh.events.filter(({ id }) => id > newest)
  return { ...pages, events: [...above, ...pages.events], total: pages.total + above.length }
}

/** New events on top of those that wait. */
export function joinFresh(waiting: FreshEvents, fresh: FreshEvents): FreshEvents {
  const newest = waiting.events[0]?.id ?? 0
  const events = [...fresh.events.filter(({ id }) => id > newest), ...waiting.events]
  return { events, isCut: waiting.isCut || fresh.isCut || events.length >= maxFresh }
}
