import { databases } from '../../support/databases'
import { withSecond } from '../../support/databases/second-migration'
import { isNightly } from '../../support/nightly'
import { type Processes, startProcesses } from '../../support/processes/processes'
import { runs } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { flags, flaws, readStore } from '../support/store'

const starters = isNightly ? 20 : 8
const rounds = runs(1)

describe(`${starters} processes that start concurrently on an empty database`, () => {
  let processes: Processes
  beforeAll(async () => {
    processes = await startProcesses(starters)
  })
  afterAll(() => processes?.stop())

  it.each(databases)(`all become ready, on $name`, async (database) => {
    for (let round = 1; round <= rounds; round += 1) {
      const { place, storage, close } = await database.open({ migrate: false, second: true })
      try {
        const tasks = Array.from({ length: starters }, (_, index) => ({
          place,
          work: 'serve' as const,
          rounds: 1,
          label: `project-${index}`,
        }))
        const reports = await processes.run(tasks)
        expect({ round, reports }).toEqual({ round, reports: tasks.map(() => ({ done: 1, failures: [] })) })
        const store = await readStore(place.knex)
        expect(flaws(store)).toEqual([])
        expect(flags(store)).toHaveLength(starters)
        expect(await storage.health()).toMatchObject({ reachable: true, schemaVersion: withSecond.length })
        await expectConsistent(storage)
      } finally {
        await close()
      }
    }
  })
})
