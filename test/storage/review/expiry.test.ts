import { applyScheduled } from '../../../src/capabilities/schedule/apply-scheduled'
import { FreezeRound } from '../../../src/capabilities/schedule/freeze-round'
import { presetSchedule } from '../../../src/capabilities/schedule/schedule'
import { isOpen } from '../../../src/domain/lifecycle'
import { ChangeRequestError } from '../../../src/errors'
import { memoryStorage } from '../../../src/storage/memory'
import { by, createFixture, enable, type Fixture, noon } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'

const afterMs = 3_600_000
/** Ben approves at noon. At this time his approval expires, or a freeze begins. */
const limit = Date.parse(noon) + afterMs
/** More often than a step reads the clock. */
const maxReadings = 40

/** The last step around the limit: the change request enters its last state before it, or stays what it was. */
const races: readonly {
  readonly step: string
  readonly approvals: number
  /** What the freeze does with schedules; without one, the approval expires. */
  readonly freeze?: 'hold' | 'suspend'
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
    prepare: scheduleBefore,
    take: runDue,
    before: 'Scheduled suspended',
    after: 'Applied pending',
  },
  {
    step: 'a scheduled apply before a freeze',
    approvals: 1,
    freeze: 'hold',
    prepare: scheduleBefore,
    take: runDue,
    before: 'Scheduled pending',
    after: 'Applied pending',
  },
  {
    step: 'the last vote with a preset schedule before a freeze',
    approvals: 2,
    freeze: 'suspend',
    prepare: ({ services }, id) =>
      presetSchedule(services, { ...by('dora'), project: 'shop', id, digest: null, scheduledAt: null }),
    take: (fixture, id) => fixture.to('cleo', 'Approved', { id }),
    before: 'Scheduled suspended',
    after: 'Scheduled pending',
  },
]

function scheduleBefore({ to }: Fixture, id: number) {
  return to('cleo', 'Scheduled', { id, scheduledAt: new Date(limit - maxReadings).toISOString() })
}

function runDue({ services }: Fixture, id: number) {
  return applyScheduled(services, { project: 'shop', id }, new FreezeRound(services))
}

const sale = { name: 'Sale', reason: 'Sales', from: new Date(limit).toISOString() }

describe('an approval that expires, or a freeze that begins, between check and commit', () => {
  it.each(races)('decides on $step by the time that is stored with it', async (race) => {
    const storage = memoryStorage()
    let at = Date.parse(noon)
    let perReading = 0
    const fixture = createFixture({
      storage: () => storage,
      flags: new HostFlags(),
      schedule: 'elsewhere',
      requiredApprovals: race.approvals,
      approvalsExpireAfterMs: race.freeze === undefined ? afterMs : null,
      freezes: race.freeze ? [{ ...sale, scheduled: race.freeze }] : [],
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
      // The limit has passed when the clock is read for this time.
      at = limit - 1 - readings
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
      const isInTime = entered !== undefined && Date.parse(entered) < limit
      expect([readings, state]).toEqual([readings, isInTime ? race.after : race.before])
      // An author has one open change request.
      if (stored !== undefined && isOpen(stored.state)) await fixture.to('ann', 'Cancelled', { id })
    }
    expect([...seen].sort()).toEqual([race.before, race.after].sort())
  })
})
