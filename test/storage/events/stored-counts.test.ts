import { setImmediate } from 'node:timers/promises'
import type { Knex } from 'knex'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'
import { wrongCounts } from '../../support/databases/stored-counts'
import { randomEvents, randomOf, writeMixed } from '../../support/processes/mixed-writers'
import { type Processes, startProcesses } from '../../support/processes/processes'
import { seed } from '../../support/random'

describe.each(databases)('the stored counts on $name', ({ open }) => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.close())

  it('match the events after any writes of 3 processes, also rejected, lost and rolled back ones', async () => {
    const processes: Processes = await startProcesses(3)
    try {
      const task = { place: database.place, work: 'mixed', rounds: 20 } as const
      const reports = await processes.run([0, 1, 2].map((part) => ({ ...task, label: String(seed + 100 * part) })))

      expect([seed, reports]).toEqual([seed, reports.map(() => ({ done: 5, failures: [] }))])
      expect([seed, await wrongCounts(database.knex)]).toEqual([seed, []])
      expect((await database.storage.eventHead({})).total).toBeGreaterThan(300)
    } finally {
      await processes.stop()
    }
  })

  it('are committed or rolled back with a transaction of the host', async () => {
    const { knex, storage } = database
    const random = randomOf(1)
    const write = async (transaction: Knex.Transaction) => {
      await storage.within(transaction).appendEvents(randomEvents(random))
      await storage.within(transaction).appendEvents(randomEvents(random))
    }
    await knex.transaction(write)
    const { total } = await storage.eventHead({})
    const undone = knex.transaction((transaction) => write(transaction).then(() => Promise.reject(new Error('undone'))))

    await expect(undone).rejects.toThrow('undone')
    expect((await storage.eventHead({})).total).toBe(total)
    expect(total).toBeGreaterThan(1)
    expect(await wrongCounts(knex)).toEqual([])
  })

  it('match the events during and after a router.events.recount() with concurrent writers', async () => {
    const { knex, storage, place } = database
    // On SQLite a second connection of this process would wait and block the event loop.
    const other = place.knex.client === 'pg' ? openAgain(place) : { storage, close: async () => {} }
    try {
      await writeMixed(storage, 10, randomOf(seed))
      await knex('ffcr_event_tallies').del()
      await knex('ffcr_event_counts').where('project', '<>', '').update({ total: 1_000_000 })
      let writing = 4
      const writers = Array.from({ length: writing }, (_, writer) =>
        writeMixed(writer % 2 === 0 ? storage : other.storage, 15, randomOf(seed + writer)).finally(() => {
          writing -= 1
        }),
      )
      let recounts = 0
      for (; writing > 0; recounts += 1) {
        await Promise.all([storage.recountEvents?.(), other.storage.recountEvents?.()])
        // On SQLite a short recount never yields to the event loop, so the writers would wait.
        await setImmediate()
      }
      await Promise.all(writers)

      expect(recounts).toBeGreaterThan(0)
      expect([seed, await wrongCounts(knex)]).toEqual([seed, []])
    } finally {
      await other.close()
    }
  })
})
