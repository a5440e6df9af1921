import { databases } from '../../support/databases'
import { isNightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { seeded, until } from '../support/server'
import { KilledServers } from './killed-servers'
import { appliedOnce, outcomesOf, storeDue } from './scheduled'

/** For each kind of gateway. */
const kills = runs(1)
const due = isNightly ? 500 : 100
const anHourMs = 3_600_000

const [sqlite, postgres] = databases
const ways = [
  { database: postgres, gateway: 'transactional', processes: 4, slowMs: 200 },
  { database: postgres, gateway: 'remote', processes: 4, slowMs: 200 },
  { database: sqlite, gateway: 'transactional', processes: 2, slowMs: 10 },
  { database: sqlite, gateway: 'remote', processes: 2, slowMs: 100 },
] as const

/** @see reliability P9, F21 */
describe.each(ways)('due change requests, with $processes processes that are killed, on $database.name', (way) => {
  const servers = new KilledServers(way, 200)
  const { running } = servers

  it(`are applied once by a ${way.gateway} gateway, with their events, and none is left (SEED=${seed})`, async () => {
    const random = seeded(seed)
    const ids = await storeDue(servers.open.storage, due, new Date(Date.now() - 1_000).toISOString())
    for (let index = 0; index < way.processes; index += 1) running.push(servers.start())
    // Only Postgres has its own clock to compare with.
    const off = way.database === postgres ? await servers.start({ clockOffMs: anHourMs }) : undefined
    for (let kill = 1; kill <= kills; kill += 1) {
      const index = Math.floor(random() * running.length)
      const server = await running[index]
      await new Promise((resolve) => setTimeout(resolve, 50 + 400 * random()))
      await server?.kill()
      running[index] = servers.start()
      if ((await pending()) < due / 5)
        ids.push(...(await storeDue(servers.open.storage, due, new Date().toISOString())))
    }
    await until(async () => (await pending()) === 0)
    await off?.kill()
    const found = await outcomesOf(servers.open.knex, servers.host)
    expect(found.filter((one, index) => JSON.stringify(one) !== JSON.stringify(appliedOnce(ids[index] ?? 0)))).toEqual(
      [],
    )
    expect(found).toHaveLength(ids.length)
    expect(await servers.host('host_flags').where({ process: 'off' })).toEqual([])
  })

  const pending = async () => (await servers.open.storage.dueTimes(new Date(Date.now() + 1_000).toISOString())).due
})
