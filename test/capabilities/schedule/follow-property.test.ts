import fc from 'fast-check'
import type { Storage } from '../../../src'
import { dismissObjection, object } from '../../../src/capabilities/objections/objections'
import type { NewChange } from '../../../src/domain/change-request'
import { accepted, by, noon, production } from '../../kernel/support/fixture'
import { LiveFlags, rollOut, turn } from '../../kernel/support/following'
import { createScheduledFixture } from '../../kernel/support/schedules'
import { random } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import { FollowModel, type Setting, type When } from './support/follow-model'

const flagNames = ['checkout', 'search']
const fields = flagNames.flatMap((flag) => [`${flag} enabled`, `${flag} rollout`])
const maxRequests = 5
const step = 30
const timeOf = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString()

const setting: fc.Arbitrary<Setting> = fc.oneof(
  fc.record({ flag: fc.constantFrom(...flagNames), field: fc.constant('enabled' as const), value: fc.boolean() }),
  fc.record({
    flag: fc.constantFrom(...flagNames),
    field: fc.constant('rollout' as const),
    value: fc.constantFrom(10, 20, 50),
  }),
)
const settings = fc.uniqueArray(setting, {
  minLength: 1,
  maxLength: 3,
  selector: ({ flag, field }) => `${flag} ${field}`,
})
const when = fc.record({
  steps: fc.integer({ min: 1, max: 12 }),
  /** Which one it follows, mostly of those that it can follow. */
  after: fc.option(fc.nat(maxRequests - 1), { freq: 5 }),
  isPossible: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
  hasMinutes: fc.boolean(),
})
const which = fc.nat(maxRequests - 1)
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('plan' as const), settings, when }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('wait' as const), steps: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('plan again' as const), which, when }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('change' as const), setting }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('apply' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reject' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('object' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('refuse' as const), flag: fc.constantFrom(...flagNames) }) },
)
type Action = typeof action extends fc.Arbitrary<infer Type> ? Type : never
type WhenOf = typeof when extends fc.Arbitrary<infer Type> ? Type : never

const changeOf = ({ flag, field, value }: Setting): NewChange =>
  field === 'enabled' ? turn(value as boolean, flag) : rollOut(value as number, flag)

/** Change requests of different flags run in any order. The model needs one. */
const oneByOne = (memory: Storage): Storage => ({
  ...memory,
  due: async ({ after, ...page }) => (after === undefined ? memory.due({ ...page, limit: 1 }) : []),
})

class Run {
  readonly #live = new LiveFlags()
  readonly #fixture: ReturnType<typeof createScheduledFixture>
  readonly #model: FollowModel
  readonly #ids: number[] = []

  constructor(freeze: readonly [from: number, until: number]) {
    const [from, until] = freeze.map(timeOf) as [string, string]
    const freezes = [{ name: 'Sale', reason: 'Sales', from, until }]
    const limits = { scheduleGraceMs: 30 * 24 * 60 * 60_000 }
    this.#fixture = createScheduledFixture({ flags: this.#live, objections: true, freezes, limits, storage: oneByOne })
    this.#model = new FollowModel(freeze)
  }

  async take(one: Action): Promise<void> {
    await this.#do(one)
    const due = async () => (await this.#fixture.memory.due({ before: timeOf(this.#model.now), limit: 1 })).length
    do await this.#fixture.scheduler.runDue()
    while ((await due()) > 0)
    this.#model.settle()
    expect(await this.#found()).toEqual(this.#expected())
    expect(this.#model.violations).toEqual([])
  }

  async end(): Promise<void> {
    // The last of a row runs some minutes after the one before it.
    for (let row = 0; row <= maxRequests; row += 1) await this.take({ does: 'wait', steps: 100 })
    await expectConsistent(this.#fixture.memory)
  }

  async #do(one: Action): Promise<void> {
    const fixture = this.#fixture
    if (one.does === 'plan') return this.#plan(one.settings, one.when)
    if (one.does === 'wait') {
      this.#model.now += one.steps * step
      fixture.host.now = Date.parse(timeOf(this.#model.now))
      return
    }
    if (one.does === 'change') {
      this.#model.set(one.setting, 0)
      for (const event of this.#live.set(changeOf(one.setting))) await fixture.record({ ...production, ...event })
      return
    }
    if (one.does === 'refuse') {
      this.#model.refused = one.flag
      this.#live.refuses = one.flag
      return
    }
    const id = this.#ids[one.which]
    if (id === undefined || ['Applied', 'Rejected'].includes(this.#model.requests.get(id)?.status ?? '')) return
    if (one.does === 'plan again') return this.#schedule(id, one.when)
    if (one.does === 'apply') {
      const isApplied = await accepted(fixture.to('cleo', 'Applied', { id }))
      expect([id, isApplied]).toEqual([id, this.#model.apply(id)])
      return
    }
    if (one.does === 'reject') {
      await fixture.to('dora', 'Rejected', { id })
      return this.#model.reject(id)
    }
    const call = { project: 'shop', id }
    await object(fixture.services, { ...by('cleo'), ...call, text: 'Wait.', digest: null })
    const objectionId = (await fixture.stored(id))?.objections?.at(-1)?.id
    await dismissObjection(fixture.services, { ...by('dora'), ...call, objectionId, reason: 'It was a mistake.' })
    this.#model.suspend(id)
  }

  async #plan(wanted: readonly Setting[], at: WhenOf): Promise<void> {
    if (this.#ids.length === maxRequests) return
    const { id } = (await this.#fixture.approved(wanted.map(changeOf))).changeRequest
    this.#model.propose(id, wanted)
    this.#ids.push(id)
    await this.#schedule(id, at)
    // What could not be scheduled would stay open, and its author can have only one open change request.
    if ((await this.#fixture.stored(id))?.state === 'Approved') await this.#fixture.to('ann', 'Cancelled', { id })
  }

  async #schedule(id: number, { steps, after: other, isPossible, hasMinutes }: WhenOf): Promise<void> {
    const among = isPossible ? this.#model.possibleFor(id) : this.#ids
    const after = other === null || among.length === 0 ? null : (among[other % among.length] as number)
    const minutes = after !== null && hasMinutes ? steps * step : null
    const start = after !== null && isPossible ? (this.#model.requests.get(after)?.time ?? 0) : 0
    const time = minutes === null ? Math.max(this.#model.now, start) + steps * step : null
    const given: When = { time, after, minutes }
    const more = {
      ...(time !== null && { scheduledAt: timeOf(time) }),
      ...(after !== null && { after }),
      ...(minutes !== null && { minutesAfter: minutes }),
    }
    const isScheduled = await accepted(this.#fixture.to('cleo', 'Scheduled', { id, ...more }))
    expect([id, given, isScheduled]).toEqual([id, given, this.#model.schedule(id, given)])
  }

  async #found() {
    const requests = await Promise.all(
      this.#ids.map(async (id) => {
        const { state, schedule } = (await this.#fixture.stored(id)) ?? {}
        if (schedule == null) return [id, state === 'Cancelled' ? 'Rejected' : state]
        return [id, schedule.status, schedule.status === 'pending' ? schedule.scheduledAt : null]
      }),
    )
    const { enabled, rollout } = {
      enabled: (flag: string) => this.#live.of(flag).enabled,
      rollout: (flag: string) => this.#live.of(flag).rollout,
    }
    return { requests, values: flagNames.flatMap((flag) => [enabled(flag), rollout(flag)]) }
  }

  #expected() {
    const requests = this.#ids.map((id) => {
      const { status, time } = this.#model.requests.get(id) as { status: string; time: number }
      if (status === 'Applied' || status === 'Rejected') return [id, status]
      return [id, status, status === 'pending' ? timeOf(time) : null]
    })
    return { requests, values: fields.map((key) => this.#model.value(key)) }
  }
}

/** @see contract 25.3 */
describe('schedules that follow each other', () => {
  it('run as an independent model of the rules says, and overwrite nothing but what their predecessor changed', async () => {
    const freeze = fc.record({ from: fc.integer({ min: 1, max: 20 }), steps: fc.nat(6) })
    const sequence = fc.tuple(freeze, fc.array(action, { minLength: 5, maxLength: 25, size: 'max' }))
    await fc.assert(
      fc.asyncProperty(sequence, async ([{ from, steps }, actions]) => {
        const run = new Run([from * step, (from + steps) * step])
        for (const one of actions) await run.take(one)
        await run.end()
      }),
      random(50),
    )
  }, 600_000)
})
