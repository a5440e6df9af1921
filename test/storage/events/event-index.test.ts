import {
  type EventCursor,
  type EventFilter,
  type EventRow,
  type EventSearch,
  type FoundEvents,
  newest,
} from '../../../src/ports/storage/events'
import type { Storage } from '../../../src/ports/storage/storage'
import { createNames } from '../../../src/storage/sql/database/names'
import { summarizeBlock } from '../../../src/storage/sql/event-index/block-summary'
import { nextBlock, type SealStatements } from '../../../src/storage/sql/event-index/sealer'
import { postgresSealing } from '../../../src/storage/sql/postgres/events/sealing'
import { sqliteSealStatements } from '../../../src/storage/sql/sqlite/events/sealing'
import type { Statement } from '../../../src/storage/sql/sqlite/prepared'
import { eventsOf, sampleEvent } from '../../../src/testing/samples'
import { until } from '../../faults/support/server'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'

const blockSize = 32
const count = 20 * blockSize + 5

/** One of 4 events has the type a; one of 10 is by user 1. There are six an hour. */
const eventAt = (n: number): EventRow => ({
  ...sampleEvent(n),
  createdAt: new Date(Date.UTC(2026, 2, 1) + n * 600_000).toISOString(),
  type: n % 4 === 0 ? 'a' : 'b',
  createdByUserId: n % 10 === 0 ? 1 : 2,
})

const rare: EventFilter = { types: ['a'], createdBy: [1] }
const both = { filter: rare, offset: 0, limit: 5, grouped: true }
const everything = Number.MAX_SAFE_INTEGER

describe.each(databases)('the index of events on $name', ({ open }) => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await open({ blockSize })
    await append(database.storage, 0, count)
    await until(async () => (await sealedTo(database)) === 20 * blockSize - 1)
  })
  afterEach(() => database.close())

  it('covers every complete block soon after it is written', async () => {
    await append(database.storage, count, blockSize)
    await until(async () => (await sealedTo(database)) === 21 * blockSize - 1)
  })

  it('returns a page and an exact total for filters that rarely match together', async () => {
    const { page, total, isExact } = await database.storage.searchEvents({ ...both, maxCounted: everything })
    const expected = Array.from({ length: count }, (_, n) => n + 1).filter((id) => (id - 1) % 20 === 0)

    expect(eventsOf(page).map(({ id }) => id)).toEqual(expected.toReversed().slice(0, 5))
    expect([total, isExact]).toEqual([expected.length, true])
  })

  it('compares the events of the first and the last day with instants', async () => {
    const { storage } = database
    const times = { from: '2026-03-02T07:35:00.000Z', to: '2026-03-05T11:00:00.000Z' }
    const all = Array.from({ length: count }, (_, n) => eventAt(n))
    for (const [filter, step] of [
      [times, 1],
      [{ ...times, types: ['a'] }, 4],
      [{ ...times, ...rare }, 20],
      [{ ...times, to: '2026-03-02T22:00:00.000Z' }, 1],
    ] as const) {
      const ids = all.flatMap(({ createdAt }, n) =>
        createdAt >= filter.from && createdAt < filter.to && n % step === 0 ? n + 1 : [],
      )
      expect(ids.length).toBeGreaterThan(2)
      const search = { filter, offset: 1, limit: 10, grouped: false, maxCounted: everything }
      const { page, total, isExact } = await storage.searchEvents(search)
      expect([filter, eventsOf(page).map(({ id }) => id)]).toEqual([filter, ids.toReversed().slice(1, 11)])
      expect([filter, total, isExact]).toEqual([filter, ids.length, true])
      const whole = await storage.eventPage(filter, { after: 0 }, 1_000)
      expect([filter, eventsOf(whole).map(({ id }) => id)]).toEqual([filter, ids])
    }
  })

  it('stops after the maximum number of examined events, reports that there may be more, and links to the rest', async () => {
    const filter = { ...rare, environments: ['none'] }
    const none = await database.storage.searchEvents({
      ...both,
      filter: { ...rare, features: ['checkout'] },
      maxCounted: 10,
    })
    expect(none.isExact).toBe(false)
    expect(none.total).toBeLessThan(count / 20)
    expect(none.total).toBeGreaterThan(0)

    const absent = await database.storage.searchEvents({ ...both, filter, maxCounted: 10 })
    expect([absent.page.count, absent.total, absent.isExact, absent.next]).toEqual([0, 0, true, null])
  })

  it('is rebuilt for every process by a recount after events are removed', async () => {
    const other = openAgain(database.place)
    try {
      const before = await other.storage.searchEvents({ ...both, maxCounted: everything })
      await database.removeEvents(320)
      await database.storage.recountEvents?.()
      const after = await other.storage.searchEvents({ ...both, maxCounted: everything })

      expect(before.total).toBe(33)
      expect(after.total).toBe(17)
      expect(eventsOf(after.page)).toEqual(eventsOf(before.page))
    } finally {
      await other.close()
    }
  })

  it('never returns an event that does not match, even if the index is wrong, and reports that once', async () => {
    const { knex, storage } = database
    const problems: string[] = []
    storage.onProblem?.(({ message }) => problems.push(message))
    const filter = { ...rare, projects: ['shop'] }
    const search = { ...both, filter, limit: 50, maxCounted: everything }
    const found = eventsOf((await storage.searchEvents(search)).page).map(({ id }) => id)
    const [, moved = 0] = found
    await knex('ffcr_events').where({ id: moved }).update({ project: 'secret' })
    const others = found.filter((id) => id !== moved)

    expect(eventsOf((await storage.searchEvents(search)).page).map(({ id }) => id)).toEqual(others)
    expect(eventsOf(await storage.eventPage(filter, newest, 50)).map(({ id }) => id)).toEqual(others)
    // The data of each is a multiple of ten.
    const counted = await storage.searchEvents({ ...search, filter: { ...filter, query: '0' }, limit: 0 })
    expect(counted.total).toBe(others.length)
    expect(problems).toEqual([expect.stringMatching(/^The index of events does not match the event log/)])
    await storage.recountEvents?.()
    expect((await storage.searchEvents(search)).total).toBe(others.length)
    expect(problems).toHaveLength(1)
  })

  it('returns the rest of an offset when a search stops comparing', async () => {
    const all = Array.from({ length: count }, (_, n) => n + 1).filter((id) => (id - 1) % 20 === 0)
    for (const [start, ids] of [
      [newest, all.toReversed()],
      [{ after: 0 }, all],
    ] as const) {
      for (const offset of [3, 12, 30, 33, 40]) {
        const found: number[] = []
        let [cursor, left]: [EventCursor | null, number] = [start, offset]
        while (cursor !== null) {
          const search: EventSearch = { ...both, cursor, offset: left, maxCounted: 10 }
          const answer: FoundEvents = await database.storage.searchEvents(search)
          found.push(...eventsOf(answer.page).map(({ id }) => id))
          cursor = answer.next
          left = answer.offsetLeft
        }
        expect([start, offset, found]).toEqual([start, offset, ids.slice(offset)])
      }
    }
  })

  it('adds no block if its events are replaced after they are read', async () => {
    const { knex, place } = database
    const before = await sealedTo(database)
    // This storage adds no blocks by itself.
    const writer = openAgain({ knex: place.knex, storage: place.storage })
    const statements = sealing(database)
    try {
      await append(writer.storage, count, blockSize)
      const state = await statements.logState()
      const { block, first, last } = nextBlock(state, blockSize) ?? { block: 0, first: 0, last: 0 }
      const events = await statements.indexedEvents(first, last)
      const seal = { block, fingerprint: 'other', before: state, sealedTo: last, newest: events.at(-1) }
      const summary = summarizeBlock(block, blockSize, events)
      // Simulates a failover between the two statements.
      await knex('ffcr_events').where({ id: last }).update({ created_at: '2026-03-04T12:00:00.123Z' })
      await statements.seal({ ...seal, ...summary })
      expect(await sealedTo(database)).toBe(before)

      await statements.seal({ ...seal, newest: (await statements.indexedEvents(first, last)).at(-1), ...summary })
      expect(await sealedTo(database)).toBe(last)
    } finally {
      await writer.close()
    }
  })

  it('drops its cache when the database is restored to an earlier state', async () => {
    const { knex, storage } = database
    await storage.searchEvents({ ...both, maxCounted: everything })
    await knex('ffcr_event_index').update({ sealed_to: 10 * blockSize - 1 })
    await knex('ffcr_event_postings').where('block', '>=', 10).del()
    await knex('ffcr_event_blocks').where('block', '>=', 10).del()

    const { total } = await storage.searchEvents({ ...both, maxCounted: everything })
    expect(total).toBe(33)
  })
})

async function append(storage: Storage, first: number, length: number): Promise<void> {
  for (let n = 0; n < length; n += 20) {
    const rows = Array.from({ length: Math.min(20, length - n) }, (_, at) => eventAt(first + n + at))
    await storage.appendEvents(rows)
  }
}

async function sealedTo({ knex }: OpenDatabase): Promise<number> {
  const [row] = await knex('ffcr_event_index').select('sealed_to')
  return Number(row.sealed_to)
}

/** The statements that add blocks, on the connection of the test. */
function sealing({ knex, place }: OpenDatabase): SealStatements {
  const names = createNames(place.storage)
  if (place.knex.client === 'pg') {
    return postgresSealing(names, async (text, values = []) => {
      const connection = await knex.client.acquireConnection()
      try {
        return (await connection.query(text, values)).rows
      } finally {
        await knex.client.releaseConnection(connection)
      }
    })
  }
  const run = async <Value>(use: (prepare: (text: string) => Statement) => Value) => {
    const connection = await knex.client.acquireConnection()
    try {
      return use((text) => connection.prepare(text))
    } finally {
      await knex.client.releaseConnection(connection)
    }
  }
  return sqliteSealStatements(names, run, run)
}
