import { join } from 'node:path'
import { knex as createKnex, type Knex } from 'knex'
import type { FlagGateway, Subjects } from '../../../src'
import { dismissObjection, object } from '../../../src/capabilities/objections/objections'
import { FollowModel } from '../../capabilities/schedule/support/follow-model'
import { by, createFixture } from '../../kernel/support/fixture'
import { turn } from '../../kernel/support/following'
import { type OpenDatabase, postgres, sqlite } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { isNightly } from '../../support/nightly'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { listening, type Server, seeded, until } from '../support/server'

const { createHostTables, readFlags } = require('./host-flags.cjs') as {
  createHostTables(host: Knex): Promise<void>
  readFlags(host: Knex, features: readonly string[]): ReturnType<FlagGateway['current']>
}

/** For each database. */
const kills = runs(3)
const killsInRound = 5
const [chains, length] = [6, 10]

const all = [
  { database: postgres, gateway: 'remote', slowMs: 200 },
  { database: sqlite, gateway: 'transactional', slowMs: 60 },
] as const

/** @see contract 25.3, reliability P9 */
describe.each(all.slice(0, isNightly ? 2 : 1))(
  'rows of ten schedules, with two runners that are killed, on $database.name',
  (way) => {
    const running: Promise<Server>[] = []
    let open: OpenDatabase
    let host: Knex

    beforeEach(async () => {
      open = await way.database.open()
      host = createKnex(open.place.knex)
      await createHostTables(host)
    })
    afterEach(async () => {
      await stop()
      await host.destroy()
      await open.close()
    })

    function start(): Promise<Server> {
      const limits = { ...longTimeoutLimits, applyTimeoutMs: 2_000, schedulePollMs: 200 }
      const { gateway, slowMs } = way
      const config = { ...open.place, host: open.place.knex, gateway, slowMs, clockOffMs: 0, limits }
      return listening([process.execPath, join(__dirname, 'schedule-server.cjs'), JSON.stringify(config)])
    }

    async function stop(): Promise<void> {
      for (const server of await Promise.all(running.splice(0))) await server.kill()
    }

    /** Plans a row for a flag, on and off in turns. One of them may be stopped, or the host may change the flag. */
    async function plan(flag: string, random: () => number, model: FollowModel): Promise<number[]> {
      const current = ({ features }: Subjects) => readFlags(host, features)
      const flags = { current, apply: async () => [] }
      const fixture = createFixture({ storage: () => open.storage, flags, schedule: 'elsewhere', objections: true })
      fixture.host.now = Date.now()
      const ids: number[] = []
      for (let place = 0; place < length; place += 1) {
        const { id } = (await fixture.approved([turn(place % 2 === 0, flag)])).changeRequest
        const after = ids.at(-1)
        // In the past, so all of them are due.
        const scheduledAt = new Date(fixture.host.now - 30_000 + place).toISOString()
        await fixture.to('cleo', 'Scheduled', { id, scheduledAt, ...(after !== undefined && { after }) })
        model.propose(id, [{ flag, field: 'enabled', value: place % 2 === 0 }])
        model.schedule(id, { time: place + 1, after: after ?? null, minutes: null })
        ids.push(id)
      }
      const stopped = Math.floor(random() * 2 * length)
      const id = ids[stopped]
      if (id !== undefined && random() < 0.5) {
        const call = { project: 'shop', id }
        await object(fixture.services, { ...by('cleo'), ...call, text: 'Wait.', digest: null })
        const reason = 'It was a mistake.'
        await dismissObjection(fixture.services, { ...by('dora'), ...call, objectionId: 1, reason })
        model.suspend(id)
      } else if (id !== undefined && stopped === 0) {
        await host('host_flags').insert({ flag, enabled: true, change_request: 0, process: 'host' })
        model.set({ flag, field: 'enabled', value: true }, 0)
      }
      return ids
    }

    it(`are applied once, in their order, or stopped as a model says (SEED=${seed})`, async () => {
      const random = seeded(seed)
      let killed = 0
      for (let round = 0; killed < kills; round += 1) {
        const model = new FollowModel([-1, -1])
        const rows = new Map<string, number[]>()
        for (let chain = 0; chain < chains; chain += 1) {
          const flag = `flag-${round}-${chain}`
          rows.set(flag, await plan(flag, random, model))
        }
        running.push(start(), start())
        for (let kill = 0; kill < killsInRound && killed < kills; kill += 1) {
          const index = Math.floor(random() * running.length)
          const server = await running[index]
          await new Promise((resolve) => setTimeout(resolve, 50 + 300 * random()))
          await server?.kill()
          killed += 1
          running[index] = start()
        }
        await until(async () => (await open.storage.due({ limit: 1 })).length === 0)
        await stop()
        model.now = 1_000
        model.settle()
        for (const [flag, ids] of rows) expect(await outcomeOf(flag, ids)).toEqual(expectedOf(flag, ids, model))
      }
      await expectConsistent(open.storage)
    }, 600_000)

    async function outcomeOf(flag: string, ids: readonly number[]) {
      const found = await Promise.all(ids.map((id) => open.storage.find({}, id)))
      const switched = await host('host_flags').where({ flag }).andWhere('change_request', '>', 0).orderBy('id')
      return {
        flag,
        states: found.map((one) => one?.changeRequest.schedule?.status ?? one?.changeRequest.state),
        // Each once, in this order.
        switched: switched.map(({ change_request }) => Number(change_request)),
      }
    }

    function expectedOf(flag: string, ids: readonly number[], model: FollowModel) {
      const states = ids.map((id) => model.requests.get(id)?.status)
      return { flag, states, switched: ids.filter((_, index) => states[index] === 'Applied') }
    }
  },
)
