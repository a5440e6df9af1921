import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import { type OpenDatabase, postgres, sqlite } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { isNightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { listening, type Server, seeded, until } from '../support/server'
import { appliedOnce, outcomesOf, storeDue } from './scheduled'

const { createHostTables } = require('./host-flags.cjs') as { createHostTables(host: Knex): Promise<void> }

/** For each kind of gateway. */
const kills = runs(1)
const due = isNightly ? 500 : 100
const anHourMs = 3_600_000

const ways = [
  { database: postgres, gateway: 'transactional', processes: 4, slowMs: 200 },
  { database: postgres, gateway: 'remote', processes: 4, slowMs: 200 },
  { database: sqlite, gateway: 'transactional', processes: 2, slowMs: 10 },
  { database: sqlite, gateway: 'remote', processes: 2, slowMs: 100 },
] as const

/** @see reliability P9, F21 */
describe.each(ways)('due change requests, with $processes processes that are killed, on $database.name', (way) => {
  const running: Promise<Server>[] = []
  let open: OpenDatabase
  let host: Knex

  /** The flags of the host: in the same database, or in a separate SQLite file if they are not shared. */
  function hostConfig(): Knex.Config {
    const { knex } = open.place
    if (knex.client === 'pg' || way.gateway === 'transactional') return knex
    return { ...knex, connection: { filename: `${knex.connection.filename}.host` } }
  }

  beforeEach(async () => {
    open = await way.database.open()
    host = createKnex(hostConfig())
    await createHostTables(host)
  })
  afterEach(async () => {
    for (const server of await Promise.all(running.splice(0))) await server.kill()
    await host.destroy()
    await open.close()
  })

  function start(clockOffMs = 0): Promise<Server> {
    const { gateway, slowMs } = way
    const limits = { ...longTimeoutLimits, applyTimeoutMs: 2_000, schedulePollMs: 200 }
    const config = { ...open.place, host: hostConfig(), gateway, slowMs, clockOffMs, limits }
    return listening([process.execPath, join(__dirname, 'schedule-server.cjs'), JSON.stringify(config)])
  }

  it(`are applied once by a ${way.gateway} gateway, with their events, and none is left (SEED=${seed})`, async () => {
    const random = seeded(seed)
    const ids = await storeDue(open.storage, due, new Date(Date.now() - 1_000).toISOString())
    for (let index = 0; index < way.processes; index += 1) running.push(start())
    // Only Postgres has its own clock to compare with.
    const off = way.database === postgres ? await start(anHourMs) : undefined
    for (let kill = 1; kill <= kills; kill += 1) {
      const index = Math.floor(random() * running.length)
      const server = await running[index]
      await new Promise((resolve) => setTimeout(resolve, 50 + 400 * random()))
      await server?.kill()
      running[index] = start()
      if ((await pending()) < due / 5) ids.push(...(await storeDue(open.storage, due, new Date().toISOString())))
    }
    await until(async () => (await pending()) === 0)
    await off?.kill()
    const found = await outcomesOf(open.knex, host)
    expect(found.filter((one, index) => JSON.stringify(one) !== JSON.stringify(appliedOnce(ids[index] ?? 0)))).toEqual(
      [],
    )
    expect(found).toHaveLength(ids.length)
    expect(await host('host_flags').where({ process: 'off' })).toEqual([])
    await expectConsistent(open.storage)
  })

  const pending = async () => (await open.storage.dueTimes(new Date(Date.now() + 1_000).toISOString())).due
})
