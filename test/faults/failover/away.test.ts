import { nightly } from '../../support/nightly'
import { appliedOnce, outcomesOf, storeDue } from '../schedule/scheduled'
import { type FailoverApp, startFailoverApp } from '../support/failover-app'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres'
import { until } from '../support/server'

const { createHostTables, transactionalFlags } = require('../schedule/host-flags.cjs')

/** Longer than the longest pause of each loop. */
const awayMs = 300_000
const count = 20

/** @see reliability T70 */
nightly('a process whose Postgres is away', () => {
  let postgres: OwnPostgres
  let app: FailoverApp

  beforeAll(async () => {
    postgres = await startOwnPostgres()
  })

  afterEach(() => app.close())
  afterAll(() => postgres?.end())

  const start = () =>
    startFailoverApp(postgres.url, (knex) => ({
      schedule: 'here',
      flags: transactionalFlags(knex, { slowMs: 0, label: 'one' }),
    }))

  function startWorkers(): number[] {
    const seen: number[] = []
    app.router.start()
    app.router.events.consume({ name: 'index', handle: (events) => void seen.push(...events.map(({ id }) => id)) })
    return seen
  }

  const newest = async () => (await app.storage.eventHead({})).lastId

  async function expectWork(ids: readonly number[], seen: readonly number[]): Promise<void> {
    await until(async () => (await outcomesOf(app.knex, app.knex)).every(({ state }) => state === 'Applied'))
    const last = await newest()
    await until(() => seen.at(-1) === last)
    expect((await outcomesOf(app.knex, app.knex)).slice(-ids.length)).toEqual(ids.map(appliedOnce))
    expect(app.lines).toEqual([
      ['warn', expect.stringMatching(/^The database is unreachable/)],
      ['warn', 'The database is back.'],
    ])
  }

  it('before it starts begins to work when it is back', async () => {
    app = await start()
    await app.router.migrate()
    await createHostTables(app.knex)
    const past = new Date(Date.now() - 1_000).toISOString()
    const ids = await storeDue(app.storage, count, past)
    await app.close()

    await postgres.stop('fast')
    app = await start()
    const seen = startWorkers()
    await new Promise((resolve) => setTimeout(resolve, awayMs))
    await postgres.start()
    await expectWork(ids, seen)
  })

  it('while it works goes on when it is back', async () => {
    app = await start()
    const seen = startWorkers()
    await app.router.events.record({ type: 'feature-created', createdBy: 'ann' })
    const last = await newest()
    await until(() => seen.at(-1) === last)
    await postgres.stop('immediate')
    await new Promise((resolve) => setTimeout(resolve, awayMs))
    await postgres.start()
    const ids = await storeDue(app.storage, count, new Date(Date.now() - 1_000).toISOString())
    await expectWork(ids, seen)
  })
})
