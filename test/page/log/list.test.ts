import type { EventPageAnswer, EventPageOptions } from '../../../src/client'
import {
  joinFresh,
  type LogPages,
  loadAbove,
  loadPage,
  maxCharacters,
  maxEvents,
  noFresh,
  withFresh,
  withinBounds,
} from '../../../src/page/app/screens/log/list/log-pages'
import { isAfterDays, mayMatch, withOutside } from '../../../src/page/app/screens/log/list/matches'
import { nextEvent, toRows } from '../../../src/page/app/screens/log/list/rows'

const event = (id: number, createdAt = '2026-11-18T10:00:00Z') => ({
  id,
  createdAt,
  type: 'feature-created' as const,
  createdBy: 'ann',
})
const pages = (...ids: number[]): LogPages => ({
  events: ids.map((id) => event(id)),
  above: 0,
  newest: ids[0],
  total: ids.length,
  atLeast: false,
  next: null,
  searchedTo: null,
})
const { signal } = new AbortController()

/** Answers these pages one after the other. */
function searchOf(...answers: { ids: number[]; total: number; next: number | null; atLeast?: boolean }[]) {
  const asked: (number | undefined)[] = []
  const search = async (_: unknown, { before }: { before?: number | undefined }): Promise<EventPageAnswer> => {
    const { ids, total, next, atLeast = false } = answers[asked.length] ?? { ids: [], total: 0, next: null }
    asked.push(before)
    return { body: { events: ids.map((id) => event(id)), total }, etag: null, atLeast, next }
  }
  return { search, asked }
}

describe('pages of the log', () => {
  it('continue below the previous page', async () => {
    const { search, asked } = searchOf({ ids: [9, 8], total: 4, next: 8 }, { ids: [7, 6], total: 4, next: null })
    const first = await loadPage(search, {}, undefined, signal)
    const both = await loadPage(search, {}, first, signal)
    expect([both.events.map(({ id }) => id), both.total, both.next, asked]).toEqual([
      [9, 8, 7, 6],
      4,
      null,
      [undefined, 8],
    ])
  })

  it('never lower a total that is only a lower bound', async () => {
    const { search } = searchOf(
      { ids: [9, 8], total: 4, next: 8, atLeast: true },
      { ids: [7], total: 2, next: 7, atLeast: true },
      { ids: [6, 5], total: 2, next: 5, atLeast: true },
    )
    const totals: unknown[] = []
    let pages: Awaited<ReturnType<typeof loadPage>> | undefined
    for (let page = 0; page < 3; page += 1) {
      pages = await loadPage(search, {}, pages, signal)
      totals.push([pages.total, pages.atLeast])
    }
    expect(totals).toEqual([
      [4, true],
      [4, true],
      [5, true],
    ])
  })

  it('without a match of a text are skipped, up to a limit', async () => {
    const nothing = (next: number) => ({ ids: [], total: 0, next, atLeast: true })
    const { search, asked } = searchOf(...Array.from({ length: 9 }, (_, index) => nothing(900 - index)))
    const found = await loadPage(search, { query: 'x' }, undefined, signal)
    expect([asked.length, found.searchedTo, found.atLeast]).toEqual([8, 893, true])
  })

  it('of a text search add up the matches', async () => {
    const { search } = searchOf({ ids: [9], total: 1, next: 5, atLeast: true }, { ids: [4], total: 3, next: null })
    const first = await loadPage(search, { query: 'x' }, undefined, signal)
    expect((await loadPage(search, { query: 'x' }, first, signal)).total).toBe(4)
  })
})

describe('a long log', () => {
  const longest = 10_000
  /** A log with this number of events, the latest first. */
  const search = async (_: unknown, { limit = 0, before, after }: EventPageOptions): Promise<EventPageAnswer> => {
    const newest = after === undefined ? (before ?? longest + 1) - 1 : Math.min(after + limit, longest)
    const oldest = after === undefined ? Math.max(newest - limit + 1, 1) : after + 1
    const ids = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)
    const body = { events: ids.map((id) => event(id)), total: longest }
    return { body, etag: null, atLeast: false, next: oldest > 1 ? oldest : null }
  }
  const ids = ({ events }: LogPages) => events.map(({ id }) => id)
  const isWithoutGap = (list: LogPages) => ids(list).every((id, index) => id === (ids(list)[0] ?? 0) - index)

  it('is kept in a window that moves down and up with the user', async () => {
    let list = withinBounds(await loadPage(search, {}, undefined, signal), 'newest')
    const held: number[] = []
    const move = (next: LogPages, drop: 'newest' | 'oldest') => {
      list = withinBounds(next, drop)
      held.push(list.events.length)
      expect([isWithoutGap(list), list.total, ids(list)[0]]).toEqual([true, longest, longest - list.above])
    }
    while (list.next !== null) move(await loadPage(search, {}, list, signal), 'newest')
    expect([ids(list).at(-1), list.above]).toEqual([1, longest - maxEvents])
    while (list.above > 0) move(await loadAbove(search, {}, list, signal), 'oldest')
    expect([ids(list)[0], list.next]).toEqual([longest, longest - maxEvents + 1])
    expect(Math.max(...held)).toBe(maxEvents)
  })

  it('is kept in fewer events if they are long', () => {
    const text = 'x'.repeat(maxCharacters / 1_000)
    const list = { ...pages(...Array.from({ length: 1_500 }, (_, at) => 1_500 - at)), next: null }
    const long = { ...list, events: list.events.map((one) => ({ ...one, data: { text } })) }
    const [older, newer] = [withinBounds(long, 'newest'), withinBounds(long, 'oldest')]
    expect([older, newer].map(({ events }) => JSON.stringify(events).length <= maxCharacters)).toEqual([true, true])
    expect([ids(older).at(-1), ids(newer)[0]]).toEqual([1, 1_500])
    expect([older.above + older.events.length, newer.next]).toEqual([1_500, ids(newer).at(-1)])
  })

  it('is bounded at its end while new events are added on top', () => {
    const list = pages(...Array.from({ length: maxEvents }, (_, at) => maxEvents - at))
    const next = withFresh(list, { events: [event(maxEvents + 1)], isCut: false })
    expect([next.events.length, next.newest, next.next, next.above]).toEqual([maxEvents, maxEvents + 1, 2, 0])
  })
})

describe('new events', () => {
  it('wait without duplicates', () => {
    const fresh = { events: [event(5), event(4)], isCut: false }
    const joined = joinFresh(joinFresh(noFresh, fresh), { events: [event(6), event(5)], isCut: false })
    expect(joined.events.map(({ id }) => id)).toEqual([6, 5, 4])
  })

  it('do not wait if the list already has them', () => {
    const late = { events: [event(3), event(2)], isCut: false }
    expect([2, 3].map((newest) => joinFresh(noFresh, late, newest).events.map(({ id }) => id))).toEqual([[3], []])
  })

  it('are added on top and counted', () => {
    const { events, total } = withFresh(pages(3, 2), { events: [event(4), event(3)], isCut: false })
    expect([events.map(({ id }) => id), total]).toEqual([[4, 3, 2], 3])
  })
})

describe('rows of the list', () => {
  const rows = toRows(
    [event(3, '2026-11-19T08:10:00Z'), event(2, '2026-11-19T07:50:00Z'), event(1)],
    'America/Los_Angeles',
  )

  it('have a heading before the events of each day in the time zone', () => {
    expect(rows.map(({ kind, day }) => (kind === 'day' ? day : kind))).toEqual([
      'event',
      '2026-11-18',
      'event',
      'event',
    ])
  })

  it('are stepped through from event to event, up to the ends', () => {
    expect([nextEvent(rows, 0, 1), nextEvent(rows, 2, -1), nextEvent(rows, 3, 1), nextEvent(rows, 0, -1)]).toEqual([
      2, 0, 3, 0,
    ])
  })
})

describe('a live event and a filter', () => {
  const live = { createdAt: '2026-11-19T08:00:00Z', type: 'change-added', project: 'shop', createdByUserId: 7 }

  it('is compared by its own fields', () => {
    expect(mayMatch(live, { values: { project: ['shop', 'app'], createdBy: ['7'] } })).toBe(true)
    expect(mayMatch(live, { values: { project: ['app'] } })).toBe(false)
  })

  it('of a change request may match any flag', () => {
    expect(mayMatch(live, { values: { feature: ['pay'] } })).toBe(true)
  })

  it('is compared with the days of the filter', () => {
    const until = (to: string, query?: string) =>
      isAfterDays(live, { values: {}, to, zone: 'America/Los_Angeles', ...(query && { query }) })
    expect([until('2026-11-18'), until('2026-11-19'), until('2026-11-18', 'x')]).toEqual([true, false, false])
  })

  it('outside the filter is counted with the days of all events', () => {
    const at = (...times: string[]) => times.map((createdAt) => ({ ...live, createdAt }))
    const zone = 'America/Los_Angeles'
    const one = withOutside(undefined, at('2026-11-19T09:00:00Z', '2026-11-20T07:59:59Z'), zone)
    expect(one).toEqual({ count: 2, first: '2026-11-19', last: '2026-11-19' })
    expect(withOutside(one, at('2026-11-20T08:00:00Z'), zone)).toEqual({
      count: 3,
      first: '2026-11-19',
      last: '2026-11-20',
    })
  })
})
