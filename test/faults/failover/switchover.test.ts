import { isNightly } from '../../support/nightly'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { appliedOnce, outcomesOf, storeDue } from '../schedule/scheduled'
import { type FailoverApp, startFailoverApp } from '../support/failover-app'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres'
import { until } from '../support/server'

const { createHostTables, transactionalFlags } = require('../schedule/host-flags.cjs')

const due = isNightly ? 200 : 30
const modes = isNightly ? (['fast', 'immediate', 'kill'] as const) : (['kill'] as const)

/** @see reliability T65, T69 */
describe.each(modes)('two processes whose primary moves to a synchronous standby (%s)', (mode) => {
  let pair: ReplicatedPostgres
  const apps: FailoverApp[] = []

  beforeAll(async () => {
    pair = await startReplicatedPostgres()
    for (const label of ['one', 'other']) {
      const app = await startFailoverApp(pair.proxy.url, (knex) => ({
        schedule: 'here',
        flags: transactionalFlags(knex, { slowMs: 40, label }),
      }))
      apps.push(app)
    }
  })

  afterAll(async () => {
    for (const app of apps) await app.close()
    await pair?.end()
  })

  it('apply each due change request once, follow each event once, and lose no recorded event', async () => {
    const [one, other] = apps as [FailoverApp, FailoverApp]
    await one.router.migrate()
    await createHostTables(one.knex)
    const ids = await storeDue(one.storage, due, new Date(Date.now() - 1_000).toISOString())
    await pair.synchronize(true)
    const applied = async () => (await outcomesOf(one.knex, one.knex)).filter(({ state }) => state === 'Applied').length

    const seen: number[] = []
    const follow = async () => {
      for await (const { id } of other.router.events.follow({ after: 0 })) seen.push(id)
    }
    const following = follow()
    const recorded: string[] = []
    const unknown: string[] = []
    let ended = false
    const recording = (async () => {
      for (let count = 0; !ended; count += 1) {
        const createdBy = `recorder-${count}`
        await one.router.events.record({ type: 'feature-updated', createdBy }).then(
          () => recorded.push(createdBy),
          () => unknown.push(createdBy),
        )
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()

    for (const { router } of apps) router.start()
    await until(async () => (await applied()) >= 5)
    await pair.failOver(mode, () => until(() => unknown.length > 0))
    const before = recorded.length
    await until(async () => recorded.length > before && (await applied().catch(() => 0)) === due)
    ended = true
    await recording

    expect(await outcomesOf(one.knex, one.knex)).toEqual(ids.map(appliedOnce))
    const stored: { id: string; body: string }[] = await one.knex('ffcr_events').select('id', 'body').orderBy('id')
    const newest = Number(stored.at(-1)?.id)
    await until(() => seen.at(-1) === newest)
    expect(seen).toEqual(stored.map(({ id }) => Number(id)))
    const names = stored.map(({ body }) => JSON.parse(body).createdBy).filter((name) => name.startsWith('recorder-'))
    expect(recorded.filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    for (const app of apps) {
      const ofDatabase = () => app.lines.filter(([, text]) => /^The database/.test(text))
      await until(() => ofDatabase().length >= 2)
      // On a slow machine a schedule may also be late.
      expect(ofDatabase()).toEqual([
        ['warn', expect.stringMatching(/^The database is unreachable/)],
        ['warn', 'The database is back.'],
      ])
    }
    for (const { router } of apps) await router.close()
    await following
    await expectConsistent(one.storage)
  })
})
