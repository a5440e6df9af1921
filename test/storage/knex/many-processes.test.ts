import { allData, allEvents, findOpen, key } from '../../../src/testing/samples'
import { postgres, sqlite, type TestDatabase } from '../../support/databases'
import { type Processes, startProcesses, type Task } from '../../support/processes/processes'

const cases: readonly (readonly [number, TestDatabase, number])[] = [
  [4, postgres, 100],
  [3, sqlite, 150],
]

describe.each(cases)('%i processes that write to one store', (count, database, rounds) => {
  let processes: Processes
  beforeAll(async () => {
    processes = await startProcesses(count)
  })
  afterAll(() => processes.stop())

  const tasks = (task: Omit<Task, 'label'>): Task[] =>
    Array.from({ length: count }, (_, index) => ({ ...task, label: `process ${index}` }))

  it(`${database.name}: ${rounds} commits each leave that number of change requests, twice the events, and no error`, async () => {
    const { storage, knex, place, close } = await database.open()
    try {
      const reports = await processes.run(tasks({ place, work: 'append', rounds }))

      expect(reports.flatMap(({ failures }) => failures)).toEqual([])
      const [stored] = await knex('ffcr_change_requests').count({ total: '*' })
      expect(Number(stored?.total)).toBe(count * rounds)
      expect(new Set(await allData(storage)).size).toBe(count * rounds * 2)
      expect((await storage.eventHead({})).total).toBe(count * rounds * 2)
      expect(await storage.eventHead({ projects: [key.project] })).toEqual(await storage.eventHead({}))
    } finally {
      await close()
    }
  })

  it(`${database.name}: a follower sees every event exactly once, in order`, async () => {
    const { storage, place, close } = await database.open()
    try {
      let done = false
      const writing = processes.run(tasks({ place, work: 'append', rounds: 50 })).finally(() => {
        done = true
      })
      const seen: number[] = []
      for (let last = false; ; last = done) {
        const { count: found, json } = await storage.eventPage({}, { after: seen.at(-1) ?? 0 }, 100)
        for (const { id } of JSON.parse(`[${json}]`)) seen.push(id)
        if (last && found === 0) break
        await new Promise((resolve) => setImmediate(resolve))
      }
      await writing

      expect(seen).toEqual((await allEvents(storage)).map(({ id }) => id))
      expect(seen.length).toBe(count * 50 * 2)
    } finally {
      await close()
    }
  })

  it(`${database.name}: one change request that all of them write to loses no step`, async () => {
    const { storage, place, close } = await database.open()
    try {
      const reports = await processes.run(tasks({ place, work: 'step', rounds: 25 }))

      expect(reports.flatMap(({ failures }) => failures)).toEqual([])
      expect((await findOpen(storage, key))?.version).toBe(count * 25)
      expect(new Set(await allData(storage)).size).toBe(count * 25)
    } finally {
      await close()
    }
  })
})
