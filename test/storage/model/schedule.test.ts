import fc from 'fast-check'
import { ChangeRequestError, type FlagGateway, memoryStorage, type Storage } from '../../../src'
import { addChanges, editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { review } from '../../../src/capabilities/review/review'
import { viewReview } from '../../../src/capabilities/review/view'
import { presetSchedule, withdrawPresetSchedule } from '../../../src/capabilities/schedule/schedule'
import { Scheduler } from '../../../src/capabilities/schedule/scheduler'
import type { NewChange } from '../../../src/domain/change-request'
import type { ReviewView } from '../../../src/generated/index'
import { actors, by, createFixture, enable, eventsOf, noon, production, type Who } from '../../kernel/support/fixture'
import { reusedPostgres, sqlite } from '../../support/databases'
import { runs, seed } from '../../support/random'
import { expectConsistent } from '../../support/verify/expect-consistent'
import {
  authors,
  type Flag,
  flags,
  type Kind,
  type Modelled,
  type ModelOptions,
  presetScheduleMs,
  ScheduleModel,
  type Step,
  scheduleGraceMs,
} from './support/schedule-model'

/** Number of runs over all stores. */
const sequences = runs(5)
const reused = reusedPostgres({ durability: 'normal' })
const stores = [
  { name: 'memory', share: 0.8, open: async () => ({ storage: memoryStorage(), close() {} }) },
  { name: 'SQLite', share: 0.12, open: () => sqlite.open({ durability: 'normal' }) },
  { name: 'Postgres', share: 0.08, open: () => reused.open() },
] as const

afterAll(() => reused.drop())

const [minute, hour] = [60_000, 3_600_000]
const slot = fc.constantFrom<0 | 1>(0, 0, 1)
const who = fc.constantFrom<Who>('ann', 'ben', 'cleo', 'cleo', 'dora', 'dora')
const flag = fc.constantFrom(...flags)
const time = fc.constantFrom(-2 * minute, -minute, 0, 10 * minute, 10 * minute, hour, 3 * hour)
const taken = <Name extends string>(name: Name) => fc.record({ do: fc.constant(name), slot, who })
const own = <Name extends string>(name: Name) => fc.record({ do: fc.constant(name), slot })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      slot,
      flags: fc.subarray([...flags], { minLength: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), slot, flag }) },
  { weight: 14, arbitrary: own('submit' as const) },
  { weight: 2, arbitrary: own('rebase' as const) },
  { weight: 1, arbitrary: own('cancel' as const) },
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      slot,
      who,
      by: fc.constantFrom('nothing', 'nothing', 'digest'),
    }),
  },
  { weight: 1, arbitrary: taken('reject' as const) },
  { weight: 1, arbitrary: taken('withdraw' as const) },
  { weight: 1, arbitrary: taken('apply' as const) },
  { weight: 1, arbitrary: taken('emergency' as const) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('schedule' as const), slot, who, inMs: time }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('preset' as const),
      slot,
      who,
      inMs: fc.oneof(time, fc.constant('approval' as const)),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('freeze' as const),
      inMs: fc.constantFrom(-minute, 0, 10 * minute, hour),
      forMs: fc.constantFrom(2 * minute, 7 * minute, 7 * minute, hour, 3 * hour, null),
      suspends: fc.constantFrom(true, false, false),
      flag: fc.option(flag, { freq: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('thaw' as const), index: fc.nat(1) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, minute, 2 * minute, 5 * minute, 10 * minute, 10 * minute, hour, 2 * hour),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('host' as const),
      flag,
      title: fc.constantFrom('everybody', 'everybody', 'nobody', null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('person' as const),
      who: fc.constantFrom<Who>('cleo', 'dora'),
      exists: fc.boolean(),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({ do: fc.constant('run' as const), gatewayFails: fc.constantFrom(true, false, false, false) }),
  },
) as fc.Arbitrary<Step>

/** The state in which a sequence begins, so that random steps need not reach it first. */
const beginning = fc.record({
  minimum: fc.constantFrom(1, 1, 2),
  approvalsExpireAfterMs: fc.constantFrom(null, 2 * hour),
  length: fc.nat(11),
})
const first: readonly Step[] = [
  { do: 'propose', slot: 0, flags: ['checkout'] },
  { do: 'submit', slot: 0 },
  { do: 'preset', slot: 0, who: 'cleo', inMs: 10 * minute },
  { do: 'propose', slot: 1, flags: ['checkout', 'search'] },
  { do: 'submit', slot: 1 },
  { do: 'approve', slot: 0, who: 'dora', by: 'nothing' },
  { do: 'approve', slot: 1, who: 'dora', by: 'nothing' },
  { do: 'schedule', slot: 1, who: 'dora', inMs: 10 * minute },
  { do: 'freeze', inMs: 10 * minute, forMs: 7 * minute, suspends: false, flag: null },
  { do: 'wait', ms: 16 * minute },
  { do: 'run', gatewayFails: false },
]

/** Real services whose clock, freezes, flags and people are those of the model. */
class Real {
  readonly #model: ScheduleModel
  readonly #fixture: ReturnType<typeof createFixture>
  readonly #scheduler: Scheduler
  readonly #applied: number[] = []
  #gatewayFails = false

  constructor(storage: Storage, model: ScheduleModel, { minimum, approvalsExpireAfterMs }: ModelOptions) {
    this.#model = model
    const known = () =>
      Object.entries(actors).flatMap(([name, { id }]) => (id === null || model.gone.has(name as Who) ? [] : [{ id }]))
    this.#fixture = createFixture({
      storage: () => ({
        ...storage,
        // The clock of the test is not that of the database.
        async health() {
          const { now: _, ...health } = await storage.health()
          return health
        },
      }),
      flags: this.#gateway(),
      users: { find: known, reviewers: known },
      schedule: 'elsewhere',
      emergency: true,
      requiredApprovals: minimum,
      approvalsExpireAfterMs,
      limits: { presetScheduleMs, scheduleGraceMs },
      clock: () => new Date(model.now),
      freezes: () =>
        model.freezes.map(({ name, from, until, suspends, flag: only }) => ({
          name,
          reason: 'Sales',
          from: iso(from),
          ...(until !== null && { until: iso(until) }),
          ...(suspends && { scheduled: 'suspend' as const }),
          ...(only !== null && { when: { features: [only] } }),
        })),
    })
    this.#scheduler = new Scheduler(this.#fixture.services, 1_000)
  }

  #gateway(): FlagGateway {
    return {
      current: async ({ features }) => {
        if (this.#gatewayFails) throw new Error('The flags are unavailable.')
        const stateOf = (name: string) => {
          const title = this.#model.titles.get(name as Flag)
          const strategies =
            title === null ? [] : [{ id: 's1', name: 'default', disabled: false, title: String(title) }]
          return { archived: false, enabled: true, strategies }
        }
        return { features: new Map(features.map((name) => [name, stateOf(name)])), segments: new Map() }
      },
      apply: async (_changes, { changeRequestId }) => {
        this.#applied.push(changeRequestId)
        return [{ type: 'feature-strategy-update', featureName: 'checkout' }]
      },
      outcome: async () => null,
    }
  }

  /** Takes the step; false if it is rejected. */
  async take(step: Step, title: string): Promise<boolean> {
    try {
      await this.#perform(step, title)
      return true
    } catch (error) {
      if (!ChangeRequestError.is(error) || ['UnknownError', 'UnavailableError'].includes(error.name)) throw error
      return false
    }
  }

  async #perform(step: Step, title: string): Promise<unknown> {
    const { services, to } = this.#fixture
    if (step.do === 'run') {
      this.#gatewayFails = step.gatewayFails
      await this.#scheduler.runDue()
      this.#gatewayFails = false
      return
    }
    if (!('slot' in step)) return
    const author = authors[step.slot]
    if (step.do === 'propose') {
      const changes = step.flags.map((name) => titled(name, title))
      return addChanges(services, { ...by(author), ...production, changes })
    }
    const id = this.#model.requests[step.slot]?.id ?? 0
    const reference = { project: 'shop', id }
    switch (step.do) {
      case 'edit': {
        const changeId = (await this.#fixture.stored(id))?.changes[0]?.id
        return editChange(services, { ...by(author), ...reference, changeId, change: titled(step.flag, title) })
      }
      case 'submit':
        return to(author, 'In review', { id })
      case 'rebase':
        return rebase(services, { ...by(author), ...reference }, { named: new Map(), others: 'ours' })
      case 'cancel':
        return to(author, 'Cancelled', { id })
      case 'approve': {
        if (step.by === 'nothing') return to(step.who, 'Approved', { id })
        const { digest } = await review(services, { actor: actors[author], ...reference })
        return to(step.who, 'Approved', { id, digest: digest as string })
      }
      case 'reject':
        return to(step.who, 'Rejected', { id })
      case 'apply':
        return to(step.who, 'Applied', { id })
      case 'emergency':
        return to(step.who, 'Applied', { id, reason: 'Customers cannot pay.' })
      case 'schedule':
        return to(step.who, 'Scheduled', { id, scheduledAt: iso(this.#model.now + step.inMs) })
      case 'withdraw':
        return withdrawPresetSchedule(services, { ...by(step.who), ...reference })
      case 'preset': {
        const scheduledAt = step.inMs === 'approval' ? null : iso(this.#model.now + step.inMs)
        return presetSchedule(services, { ...by(step.who), ...reference, digest: null, scheduledAt })
      }
    }
  }

  /** What users see of a change request. */
  async shown({ id, author }: Modelled) {
    const { services, stored } = this.#fixture
    const found = await stored(id)
    const reply = viewReview(await review(services, { actor: actors[author], project: 'shop', id }), services)
    const { presetSchedule } = JSON.parse(String(reply.body)) as ReviewView
    const { schedule, scheduling } = found ?? {}
    const due = (await this.#fixture.storage.due({ limit: 10 })).find((one) => one.id === id)
    const isHeld = schedule?.status === 'pending' ? scheduling?.held?.by : undefined
    return {
      state: found?.state,
      status: schedule?.status ?? null,
      at: schedule?.scheduledAt ?? null,
      held: isHeld ?? null,
      dueAt: due?.dueAt ?? null,
      preset: presetSchedule?.scheduledAt ?? null,
      withdrawn: presetSchedule?.withdrawn?.cause ?? null,
      reason: schedule?.reason ?? null,
    }
  }

  timesApplied(id: number): number {
    return this.#applied.filter((one) => one === id).length
  }

  /** The types of the events of each change request, without their prefix. */
  async events(): Promise<ReadonlyMap<number, readonly string[]>> {
    const all = new Map<number, string[]>()
    for (const { type, data } of await eventsOf(this.#fixture.storage)) {
      if (!type.startsWith('change-request-')) continue
      const id = data.changeRequestId as number
      all.set(id, [...(all.get(id) ?? []), type.slice('change-request-'.length)])
    }
    return all
  }
}

const iso = (at: number) => new Date(at).toISOString()

function titled(feature: string, title: string): NewChange {
  return { ...enable(feature), action: 'updateStrategy', payload: { id: 's1', title } }
}

const sentences: readonly (readonly [Kind, RegExp])[] = [
  ['late', /^The scheduled time passed before the change request was ready/],
  ['missed', /^missed by/],
  ['frozen', /The freeze "/],
  ['person', /no longer exists/],
  ['conflict', /^conflicts$|cannot be applied to the current flags/],
  ['overwrite', /would overwrite newer edits/],
  ['target', /its target was edited/],
  ['approvals', /approvals? count|approvals? ha(s|ve) expired|of \d approvals/],
]

function kindsIn(reason: string | null): Kind[] {
  return reason === null ? [] : sentences.flatMap(([kind, pattern]) => (pattern.test(reason) ? [kind] : []))
}

/** How often each situation occurred. */
type Tally = Map<string, number>
const count = (tally: Tally, what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)

/** The real change requests are in the states of the modelled ones. */
async function compare(model: ScheduleModel, real: Real, taken: Step, tally: Tally) {
  const concerned = 'slot' in taken ? [model.requests[taken.slot]] : model.requests
  for (const request of concerned) {
    if (request === undefined || !(taken.do === 'run' || taken.do === 'wait' || 'slot' in taken)) continue
    const { reason, ...shown } = await real.shown(request)
    const { schedule, preset, held, state } = request
    const expected = {
      state,
      status: schedule?.status ?? null,
      at: schedule === null ? null : iso(schedule.at),
      held: held?.by ?? null,
      dueAt: request.isPending ? iso(request.dueAt) : null,
      preset: preset === null ? null : preset.time === 'approval' ? 'approval' : iso(preset.time),
      withdrawn: model.presetEnd(request),
    }
    expect([taken, request.id, shown]).toEqual([taken, request.id, expected])
    const kinds = schedule?.kinds ?? []
    const found = kindsIn(reason)
    // A reason has three sentences at most.
    if (kinds.length <= 3)
      expect([taken, reason, [...new Set(kinds)].sort()]).toEqual([taken, reason, [...found].sort()])
    else expect(found.filter((kind) => !kinds.includes(kind))).toEqual([])
    expect(real.timesApplied(request.id)).toBe(request.applied)
    count(tally, `${state} ${schedule?.status ?? ''}${held === null ? '' : ' held'}`.trim())
    for (const kind of kinds) count(tally, `${schedule?.status} ${kind}`)
    if (preset !== null) count(tally, `preset ${model.presetEnd(request) ?? 'pending'}`)
  }
}

describe('preset schedules, freezes and approvals that expire', () => {
  it.each(stores)(`are what their rules say on $name, for any steps (SEED=${seed})`, async ({ share, open, name }) => {
    const tally: Tally = new Map()
    let run = 0
    const property = fc.asyncProperty(
      beginning,
      fc.array(step, { minLength: 20, maxLength: 60 }),
      async ({ length, ...options }, sequence) => {
        run += 1
        const { storage, close } = await open()
        try {
          const model = new ScheduleModel(options, Date.parse(noon))
          const real = new Real(storage, model, options)
          for (const one of [...first.slice(0, length), ...sequence]) {
            // An author proposes again only after the previous change request was closed.
            if (one.do === 'propose' && model.requests[one.slot]?.isClosed === false) continue
            // First the real one, which reads the model as it is before the step.
            const isChange = !('slot' in one) && one.do !== 'run'
            const accepted = isChange || (await real.take(one, model.nextTitle))
            expect([one, accepted]).toEqual([one, model.take(one)])
            if (!accepted) count(tally, `${one.do} rejected`)
            await compare(model, real, one, tally)
          }
          const events = await real.events()
          for (const request of [...model.past, ...model.requests]) {
            if (request !== undefined)
              expect([request.id, events.get(request.id)]).toEqual([request.id, request.events])
          }
          await expectConsistent(storage)
        } finally {
          await close()
        }
      },
    )
    await fc.assert(property, { numRuns: Math.ceil(sequences * share), seed, verbose: 0 })
    if (process.env.MODEL_TALLY) console.log(name, run, [...tally].sort().map(String).join('  '))
    if (run >= 400) expect(situations.filter((one) => !tally.has(one))).toEqual([])
  })
})

/** What many sequences must reach: otherwise the property proves less than it seems to. */
const situations = [
  'Applied',
  'Scheduled pending',
  'Scheduled pending held',
  'Scheduled failed',
  'Scheduled suspended',
  'suspended late',
  'suspended missed',
  'suspended frozen',
  'suspended person',
  'suspended conflict',
  'suspended overwrite',
  'suspended target',
  'suspended approvals',
  'failed conflict',
  'preset pending',
  'preset user',
  'preset edit',
  'preset rebase',
  'preset closed',
  'preset expired',
  'preset person-gone',
  'preset rejected',
  'approve rejected',
  'schedule rejected',
  'apply rejected',
]
