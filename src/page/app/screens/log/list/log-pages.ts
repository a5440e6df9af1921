import type { EventPageAnswer, EventPageOptions, EventQuery } from '../../../../../client'
import type { EventView } from '../../../../../generated'
import { firstEvents } from '../search/filter'

/** How a page of the log is requested. */
export type SearchEvents = (
  filter: EventQuery,
  page: EventPageOptions,
  options: { readonly signal: AbortSignal },
) => Promise<EventPageAnswer>

/** What is known of the log for one filter: of a long list, a part, which moves with the user. */
export interface LogPages {
  readonly events: readonly EventView[]
  /** How many newer events were dropped; they are read again when the user scrolls up. */
  readonly above: number
  /** The newest event of the list, also if it was dropped; undefined for an empty list. */
  readonly newest: number | undefined
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
/** The maximum number of events in a list, and of characters of their JSON. */
export const maxEvents = 2_000
export const maxCharacters = 8_000_000
/** The visible events, and the page next to them, stay however long their texts are. */
const minEvents = 500
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
    const counted = filter.query === undefined || known === undefined ? 0 : known.above + known.events.length
    const isEnough = body.events.length > 0 || next === null || tries === emptyPages
    if (isEnough) {
      const events = [...(known?.events ?? []), ...body.events]
      const above = known?.above ?? 0
      // A lower bound may be lower than that of the page before.
      const isLower = atLeast && known !== undefined && filter.query === undefined
      return {
        events,
        above,
        newest: known?.newest ?? events[0]?.id,
        total: isLower ? Math.max(known.total, above + events.length) : counted + body.total,
        atLeast: isLower ? known.atLeast : atLeast,
        next,
        searchedTo: filter.query !== undefined && body.events.length < fewHits ? next : null,
      }
    }
    before = next
  }
}

/** With the page above, of the events that were dropped. */
export async function loadAbove(
  search: SearchEvents,
  filter: EventQuery,
  known: LogPages,
  signal: AbortSignal,
): Promise<LogPages> {
  const { body } = await search(filter, { limit: nextPage, after: known.events[0]?.id }, { signal })
  const newest = known.newest ?? 0
  const found = body.events.filter(({ id }) => id <= newest)
  const isTop = found.length === 0 || found[0]?.id === newest
  return {
    ...known,
    events: [...found, ...known.events],
    above: isTop ? 0 : Math.max(1, known.above - found.length),
  }
}

/** Without the events at one end that are too many. */
export function withinBounds(pages: LogPages, drop: 'newest' | 'oldest'): LogPages {
  const { events } = pages
  const kept = countWithinBounds(drop === 'newest' ? events.toReversed() : events)
  if (kept === events.length) return pages
  if (drop === 'newest') return { ...pages, events: events.slice(-kept), above: pages.above + events.length - kept }
  return { ...pages, events: events.slice(0, kept), next: events[kept - 1]?.id ?? null, searchedTo: null }
}

function countWithinBounds(events: readonly EventView[]): number {
  let characters = 0
  const end = events.slice(0, maxEvents).findIndex((event, index) => {
    characters += charactersOf(event)
    return characters > maxCharacters && index >= minEvents
  })
  return end < 0 ? Math.min(events.length, maxEvents) : end
}

const characters = new WeakMap<EventView, number>()

function charactersOf(event: EventView): number {
  const known = characters.get(event) ?? JSON.stringify(event).length
  characters.set(event, known)
  return known
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
  const newest = pages.newest ?? 0
  const added = fresh.events.filter(({ id }) => id > newest)
  if (added.length === 0) return pages
  const events = [...added, ...pages.events]
  return withinBounds({ ...pages, events, newest: events[0]?.id, total: pages.total + added.length }, 'oldest')
}

/** New events on top of those that wait. The list may have been read again meanwhile, and have some. */
export function joinFresh(waiting: FreshEvents, fresh: FreshEvents, listed = 0): FreshEvents {
  const newest = waiting.events[0]?.id ?? listed
  const added = fresh.events.filter(({ id }) => id > newest)
  if (added.length === 0) return waiting
  const events = [...added, ...waiting.events]
  return { events, isCut: waiting.isCut || fresh.isCut || events.length >= maxFresh }
}
