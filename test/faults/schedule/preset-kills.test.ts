import { databases } from '../../support/databases'
import { nightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { seeded, until } from '../support/server'
import { KilledServers } from './killed-servers'
import { outcomesOf, storePreset } from './scheduled'

const kills = 2 * runs(1)
/** Stored before each kill. */
const perKill = 12

const [sqlite, postgres] = databases
const ways = [
  { database: postgres, gateway: 'remote', slowMs: 60 },
  { database: sqlite, gateway: 'transactional', slowMs: 10 },
] as const

nightly.each(ways)('preset schedules and freezes, with two processes that are killed, on $database.name', (way) => {
  const servers = new KilledServers(way, 100)
  const { running } = servers

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
    running.push(servers.start({ freezes: true }), servers.start({ freezes: true }))
    await Promise.all(running)
    for (let kill = 1; kill <= kills; kill += 1) {
      const now = Date.now()
      const time = new Date(now + 300 * random()).toISOString()
      const set = { at: new Date(now).toISOString(), scheduledAt: kill % 2 === 0 ? null : time }
      const stored = await storePreset(servers.open.storage, perKill, set)
      ids.push(...stored)
      votes.push(...stored.map((id) => vote(id, random)))
      await new Promise((resolve) => setTimeout(resolve, 100 + 500 * random()))
      const index = Math.floor(random() * running.length)
      await (await running[index])?.kill()
      running[index] = servers.start({ freezes: true })
    }
    await Promise.all(votes)
    const isEnded = async (id: number) => {
      const { state, schedule } = (await servers.open.storage.find({}, id))?.changeRequest ?? {}
      return state === 'Applied' || schedule?.status === 'suspended'
    }
    await until(async () => (await Promise.all(ids.map(isEnded))).every(Boolean))

    const found = new Map((await outcomesOf(servers.open.knex, servers.host)).map((outcome) => [outcome.id, outcome]))
    const counts = { applied: 0, suspended: 0 }
    for (const id of ids) {
      const { state, schedule } = (await servers.open.storage.find({}, id))?.changeRequest ?? {}
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
  })
})

const voted = ['change-request-approval-added', 'change-request-approved', 'change-request-scheduled']
const applied = [
  'feature-environment-enabled',
  'change-request-applied',
  'change-request-scheduled-application-success',
]
