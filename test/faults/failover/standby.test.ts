import { people } from '../../support/app'
import { numberOf, openSource } from '../../support/events/event-source'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { appliedOnce, outcomesOf, storeDue } from '../schedule/scheduled'
import { type FailoverApp, startFailoverApp } from '../support/failover-app'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres'
import { until } from '../support/server'

const { createHostTables, transactionalFlags } = require('../schedule/host-flags.cjs')

const authorized = { Authorization: people.ann.key }

/** @see reliability T65, T67 */
describe('a router on a standby', () => {
  let pair: ReplicatedPostgres
  let primary: FailoverApp
  let standby: FailoverApp
  let due: number
  const handled: number[] = []

  const start = (url: string, schedule: 'here' | 'elsewhere') =>
    startFailoverApp(url, (knex) => ({
      schedule,
      flags: transactionalFlags(knex, { slowMs: 0, label: 'app' }),
      limits: { consumerLeaseMs: 1_000 },
    }))

  const newest = async (app: FailoverApp): Promise<number> => (await app.router.health()).lastEventId

  beforeAll(async () => {
    pair = await startReplicatedPostgres()
    primary = await start(pair.primary.url, 'elsewhere')
    await primary.router.migrate()
    await createHostTables(primary.knex)
    await primary.router.events.record({ type: 'feature-updated', project: 'shop' })
    ;[due = 0] = await storeDue(primary.storage, 1, new Date(Date.now() - 1_000).toISOString())
    await pair.synchronize(false)
    standby = await start(pair.standby.url, 'here')
    standby.router.events.consume({
      name: 'audit',
      from: 'beginning',
      handle: async (events) => void handled.push(...events.map(({ id }) => id)),
    })
    standby.router.start()
  })

  afterAll(async () => {
    await standby?.close()
    await primary?.close()
    await pair?.end()
  })

  it('lets a stream wait whose position it does not have yet', async () => {
    await pair.standby.query('select pg_wal_replay_pause()')
    await primary.router.events.record(Array.from({ length: 50 }, () => ({ type: 'feature-updated' as const })))
    const ahead = await newest(primary)
    const source = await openSource(`http://127.0.0.1:${standby.port}/api/admin/events`, {
      headers: { ...authorized, 'Last-Event-ID': `${ahead}-00000000` },
    })
    expect(await newest(standby)).toBe(ahead - 50)
    await until(() => source.beats.length > 2)
    expect([new Set(source.beats.map(numberOf)), source.messages]).toEqual([new Set([ahead]), []])
    source.leave()
    await pair.standby.query('select pg_wal_replay_resume()')
    await until(async () => (await newest(standby)) === ahead)
  })

  it('neither applies nor consumes, until the standby becomes the primary; each is logged once', async () => {
    expect((await standby.router.health()).recovery).toBe(true)
    const { consumers } = await standby.router.health()
    expect([handled, consumers.items]).toEqual([[], [expect.objectContaining({ state: 'waiting' })]])
    const waits = ['warn', expect.stringMatching(/^The database accepts no writes/)]
    expect(standby.lines).toEqual([waits])

    await primary.close()
    await pair.failOver('fast')
    await until(async () => (await outcomesOf(standby.knex, standby.knex)).some(({ state }) => state === 'Applied'))
    await until(async () => handled.length > 0 && handled.at(-1) === (await newest(standby)))
    expect((await outcomesOf(standby.knex, standby.knex)).find(({ id }) => id === due)).toEqual(appliedOnce(due))
    await expectConsistent(standby.storage)
    // After a promotion, ids continue with a gap.
    expect(handled).toEqual([...new Set(handled)].sort((one, other) => one - other))
    await until(() => standby.lines.length > 1)
    expect(standby.lines).toEqual([waits, ['warn', 'The database is back.']])
  })
})
