import { apiKeys, type ChangeRequestRouterOptions, createChangeRequestRouter } from '../../../src'
import { storeDue } from '../../faults/schedule/scheduled'
import { until } from '../../faults/support/server'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { expectConsistent } from '../../support/verify/expect-consistent'

const count = 40

describe.each(databases)('a freeze that begins while two processes apply what is due, on $name', (database) => {
  let open: OpenDatabase
  let other: OpenDatabase

  beforeEach(async () => {
    open = await database.open()
    other = openAgain(open.place)
  })
  afterEach(async () => {
    await other.close()
    await open.close()
  })

  /** The clock of the process is this far ahead. */
  const process = (storage: ChangeRequestRouterOptions['storage'], aheadMs: number, from: number, to: number) => {
    const time = (at: number) => new Date(at).toISOString()
    return createChangeRequestRouter({
      storage,
      authenticate: apiKeys([]),
      recordOnly: true,
      schedule: 'elsewhere',
      freezes: [{ name: 'Sale', reason: 'Sales', from: time(from), until: time(to) }],
      clock: () => new Date(Date.now() + aheadMs),
      limits: longTimeoutLimits,
      logger: false,
    })
  }

  it('holds each, or has applied it: none twice, and all after the freeze', async () => {
    const ids = await storeDue(open.storage, count, new Date(Date.now() - 1_000).toISOString())
    const now = Date.now()
    const [from, to] = [now + 50, now + 5_000]
    // For the one that is 4 s ahead, the freeze has begun.
    const [behind, ahead] = [process(open.storage, 0, from, to), process(other.storage, 4_000, from, to)]
    const counts = await Promise.all([behind.runDue(), ahead.runDue()])
    expect(counts.every(({ failed, suspended }) => failed + suspended === 0)).toBe(true)
    await until(async () => {
      await Promise.all([behind.runDue(), ahead.runDue()])
      return (await open.storage.due({ limit: 1 })).length === 0
    })
    const found = await Promise.all(ids.map((id) => open.storage.find({}, id)))
    expect(found.map((one) => one?.changeRequest.state)).toEqual(ids.map(() => 'Applied'))
    const filter = { types: ['change-request-applied'] } as const
    expect((await open.storage.eventPage(filter, { after: 0 }, 1_000)).count).toBe(count)
    await expectConsistent(open.storage)
  })
})
