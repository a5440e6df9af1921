import { applyScheduled } from '../../../src/capabilities/schedule/apply-scheduled'
import { FreezeRound } from '../../../src/capabilities/schedule/freeze-round'
import { isOpen } from '../../../src/domain/lifecycle'
import { ChangeRequestError } from '../../../src/errors'
import { memoryStorage } from '../../../src/storage/memory'
import { createFixture, enable, type Fixture, noon } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const afterMs = 3_600_000
/** Ben approves at noon. */
const expiry = Date.parse(noon) + afterMs
/** More often than a step reads the clock. */
const maxReadings = 40

/** The last step while Ben's approval expires: it stays what it was, or becomes the next state. */
const races: readonly {
  readonly step: string
  readonly approvals: number
  prepare?(fixture: Fixture, id: number): Promise<unknown>
  take(fixture: Fixture, id: number): Promise<unknown>
  readonly before: string
  readonly after: string
}[] = [
  {
    step: 'an apply',
    approvals: 1,
    take: (fixture, id) => fixture.to('cleo', 'Applied', { id }),
    before: 'Approved pending',
    after: 'Applied pending',
  },
  {
    step: 'the last vote',
    approvals: 2,
    take: (fixture, id) => fixture.to('cleo', 'Approved', { id }),
    before: 'In review pending',
    after: 'Approved pending',
  },
  {
    step: 'a scheduled apply',
    approvals: 1,
    prepare: (fixture, id) =>
      fixture.to('cleo', 'Scheduled', { id, scheduledAt: new Date(expiry - maxReadings).toISOString() }),
    take: ({ services }, id) => applyScheduled(services, { project: 'shop', id }, new FreezeRound(services)),
    before: 'Scheduled suspended',
    after: 'Applied pending',
  },
]

describe('an approval that expires between check and commit', () => {
  it.each(races)('counts for $step only if it counts at the time that is stored with it', async (race) => {
    const storage = memoryStorage()
    let at = Date.parse(noon)
    let perReading = 0
    const fixture = createFixture({
      storage: () => storage,
      flags: new HostFlags(),
      schedule: 'elsewhere',
      requiredApprovals: race.approvals,
      approvalsExpireAfterMs: afterMs,
      clock() {
        at += perReading
        return new Date(at)
      },
    })
    const seen = new Set<string>()
    for (let readings = 0; readings <= maxReadings; readings += 1) {
      at = Date.parse(noon)
      const { id } = (await fixture.reviewed([enable(`flag-${readings}`)])).changeRequest
      await fixture.to('ben', 'Approved', { id })
      await race.prepare?.(fixture, id)
      // The approval has expired when the clock is read for this time.
      at = expiry - 1 - readings
      perReading = 1
      await race.take(fixture, id).catch((error: unknown) => {
        if (!ChangeRequestError.is(error) || error.details[0]?.code !== 'missing-approvals') throw error
      })
      perReading = 0
      const stored = await fixture.stored(id)
      const state = `${stored?.state} ${stored?.schedule?.status ?? 'pending'}`
      seen.add(state)
      const [next = ''] = race.after.split(' ')
      const entered = stored?.stateTimestamps[next as 'Applied']
      if (entered !== undefined) expect([readings, Date.parse(entered) < expiry]).toEqual([readings, true])
      // An author has one open change request.
      if (stored !== undefined && isOpen(stored.state)) await fixture.to('ann', 'Cancelled', { id })
    }
    expect([...seen].sort()).toEqual([race.before, race.after].sort())
  })
})
