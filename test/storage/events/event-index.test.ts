import type { EventFilter, EventRow, Storage } from '../../../src/ports/storage'
import { eventsOf, sampleEvent } from '../../../src/testing/samples'
import { until } from '../../faults/support/server'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'

const blockSize = 32
const count = 20 * blockSize + 5

/** Of each 4 events one has the type a; of each 10 one is by user 1. */
const eventAt = (n: number): EventRow => ({
  ...sampleEvent(n),
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

  it('covers every complete block, soon after it was written', async () => {
    await append(database.storage, count, blockSize)
    await until(async () => (await sealedTo(database)) === 21 * blockSize - 1)
  })

  it('answers a page and an exact total of filters that meet rarely', async () => {
    const { page, total, isExact } = await database.storage.searchEvents({ ...both, mostCounted: everything })
    const expected = Array.from({ length: count }, (_, n) => n + 1).filter((id) => (id - 1) % 20 === 0)

    expect(eventsOf(page).map(({ id }) => id)).toEqual(expected.toReversed().slice(0, 5))
    expect([total, isExact]).toEqual([expected.length, true])
  })

  it('stops after the events that may be examined, says that there may be more, and links to the rest', async () => {
    const filter = { ...rare, environments: ['none'] }
    const none = await database.storage.searchEvents({
      ...both,
      filter: { ...rare, features: ['checkout'] },
      mostCounted: 10,
    })
    expect(none.isExact).toBe(false)
    expect(none.total).toBeLessThan(count / 20)
    expect(none.total).toBeGreaterThan(0)

    const absent = await database.storage.searchEvents({ ...both, filter, mostCounted: 10 })
    expect([absent.page.count, absent.total, absent.isExact, absent.next]).toEqual([0, 0, true, null])
  })

  it('is built anew by a recount after events were removed, for every process', async () => {
    const other = openAgain(database.place)
    try {
      const before = await other.storage.searchEvents({ ...both, mostCounted: everything })
      await database.removeEvents(320)
      await database.storage.recountEvents()
      const after = await other.storage.searchEvents({ ...both, mostCounted: everything })

      expect(before.total).toBe(33)
      expect(after.total).toBe(17)
      expect(eventsOf(after.page)).toEqual(eventsOf(before.page))
    } finally {
      await other.close()
    }
  })

  it('forgets what it knew of a database that was put back to an earlier state', async () => {
    const { knex, storage } = database
    await storage.searchEvents({ ...both, mostCounted: everything })
    await knex('ffcr_event_index').update({ sealed_to: 10 * blockSize - 1 })
    await knex('ffcr_event_postings').where('block', '>=', 10).del()

    const { total } = await storage.searchEvents({ ...both, mostCounted: everything })
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
