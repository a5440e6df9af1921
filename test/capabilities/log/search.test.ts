import type { Storage } from '../../../src'
import { type SearchInput, searchEvents } from '../../../src/capabilities/log/search'
import { eachEvent, idOf } from '../../../src/kernel/log/event-bytes'
import { memoryStorage } from '../../../src/storage/memory'
import { searchText, type TextReads } from '../../../src/storage/search-text'
import { sampleEvent } from '../../../src/testing/samples'
import { countTurns } from '../../support/event-loop'

/** A log that records its searches. */
async function log(events: readonly (readonly [data: unknown, project: string])[]) {
  const memory = memoryStorage()
  await memory.appendEvents(events.map(([data, project]) => sampleEvent(data as never, project)))
  const asked: unknown[] = []
  const storage: Storage = {
    ...memory,
    searchEvents(given) {
      asked.push(given)
      return memory.searchEvents(given)
    },
  }
  const search = async (more: Partial<SearchInput>, maxSearched = 10_000) => {
    asked.length = 0
    const query = { filter: {}, cursor: undefined, offset: 0, limit: 3, ...more }
    const {
      events: found,
      total,
      next,
    } = await searchEvents(storage, query, { searchedEvents: maxSearched, countedEvents: 100_000 })
    return { ids: found.map(idOf), total, next }
  }
  return { search, asked, memory }
}

/** Every third event has the text. */
const needles = (count: number) =>
  Array.from({ length: count }, (_, index) => [(index + 1) % 3 === 0 ? 'needle' : 'hay', 'shop'] as const)
const filter = { query: 'needle' }
const numbered = (count: number) => Array.from({ length: count }, (_, index) => [index + 1, 'shop'] as const)

describe('searchEvents', () => {
  it('pages newest first, from the newest event on', async () => {
    const { search } = await log(numbered(7))
    expect(await search({})).toEqual({ ids: [7, 6, 5], total: 7, next: { before: 5 } })
    expect(await search({ cursor: { before: 5 } })).toEqual({ ids: [4, 3, 2], total: 7, next: { before: 2 } })
    expect(await search({ cursor: { before: 2 } })).toEqual({ ids: [1], total: 7, next: null })
  })

  it('pages in the other direction as well, still newest first', async () => {
    const { search } = await log(numbered(7))
    expect(await search({ cursor: { after: 2 } })).toEqual({ ids: [5, 4, 3], total: 7, next: { after: 5 } })
    expect(await search({ cursor: { after: 5 } })).toEqual({ ids: [7, 6], total: 7, next: null })
  })

  it('reads the page and the total in one call', async () => {
    const { search, asked } = await log(numbered(7))
    const given = { filter: { types: ['feature-updated'] }, offset: 2, limit: 3 }
    expect(await search(given)).toEqual({ ids: [5, 4, 3], total: 7, next: { before: 3 } })
    expect(asked).toEqual([{ ...given, grouped: true, maxCounted: 100_000 }])
    await search({ ...given, cursor: { after: 2 } })
    expect(asked).toEqual([{ ...given, cursor: { after: 2 }, grouped: true, maxCounted: 100_000 }])
  })
})

describe('searchEvents for a text', () => {
  it('examines all events, and counts the matches', async () => {
    const { search, asked } = await log(needles(10))
    expect(await search({ filter, limit: 9 })).toEqual({ ids: [9, 6, 3], total: 3, next: null })
    expect(asked).toEqual([{ filter, offset: 0, limit: 9, grouped: true, maxCounted: 10_000 }])
  })

  it('ends at the limit, and continues after the last match', async () => {
    const { search } = await log(needles(10))
    expect(await search({ filter, limit: 2 })).toEqual({ ids: [9, 6], total: 3, next: { before: 6 } })
    expect(await search({ filter, limit: 2, cursor: { before: 6 } })).toEqual({ ids: [3], total: 1, next: null })
    expect(await search({ filter, limit: 2, cursor: { after: 1 } })).toEqual({
      ids: [6, 3],
      total: 3,
      next: { after: 6 },
    })
    expect(await search({ filter, limit: 3 })).toEqual({ ids: [9, 6, 3], total: 3, next: null })
  })

  it('skips the offset', async () => {
    const { search } = await log(needles(10))
    expect(await search({ filter, offset: 1, limit: 1 })).toEqual({ ids: [6], total: 3, next: { before: 6 } })
    expect(await search({ filter, offset: 2, limit: 1 })).toEqual({ ids: [3], total: 3, next: null })
    expect(await search({ filter, offset: 5, limit: 1 })).toEqual({ ids: [], total: 3, next: null })
  })

  it('examines at most the given number of events, and returns where to continue', async () => {
    const { search } = await log(needles(10))
    expect(await search({ filter }, 4)).toEqual({ ids: [9], total: 1, next: { before: 7 } })
    expect(await search({ filter, cursor: { before: 7 } }, 4)).toEqual({ ids: [6, 3], total: 2, next: { before: 3 } })
    expect(await search({ filter, cursor: { before: 3 } }, 4)).toEqual({ ids: [], total: 0, next: null })
    expect(await search({ filter }, 10)).toEqual({ ids: [9, 6, 3], total: 3, next: { before: 1 } })
  })

  it('returns the rest of the offset, and finds the remaining matches with it', async () => {
    const { memory } = await log(needles(10))
    const limits = { searchedEvents: 4, countedEvents: 100_000 }
    const first = await searchEvents(memory, { filter, cursor: undefined, offset: 2, limit: 3 }, limits)
    expect([first.events, first.next, first.offsetLeft]).toEqual([[], { before: 7 }, 1])
    const rest = await searchEvents(
      memory,
      { filter, cursor: first.next ?? undefined, offset: first.offsetLeft, limit: 3 },
      limits,
    )
    expect([rest.events.map(idOf), rest.offsetLeft]).toEqual([[3], 0])
  })

  it('finds none in an empty log', async () => {
    const { search } = await log([])
    expect(await search({ filter })).toEqual({ ids: [], total: 0, next: null })
  })
})

describe('searchText', () => {
  it('reads windows of 1,000, only counts after the page is full, and yields to the event loop after each', async () => {
    const { memory } = await log(needles(2_500))
    const { turns, stop } = countTurns()
    const reads: unknown[] = []
    const started: number[] = []
    const read =
      (kind: string): TextReads['page'] =>
      (filter, cursor, limit, grouped) => {
        reads.push([kind, cursor, limit])
        started.push(turns())
        return memory.eventPage(filter, cursor, limit, grouped)
      }
    const search = { filter, offset: 10, limit: 400, grouped: true, maxCounted: 10_000 }
    const { page, total, next } = await searchText(search, {
      page: read('page'),
      count: (...part) => read('count')(...part, false),
    })
    stop()

    const ids = eachEvent(page).map(idOf)
    expect([ids.length, ids[0], ids.at(-1), total, next]).toEqual([400, 2469, 1272, 833, { before: 1272 }])
    expect(reads).toEqual([
      ['page', { before: Number.MAX_SAFE_INTEGER }, 1_000],
      ['page', { before: 1501 }, 1_000],
      ['count', { before: 501 }, 1_000],
    ])
    expect(started.map((turn) => turn - (started[0] ?? 0))).toEqual([0, 1, 2])
  })
})

it('events are those of the log, with their group', async () => {
  const memory = memoryStorage()
  await memory.appendEvents([{ ...sampleEvent('a'), groupType: 'transaction', groupId: 'g1' }])
  const query = { filter: {}, cursor: undefined, offset: 0, limit: 3 }
  const { events } = await searchEvents(memory, query, { searchedEvents: 10, countedEvents: 10 })
  const page = await memory.eventPage({}, { after: 0 }, 1, true)
  expect(events).toEqual(eachEvent(page))
  expect(String(Buffer.from(events[0] as Uint8Array))).toContain('"groupId":"g1"')
})
