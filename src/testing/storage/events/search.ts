import type { EventCursor, EventFilter } from '../../../ports/storage/events'
import type { Storage } from '../../../ports/storage/storage'
import { eventsOf } from '../../samples'
import type { StorageSuite } from '../suite'
import { expected, fill, type Model, randomOf, randomQuestion } from './model'
import { appended, event, newest } from './samples'

const events = 120
const questions = 60
const all = Number.MAX_SAFE_INTEGER

export function describeEventSearch(suite: StorageSuite): void {
  suite.describe('searchEvents(search)', () => describeSearch(suite))
  suite.describe('eventsPerDay(days, projects)', () => describeDays(suite))
}

/** Computes the page and the total from a plain list of the events. A text is searched only next to the cursor. */
function searched(model: Model, filter: EventFilter, cursor: EventCursor, maxCounted: number) {
  const { ids, count, searched } = expected(model, { filter, cursor, limit: maxCounted })
  if (filter.query !== undefined) return { ids, total: count, isExact: searched < maxCounted }
  return { ids, total: expected(model, { filter, cursor: newest, limit: all }).count, isExact: true }
}

function describeSearch({ test, expect }: StorageSuite): void {
  test('returns the page and the total of a plain list of the events, for random filters', async (storage) => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const random = randomOf(seed)
    const model = await fill(storage, random, events)
    for (let number = 0; number < questions; number += 1) {
      const { filter, cursor, limit } = randomQuestion(random, model)
      const offset = random() < 0.5 ? 0 : Math.floor(random() * 20)
      const { page, total, isExact } = await storage.searchEvents({
        filter,
        cursor,
        offset,
        limit,
        grouped: false,
        maxCounted: all,
      })
      const found = { ids: eventsOf(page).map(({ id }) => id), total, isExact }
      const question = { seed, filter, cursor, offset, limit }
      const { ids, ...counted } = searched(model, filter, cursor, all)
      expect([question, found]).toEqual([question, { ids: ids.slice(offset, offset + limit), ...counted }])
    }
  })

  test('searches a text in the next events that match everything else, as many as it may examine', async (storage) => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const random = randomOf(seed)
    const model = await fill(storage, random, events)
    for (let number = 0; number < questions; number += 1) {
      const { filter: given, cursor } = randomQuestion(random, model)
      const filter = { ...given, query: given.query ?? 'Hay' }
      const [maxCounted, offset, limit] = [40, 2, 5].map((max) => Math.ceil(random() * max)) as [number, number, number]
      const search = { filter, cursor, offset, limit, grouped: false, maxCounted }
      const { page, total, isExact } = await storage.searchEvents(search)
      const found = { ids: eventsOf(page).map(({ id }) => id), total, isExact }
      const { ids, ...counted } = searched(model, filter, cursor, maxCounted)
      const question = { seed, ...search }
      expect([question, found]).toEqual([question, { ids: ids.slice(offset, offset + limit), ...counted }])
    }
  })

  test('counts the matches without a page', async (storage) => {
    await appended(
      storage,
      ['needle', 'hay', 'needle'].map((text) => event({ data: { text } })),
    )
    const search = { offset: 0, limit: 0, grouped: false, maxCounted: all }

    expect((await storage.searchEvents({ ...search, filter: {} })).total).toBe(3)
    expect((await storage.searchEvents({ ...search, filter: { query: 'needle' } })).total).toBe(2)
    expect((await storage.searchEvents({ ...search, filter: { types: ['none'] } })).total).toBe(0)
  })

  test('leads with `next` to every match after the offset once, however few events one search examines', async (storage) => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const random = randomOf(seed)
    const model = await fill(storage, random, events)
    for (const start of [newest, { after: 0 }]) {
      for (let number = 0; number < 5; number += 1) {
        const { filter } = randomQuestion(random, model)
        const { ids } = expected(model, { filter, cursor: start, limit: all })
        for (const offset of [0, Math.floor(random() * 30)]) {
          const found = await followed(storage, filter, start, offset)
          expect([seed, filter, offset, found]).toEqual([seed, filter, offset, ids.slice(offset)])
        }
      }
    }
  })

  test('returns exact totals of the log and of projects, even if it examines few events', async (storage) => {
    const projects = Array.from({ length: 80 }, (_, n) => event({ project: n % 4 === 0 ? 'blog' : 'shop' }))
    await appended(storage, projects)
    const totals = async (filter: EventFilter) => {
      const search = { filter, offset: 0, limit: 5, grouped: false, maxCounted: 10 }
      const { total, isExact } = await storage.searchEvents(search)
      return [total, isExact]
    }

    expect(await totals({})).toEqual([80, true])
    expect(await totals({ projects: ['shop'] })).toEqual([60, true])
    expect(await totals({ projects: ['shop', 'blog', 'none'] })).toEqual([80, true])
    const [total, isExact] = await totals({ types: ['feature-updated'], createdBy: [1] })
    expect([total, isExact]).toEqual([0, true])
  })

  test('returns a lower bound where the total is not exact', async (storage) => {
    const rows = Array.from({ length: 80 }, (_, n) => event({ type: n % 2 ? 'a' : 'b', createdByUserId: n % 2 }))
    await appended(storage, rows)
    const search = { filter: { types: ['a'], createdBy: [1] }, offset: 0, limit: 5, grouped: false, maxCounted: 10 }
    const { total, isExact, page } = await storage.searchEvents(search)

    expect(page.count).toBe(5)
    expect(isExact ? total === 40 : total >= 5 && total <= 40).toBe(true)
  })
}

/** Follows `next` and returns the ids of all pages. */
async function followed(storage: Storage, filter: EventFilter, start: EventCursor, offset: number): Promise<number[]> {
  const found: number[] = []
  let left = offset
  for (let cursor: EventCursor | null = start; cursor !== null; ) {
    const { page, next, offsetLeft }: Awaited<ReturnType<Storage['searchEvents']>> = await storage.searchEvents({
      filter,
      cursor,
      offset: left,
      limit: 7,
      grouped: false,
      maxCounted: 10,
    })
    found.push(...eventsOf(page).map(({ id }) => id))
    cursor = next
    left = offsetLeft
  }
  return found
}

function describeDays({ test, expect }: StorageSuite): void {
  test('returns the days that have events, in order, with the number of events of the projects', async (storage) => {
    const random = randomOf(Math.floor(Math.random() * 2 ** 32))
    const { log } = await fill(storage, random, events)
    const totals = (projects?: readonly (string | null)[]) => {
      const days = new Map<string, number>()
      for (const { createdAt, project } of log) {
        const date = createdAt.slice(0, 10)
        if (date < '2026-03-02' || date > '2026-03-08' || (projects && !projects.includes(project))) continue
        days.set(date, (days.get(date) ?? 0) + 1)
      }
      return [...days].sort().map(([date, total]) => ({ date, total }))
    }
    const range = { from: '2026-03-02', to: '2026-03-08' }

    expect(await storage.eventsPerDay(range)).toEqual(totals())
    expect(await storage.eventsPerDay(range, ['shop'])).toEqual(totals(['shop']))
    expect(await storage.eventsPerDay(range, ['shop', 'blog', 'none'])).toEqual(totals(['shop', 'blog', 'none']))
    expect(await storage.eventsPerDay(range, [])).toEqual([])
    expect(await storage.eventsPerDay({ from: '2027-01-01', to: '2027-12-31' })).toEqual([])
  })
}
