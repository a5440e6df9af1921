import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { knex as createKnex } from 'knex'
import { enable, startApp, type TestApp } from '../../support/app'
import { nightly } from '../../support/nightly'
import { type OpenHandle, openHandles } from '../support/open-handles'
import { type FailoverMode, type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres'
import { until } from '../support/server'
import { flags, flaws, readStore } from '../support/store'

const failovers = 20
const modes: readonly FailoverMode[] = ['kill', 'freeze', 'fast', 'immediate']
const callers = 4
/** Shorter than the default, so that a test does not wait for a frozen server for long. */
const short = { statementTimeoutMs: 1_000, acquireTimeoutMs: 1_000, lockTimeoutMs: 1_000 }

nightly('a primary that fails over to its synchronous standby under load', () => {
  let pair: ReplicatedPostgres
  let through: OpenHandle
  let app: TestApp

  beforeAll(async () => {
    pair = await startReplicatedPostgres()
  })
  afterAll(() => pair?.end())

  /** Callers that record events and propose changes until they are ended, and repeat a proposal with its key after a 503. */
  function startLoad() {
    const recorded: string[] = []
    const proposed: string[] = []
    const surprises: string[] = []
    const acknowledgements: number[] = []
    let isEnded = false
    const acknowledge = (list: string[], label: string) => {
      list.push(label)
      acknowledgements.push(performance.now())
    }
    async function record(): Promise<void> {
      while (!isEnded) {
        const featureName = randomUUID()
        const event = { type: 'feature-created', createdBy: 'ann', project: 'shop', featureName } as const
        await app.router.events.record(event).then(
          () => acknowledge(recorded, featureName),
          () => setTimeout(5),
        )
      }
    }
    // A change request of an earlier run would reach its maximum number of changes.
    const name = randomUUID()
    async function propose(_: unknown, caller: number): Promise<void> {
      for (let round = 0; !isEnded; round += 1) {
        const flag = randomUUID()
        const place = {
          environment: `${name}-${caller}-${Math.floor(round / 50)}`,
          headers: { 'Idempotency-Key': flag },
        }
        for (;;) {
          const { status, body } = await app.propose([enable(flag)], place)
          if (status === 200) break
          if (status !== 503) return void surprises.push(JSON.stringify(body))
          await setTimeout(5)
        }
        acknowledge(proposed, flag)
      }
    }
    const running = Promise.all([
      ...Array.from({ length: callers }, record),
      ...Array.from({ length: callers }, propose),
    ])
    return {
      recorded,
      proposed,
      surprises,
      acknowledgements,
      async end() {
        isEnded = true
        await running
      },
    }
  }

  function startFollower(after: number) {
    const ids: number[] = []
    const ending = new AbortController()
    const running = (async () => {
      for await (const { id } of app.router.events.follow({ after, signal: ending.signal })) ids.push(id)
    })()
    return {
      ids,
      async end() {
        ending.abort()
        await running
      },
    }
  }

  const runs = modes.flatMap((mode) => Array.from({ length: failovers }, (_, index) => ({ mode, run: index + 1 })))

  it.each(runs)(
    'loses nothing that was acknowledged, and followers see each event once: $mode, $run',
    async ({ mode, run }) => {
      const [, openHandle] = openHandles[run % openHandles.length] ?? openHandles[0] ?? []
      if (openHandle === undefined) throw new Error('There are no handles.')
      await pair.synchronize(true)
      const oldPrimary = new URL(pair.primary.url)
      through = openHandle(pair.proxy.url, short)
      await through.storage.migrate()
      app = await startApp({ storage: through.storage, limits: { followPollMs: 50 } })
      const { lastId } = await through.storage.eventHead({})
      const follower = startFollower(lastId)
      const load = startLoad()
      await until(() => load.acknowledgements.length > 100)

      const promoted = await pair.failOver(mode)
      await until(() => load.acknowledgements.some((time) => time > promoted))
      const firstMs = (load.acknowledgements.find((time) => time > promoted) ?? 0) - promoted
      const { length } = load.acknowledgements
      await until(() => load.acknowledgements.length > length + 100)
      await load.end()
      expect(load.surprises).toEqual([])
      await until(() => pair.proxy.openTo(oldPrimary) === 0)

      const knex = createKnex({ client: 'pg', connection: pair.primary.url })
      const rows = await knex('ffcr_events').select('id', 'feature_name').where('id', '>', lastId).orderBy('id')
      await knex.destroy()
      const names = rows.filter(({ feature_name }) => load.recorded.includes(feature_name))
      expect(names.map(({ feature_name }) => feature_name).sort()).toEqual([...load.recorded].sort())
      const store = await readStore({ client: 'pg', connection: pair.primary.url })
      expect(flaws(store)).toEqual([])
      const stored = flags(store)
      expect(stored.filter((flag) => load.proposed.includes(flag)).sort()).toEqual([...load.proposed].sort())
      await until(() => follower.ids.length >= rows.length)
      expect(follower.ids).toEqual(rows.map(({ id }) => Number(id)))

      await follower.end()
      await app.close()
      await through.close()
      console.log(
        `${mode} ${run}: ${load.acknowledgements.length} acknowledged, the first after ${Math.round(firstMs)} ms`,
      )
      await pair.rebuild()
    },
  )
})
