import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import { databases, type OpenDatabase } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { nightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { listening, type Server, seeded, until } from '../support/server'
import { outcomesOf, storeAhead } from './scheduled'

const { createHostTables } = require('./host-flags.cjs') as { createHostTables(host: Knex): Promise<void> }

const kills = 2 * runs(1)
/** Stored before each kill. */
const perKill = 12

const [sqlite, postgres] = databases
const ways = [
  { database: postgres, gateway: 'remote', slowMs: 60 },
  { database: sqlite, gateway: 'transactional', slowMs: 10 },
] as const

nightly.each(ways)('schedules ahead and freezes, with two processes that are killed, on $database.name', (way) => {
  let open: OpenDatabase
  let host: Knex
  const running: Promise<Server>[] = []

  beforeEach(async () => {
    open = await (way.database as (typeof databases)[number]).open()
    host = createKnex(hostOf(open, way.gateway))
    await createHostTables(host)
  })
  afterEach(async () => {
    const servers = await Promise.all(running.splice(0))
    await Promise.all(servers.map((server) => server.kill()))
    await host.destroy()
    await open.close()
  })

  const start = () => {
    const { gateway, slowMs } = way
    const limits = { ...longTimeoutLimits, applyTimeoutMs: 2_000, schedulePollMs: 100 }
    const config = { ...open.place, host: hostOf(open, gateway), gateway, slowMs, clockOffMs: 0, limits, freezes: true }
    return listening([process.execPath, join(__dirname, 'schedule-server.cjs'), JSON.stringify(config)])
  }

  /** Votes until a process has stored it: 409 follows a vote whose response was lost. */
  async function vote(id: number, random: () => number): Promise<void> {
    for (;;) {
      const server = await running[Math.floor(random() * running.length)]
      const status = await fetch(`${server?.url}/api/admin/projects/shop/change-requests/${id}/state`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', 'x-user': '1000000' },
        body: JSON.stringify({ state: 'Approved' }),
      }).then(
        async (answer) => {
          await answer.text()
          return answer.status
        },
        () => 503,
      )
      if (status === 200 || status === 409) return
      expect(status).toBe(503)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  it(`are applied once by a ${way.gateway} gateway, or suspended with a reason (SEED=${seed})`, async () => {
    const random = seeded(seed)
    const ids: number[] = []
    const votes: Promise<void>[] = []
    running.push(start(), start())
    await Promise.all(running)
    for (let kill = 1; kill <= kills; kill += 1) {
      const now = Date.now()
      const time = new Date(now + 300 * random()).toISOString()
      const set = { at: new Date(now).toISOString(), scheduledAt: kill % 2 === 0 ? null : time }
      const stored = await storeAhead(open.storage, perKill, set)
      ids.push(...stored)
      votes.push(...stored.map((id) => vote(id, random)))
      await new Promise((resolve) => setTimeout(resolve, 100 + 500 * random()))
      const index = Math.floor(random() * running.length)
      await (await running[index])?.kill()
      running[index] = start()
    }
    await Promise.all(votes)
    const isEnded = async (id: number) => {
      const { state, schedule } = (await open.storage.find({}, id))?.changeRequest ?? {}
      return state === 'Applied' || schedule?.status === 'suspended'
    }
    await until(async () => (await Promise.all(ids.map(isEnded))).every(Boolean))

    const found = new Map((await outcomesOf(open.knex, host)).map((outcome) => [outcome.id, outcome]))
    const counts = { applied: 0, suspended: 0 }
    for (const id of ids) {
      const { state, schedule } = (await open.storage.find({}, id))?.changeRequest ?? {}
      const isApplied = state === 'Applied'
      counts[isApplied ? 'applied' : 'suspended'] += 1
      const events = [...voted, ...(isApplied ? applied : ['change-request-schedule-suspended'])]
      expect(found.get(id)).toEqual({
        id,
        state: isApplied ? 'Applied' : 'Scheduled',
        switched: Number(isApplied),
        events,
      })
      if (!isApplied) expect(schedule?.reason).toMatch(/^The freeze "stop \d+" .* \(Audit\)\./)
    }
    expect(counts.applied).toBeGreaterThan(0)
    if (kills >= 30) expect(counts.suspended).toBeGreaterThan(0)
    if (process.env.KILL_TALLY) console.log(way.gateway, kills, ids.length, counts)
  })
})

const voted = ['change-request-approval-added', 'change-request-approved', 'change-request-scheduled']
const applied = [
  'feature-environment-enabled',
  'change-request-applied',
  'change-request-scheduled-application-success',
]

/** The flags of the host: in the same database, or in a separate SQLite file if they are not shared. */
function hostOf({ place: { knex } }: OpenDatabase, gateway: string): Knex.Config {
  if (knex.client === 'pg' || gateway === 'transactional') return knex
  return { ...knex, connection: { filename: `${knex.connection.filename}.host` } }
}
