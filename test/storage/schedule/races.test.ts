import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { ChangeRequestError, type Freeze, type Storage } from '../../../src'
import { editChange } from '../../../src/capabilities/proposals/changes'
import { review } from '../../../src/capabilities/review/review'
import { applyScheduled } from '../../../src/capabilities/schedule/apply-scheduled'
import { FreezeRound } from '../../../src/capabilities/schedule/freeze-round'
import { presetSchedule, withdrawPresetSchedule } from '../../../src/capabilities/schedule/schedule'
import { Scheduler } from '../../../src/capabilities/schedule/scheduler'
import type { ChangeRequest } from '../../../src/domain/change-request'
import { endOf } from '../../../src/domain/schedule/preset'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { seeded, until } from '../../faults/support/server'
import { actors, by, createFixture, enable, noon, type Who } from '../../kernel/support/fixture'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'
import { runs, seed } from '../../support/random'
import { inProcess } from '../model/support/callers'
import { eventsAfter, Flags, openRouter } from '../model/support/hosts'

const rounds = runs(4)
const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const iso = (at: number) => new Date(at).toISOString()
/** More often than a step reads the clock. */
const maxReadings = 40
const expireAfterMs = 2 * hour

/** Two processes on one database, and the flags of their host. */
class Processes {
  readonly random = seeded(seed)
  readonly flags = new Flags()
  now = Date.parse(noon)
  freezes: readonly Freeze[] = []
  readonly one: Process
  readonly other: Process
  readonly #storage: Storage
  readonly #isRemote: boolean
  #lastEvent = 0
  #environments = 0

  constructor(first: Storage, second: Storage, isRemote: boolean) {
    this.#storage = first
    this.#isRemote = isRemote
    this.one = new Process(this, first)
    this.other = new Process(this, second)
  }

  /** Ann's change request in review, in an environment of its own. */
  async inReview(minimum = 1): Promise<number> {
    this.now += minute
    this.#environments += 1
    const { services, propose, to } = this.one.withMinimum(minimum)
    const { changeRequest } = await propose('ann', [enable()], { environment: `env-${this.#environments}` })
    expect(services.options.requiredApprovals).toBe(minimum)
    await to('ann', 'In review', { id: changeRequest.id })
    return changeRequest.id
  }

  async stored(id: number): Promise<ChangeRequest> {
    return ((await this.#storage.find({}, id)) as StoredChangeRequest).changeRequest
  }

  /** A random time in which the works of a race can take some of their steps. */
  async delay(): Promise<void> {
    for (let turns = Math.floor(this.random() * 12); turns > 0; turns -= 1) await nextTurn()
    if (this.#isRemote && this.random() < 0.7) await pause(this.random() * 12)
  }

  /** Starts the works in any order, some iterations of the event loop apart. */
  async race<Results extends readonly unknown[]>(
    ...works: { readonly [index in keyof Results]: () => Promise<Results[index]> }
  ): Promise<{ -readonly [index in keyof Results]: PromiseSettledResult<Results[index]> }> {
    const delayed = works.map(async (work) => {
      await this.delay()
      return work()
    })
    return (await Promise.allSettled(delayed)) as { [index in keyof Results]: PromiseSettledResult<Results[index]> }
  }

  /** Both processes apply what is due at the time, until nothing is. */
  async runAt(at: number): Promise<void> {
    this.now = Math.max(this.now, at)
    await until(async () => {
      await Promise.all([this.one.scheduler.runDue(), this.other.scheduler.runDue()])
      return (await this.#storage.dueTimes(iso(this.now))).due === 0
    })
  }

  /** What holds after every race. Returns the events of the change request. */
  async check(id: number, minimum = 1) {
    const current = await this.stored(id)
    const events = (await eventsAfter(this.#storage, this.#lastEvent)).filter(
      ({ data }) => data?.changeRequestId === id,
    )
    this.#lastEvent = (await this.#storage.eventHead({})).lastId
    const all = events as unknown as readonly LoggedEvent[]
    const applied = all.filter(({ type }) => type === 'change-request-applied')
    const times = current.state === 'Applied' ? 1 : 0
    expect([id, applied.length, this.flags.times(id)]).toEqual([id, times, times])
    const states = all.flatMap(({ type }) => stateAfter[type] ?? [])
    const { state, schedule } = current
    expect([id, states.at(-1)]).toEqual([id, state === 'Scheduled' ? `${state} ${schedule?.status}` : state])
    for (const event of applied) this.#requireApprovals(all, event, minimum)
    if (state === 'Scheduled' && schedule?.status === 'suspended') expect(schedule.reason).toBeTruthy()
    return { current, events: all, types: all.map(({ type }) => type) }
  }

  /** Enough users approved what was applied, and their approvals had not expired. */
  #requireApprovals(events: readonly LoggedEvent[], applied: LoggedEvent, minimum: number): void {
    const edited = events.findLastIndex(({ type }) => type === 'change-edited')
    const at = Date.parse(applied.createdAt)
    const counted = events
      .slice(edited + 1, events.indexOf(applied))
      .filter(({ type }) => type === 'change-request-approval-added')
      .filter(({ createdAt }) => at < Date.parse(createdAt) + expireAfterMs)
    expect(new Set(counted.map(({ createdByUserId }) => createdByUserId)).size).toBeGreaterThanOrEqual(minimum)
    expect(new Set(counted.map(({ data }) => data.digest)).size).toBe(1)
  }
}

/** A process: its own connections, queues and clock. */
class Process {
  readonly #all: Processes
  readonly #fixture: ReturnType<typeof createFixture>
  readonly scheduler: Scheduler
  /** How far its clock is ahead of that of the other process. */
  aheadMs = 0
  /** How far its clock advances with each reading. */
  perReadingMs = 0
  #readMs = 0
  /** What its steps read from the storage. */
  readonly found: (StoredChangeRequest | undefined)[] = []
  readonly #minima = new Map<number, ReturnType<typeof createFixture>>()
  readonly #storage: Storage

  constructor(all: Processes, storage: Storage) {
    this.#all = all
    this.#storage = {
      ...storage,
      // The clock of the test is not that of the database.
      async health() {
        const { now: _, ...health } = await storage.health()
        return health
      },
      find: async (...given) => {
        const found = await storage.find(...given)
        this.found.push(found)
        return found
      },
    }
    this.#fixture = this.withMinimum(1)
    this.scheduler = new Scheduler(this.#fixture.services, 1_000)
  }

  withMinimum(requiredApprovals: number) {
    const known = this.#minima.get(requiredApprovals)
    if (known !== undefined) return known
    const fixture = createFixture({
      storage: () => this.#storage,
      flags: this.#all.flags,
      schedule: 'elsewhere',
      requiredApprovals,
      approvalsExpireAfterMs: expireAfterMs,
      freezes: () => this.#all.freezes,
      clock: () => {
        this.#readMs += this.perReadingMs
        return new Date(this.#all.now + this.aheadMs + this.#readMs)
      },
    })
    this.#minima.set(requiredApprovals, fixture)
    return fixture
  }

  /** From now on the clock advances with each reading; `stop` ends that. */
  tick(): void {
    this.perReadingMs = 1
  }

  stop(): void {
    this.perReadingMs = 0
    this.#readMs = 0
  }

  get services() {
    return this.#fixture.services
  }

  get to() {
    return this.#fixture.to
  }

  preset(who: Who, id: number, scheduledAt: string | null) {
    return presetSchedule(this.services, { ...by(who), project: 'shop', id, digest: null, scheduledAt })
  }

  withdraw(who: Who, id: number) {
    return withdrawPresetSchedule(this.services, { ...by(who), project: 'shop', id })
  }

  async digest(id: number): Promise<string> {
    return (await review(this.services, { actor: actors.ben, project: 'shop', id })).digest as string
  }

  async edit(id: number) {
    const { changes } = await this.#all.stored(id)
    const changeId = changes[0]?.id
    return editChange(this.services, { ...by('ann'), project: 'shop', id, changeId, change: enable('search') })
  }

  run(id: number) {
    return applyScheduled(this.services, { project: 'shop', id }, new FreezeRound(this.services))
  }
}

interface LoggedEvent {
  readonly type: string
  readonly createdAt: string
  readonly createdByUserId: number
  readonly data: { readonly digest?: string; readonly scheduledDate?: string; readonly presetAt?: string }
}

const stateAfter: Readonly<Record<string, string>> = {
  'change-request-created': 'Draft',
  'change-request-sent-to-review': 'In review',
  'change-edited': 'In review',
  'change-request-approved': 'Approved',
  'change-request-scheduled': 'Scheduled pending',
  'change-request-schedule-suspended': 'Scheduled suspended',
  'change-request-applied': 'Applied',
}

/** The code of a rejection; undefined if the work succeeded. */
function codeOf(result: PromiseSettledResult<unknown>): string | undefined {
  if (result.status === 'fulfilled') return undefined
  if (!ChangeRequestError.is(result.reason)) throw result.reason
  return result.reason.details[0]?.code ?? result.reason.name
}

/** How often each outcome occurred. Many rounds must reach all that are required. */
class Outcomes {
  readonly #counts = new Map<string, number>()

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
  }

  expectAll(required: readonly string[], rare: readonly string[] = []): void {
    const seen = [...this.#counts.keys()]
    expect(seen.filter((outcome) => ![...required, ...rare].includes(outcome))).toEqual([])
    if (rounds >= 300) expect(required.filter((outcome) => !seen.includes(outcome))).toEqual([])
    if (process.env.RACE_TALLY) console.log(expect.getState().currentTestName, [...this.#counts].map(String).join('  '))
  }
}

describe.each(databases)('a race of two processes on $name', ({ open, name }) => {
  let opened: readonly OpenDatabase[]
  let both: Processes
  let outcomes: Outcomes

  beforeEach(async () => {
    const first = await open({ durability: 'normal' })
    opened = [openAgain(first.place), first]
    both = new Processes(first.storage, (opened[0] as OpenDatabase).storage, name === 'Postgres')
    outcomes = new Outcomes()
  })
  afterEach(async () => {
    for (const database of opened) await database.close()
  })

  const eachRound = async (work: (round: number) => Promise<void>) => {
    for (let round = 0; round < rounds; round += 1) await work(round)
  }
  /** In an hour, or at the moment of the approval. */
  const timeOf = (round: number) => (round % 2 === 0 ? iso(both.now + hour) : null)

  /** Everything is settled: the change request is applied once, at its time. */
  async function expectApplied(id: number, at = both.now + hour) {
    await both.runAt(at)
    const { current, events } = await both.check(id)
    expect([id, current.state]).toEqual([id, 'Applied'])
    return events
  }

  it('between the last vote and PUT scheduling puts into effect only what the voter could read', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview()
      const time = timeOf(round)
      one.found.length = 0
      const [vote, put] = await both.race(
        () => one.to('ben', 'Approved', { id }),
        () => other.preset('cleo', id, time),
      )
      expect(codeOf(put)).toBe(undefined)
      const arrived = one.found[0]?.changeRequest.presetSchedule
      const rejected = codeOf(vote)
      if (rejected !== undefined) {
        expect(rejected).toBe('outdated-revision')
        const waiting = await both.stored(id)
        expect([waiting.state, waiting.approvals, waiting.presetSchedule]).toMatchObject([
          'In review',
          [],
          { scheduledAt: time, by: { person: { id: 3 } } },
        ])
        await one.to('ben', 'Approved', { id })
      }
      expect((await both.stored(id)).state).toBe('Scheduled')
      const scheduled = (await expectApplied(id)).filter(({ type }) => type === 'change-request-scheduled')
      // Set before the approval arrived, or after the approval was stored.
      const isPreset = rejected !== undefined || arrived !== undefined
      expect(scheduled.map(({ createdByUserId }) => createdByUserId)).toEqual([3])
      expect(scheduled[0]?.data.presetAt !== undefined).toBe(isPreset)
      outcomes.add(rejected ?? (isPreset ? 'set first' : 'voted first'))
    }).then(() => outcomes.expectAll(['outdated-revision', 'set first', 'voted first'])))

  it('between the last vote and another time by the same user in the same millisecond counts no vote for the other time', () =>
    eachRound(async () => {
      const { one, other } = both
      const id = await both.inReview()
      const [before, after] = [iso(both.now + hour), iso(both.now + 30 * minute)]
      await other.preset('cleo', id, before)
      one.found.length = 0
      const [vote, put] = await both.race(
        () => one.to('ben', 'Approved', { id }),
        () => other.preset('cleo', id, after),
      )
      const arrived = one.found[0]?.changeRequest.presetSchedule?.scheduledAt
      const { state, schedule, presetSchedule } = await both.stored(id)
      if (codeOf(vote) === undefined) expect([state, schedule?.scheduledAt]).toEqual(['Scheduled', arrived])
      else {
        expect([state, presetSchedule?.scheduledAt, codeOf(put)]).toEqual(['In review', after, undefined])
        await one.to('ben', 'Approved', { id })
      }
      outcomes.add([codeOf(vote) ?? 'voted', codeOf(put) ?? 'set'].join(' '))
      await expectApplied(id)
    }).then(() => outcomes.expectAll(['outdated-revision set', 'voted set', 'voted wrong-state'])))

  it('between the last vote and a withdrawal never schedules what was withdrawn', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview()
      await other.preset('cleo', id, timeOf(round))
      both.now += second
      one.found.length = 0
      const [vote, withdrawal] = await both.race(
        () => one.to('ben', 'Approved', { id }),
        () => other.withdraw('cleo', id),
      )
      const { state, presetSchedule } = await both.stored(id)
      if (codeOf(withdrawal) === undefined) {
        expect(presetSchedule?.withdrawn).toMatchObject({ cause: 'user', by: { id: 3 } })
        // An approval that arrived before the withdrawal was also for the schedule.
        const isSeen = one.found[0]?.changeRequest.presetSchedule?.withdrawn !== undefined
        expect([state, isSeen]).toEqual(codeOf(vote) === undefined ? ['Approved', true] : ['In review', false])
      } else expect([codeOf(withdrawal), codeOf(vote), state]).toEqual(['wrong-state', undefined, 'Scheduled'])
      outcomes.add([codeOf(vote) ?? 'voted', codeOf(withdrawal) ?? 'withdrawn'].join(' '))
      await both.runAt(both.now + hour)
      await both.check(id)
    }).then(() => outcomes.expectAll(['outdated-revision withdrawn', 'voted withdrawn', 'voted wrong-state'])))

  it('between PUT scheduling and an approval by digest alone never schedules by that approval', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview()
      const digest = await one.digest(id)
      if (round % 5 === 4) {
        // Set after the review was read, before the approval arrives.
        await other.preset('cleo', id, timeOf(round))
        const [late] = await both.race(() => one.to('ben', 'Approved', { id, digest }))
        expect(codeOf(late)).toBe('outdated-revision')
      }
      const [vote, put] = await both.race(
        () => one.to('ben', 'Approved', { id, digest }),
        () => other.preset('cleo', id, timeOf(round)),
      )
      expect(codeOf(put)).toBe(undefined)
      outcomes.add(codeOf(vote) ?? 'voted first')
      if (codeOf(vote) !== undefined) {
        expect((await both.stored(id)).state).toBe('In review')
        await one.to('ben', 'Approved', { id })
      } else {
        const { state, scheduling } = await both.stored(id)
        expect([state, scheduling?.by.person.id]).toEqual(['Scheduled', 3])
      }
      const events = await expectApplied(id)
      const scheduled = events.find(({ type }) => type === 'change-request-scheduled')
      expect(scheduled?.data.presetAt === undefined).toBe(codeOf(vote) === undefined)
    }).then(() => outcomes.expectAll(['outdated-revision', 'voted first'])))

  it('between the last vote and an edit schedules what was voted for, or returns to review without the schedule', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview()
      await other.preset('cleo', id, timeOf(round))
      one.found.length = 0
      const [vote, edit] = await both.race(
        () => one.to('ben', 'Approved', { id }),
        () => other.edit(id),
      )
      const { state, approvals, changes, presetSchedule } = await both.stored(id)
      if (codeOf(vote) === undefined) {
        // The edit came first only if the vote arrived after it: then nothing is scheduled.
        const isEdited = codeOf(edit) === undefined
        expect([state, approvals.length]).toEqual([isEdited ? 'Approved' : 'Scheduled', 1])
        const arrived = one.found[0]?.changeRequest.changes[0]
        expect([arrived?.id, arrived?.feature]).toEqual([changes[0]?.id, isEdited ? 'search' : 'checkout'])
        if (!isEdited) expect(codeOf(edit)).toBe('wrong-state')
        outcomes.add(isEdited ? 'voted after the edit' : 'voted first')
      } else {
        expect([codeOf(vote), codeOf(edit), state, approvals]).toEqual([
          'outdated-revision',
          undefined,
          'In review',
          [],
        ])
        outcomes.add('edited first')
      }
      if (codeOf(edit) === undefined) expect(presetSchedule?.withdrawn).toMatchObject({ cause: 'edit', by: { id: 1 } })
      await both.runAt(both.now + hour)
      const checked = await both.check(id)
      expect(checked.current.state).toBe(state === 'Scheduled' ? 'Applied' : state)
    }).then(() => outcomes.expectAll(['voted first', 'voted after the edit'], ['edited first'])))

  it('between two last votes schedules once', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const minimum = 1 + (round % 2)
      const id = await both.inReview(minimum)
      if (minimum === 2) await one.to('cleo', 'Approved', { id })
      await other.preset('cleo', id, round % 4 < 2 ? iso(both.now + hour) : null)
      const votes = await both.race(
        () => one.to('ben', 'Approved', { id }),
        () => other.to('dora', 'Approved', { id }),
      )
      expect(votes.map(codeOf).sort()).toEqual(['wrong-state', undefined])
      expect((await both.stored(id)).approvals).toHaveLength(minimum)
      await both.runAt(both.now + hour)
      const { current, types } = await both.check(id, minimum)
      expect(current.state).toBe('Applied')
      expect(types.filter((type) => type === 'change-request-scheduled')).toHaveLength(1)
      expect(types.filter((type) => type === 'change-request-approval-added')).toHaveLength(minimum)
    }))

  it('between a scheduled apply and the start of a freeze applies it before the start, or not', () =>
    eachRound(async (round) => {
      const { one } = both
      const id = await both.inReview()
      await one.preset('cleo', id, null)
      await one.to('ben', 'Approved', { id })
      const scheduled = round % 3 === 0 ? 'suspend' : 'hold'
      const from = both.now + maxReadings
      both.freezes = [{ name: 'Sale', reason: 'Sales', from: iso(from), until: iso(from + hour), scheduled }]
      // The freeze begins when the clock is read for this time.
      both.now = from - 1 - (round % 12)
      one.tick()
      const result = await one.run(id)
      one.stop()
      outcomes.add(result)
      const { state, stateTimestamps, scheduling } = await both.stored(id)
      if (result === 'applied') expect(Date.parse(stateTimestamps.Applied ?? '')).toBeLessThan(from)
      else expect([state, result]).toEqual(['Scheduled', scheduled === 'hold' ? 'held' : 'suspended'])
      if (result === 'held') expect(scheduling?.held).toEqual({ by: 'Sale', until: iso(from + hour) })
      await both.runAt(from + hour)
      const { current } = await both.check(id)
      expect(current.state).toBe(result === 'suspended' ? 'Scheduled' : 'Applied')
      both.freezes = []
    }).then(() => outcomes.expectAll(['applied', 'held', 'suspended'])))

  it('between the last vote and the start of a freeze suspends by the time that is stored', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview()
      await other.preset('cleo', id, null)
      const from = both.now + maxReadings
      both.freezes = [
        { name: 'Audit', reason: 'Audit', from: iso(from), until: iso(from + hour), scheduled: 'suspend' },
      ]
      both.now = from - 1 - (round % 12)
      one.tick()
      await one.to('ben', 'Approved', { id })
      one.stop()
      const { schedule } = await both.stored(id)
      outcomes.add(String(schedule?.status))
      expect(schedule?.status).toBe(Date.parse(schedule?.scheduledAt ?? '') < from ? 'pending' : 'suspended')
      await both.runAt(from - 1)
      const { current } = await both.check(id)
      expect(current.state).toBe(schedule?.status === 'pending' ? 'Applied' : 'Scheduled')
      both.freezes = []
    }).then(() => outcomes.expectAll(['pending', 'suspended'])))

  it('between the last vote and the expiry of another schedules only while both count', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview(2)
      await one.to('ben', 'Approved', { id })
      const expiry = both.now + expireAfterMs
      await other.preset('dora', id, null)
      both.now = expiry - 1 - (round % 12)
      one.tick()
      await one.to('cleo', 'Approved', { id })
      one.stop()
      const { state, schedule, presetSchedule } = await both.stored(id)
      outcomes.add(state)
      if (state === 'Scheduled') expect(Date.parse(schedule?.scheduledAt ?? '')).toBeLessThan(expiry)
      else {
        expect([state, presetSchedule && endOf(presetSchedule, iso(both.now))]).toEqual(['In review', null])
        both.now = expiry
        await one.to('ben', 'Approved', { id })
        await both.runAt(both.now)
        expect((await both.stored(id)).state).toBe('Applied')
      }
      await both.runAt(round % 2 === 0 ? expiry : expiry - 1)
      const { current } = await both.check(id, 2)
      if (current.state === 'Scheduled') expect(current.schedule?.reason).toContain('expired')
    }).then(() => outcomes.expectAll(['Scheduled', 'In review'])))

  it('between a manual apply and the end of its hold applies it once', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview()
      await one.preset('cleo', id, null)
      const until = both.now + 10 * minute
      both.freezes = [{ name: 'Sale', reason: 'Sales', from: iso(both.now), until: iso(until) }]
      await one.to('ben', 'Approved', { id })
      await both.runAt(both.now)
      expect((await both.stored(id)).scheduling?.held?.by).toBe('Sale')
      const [early] = await both.race(() => one.to('dora', 'Applied', { id }))
      expect(codeOf(early)).toBe('frozen')
      both.now = until
      // For this one the freeze may still be in force.
      other.aheadMs = round % 3 === 0 ? -second : 0
      const [manual] = await both.race(
        () => one.to('dora', 'Applied', { id }),
        () => other.scheduler.runDue(),
        () => (round % 2 === 0 ? one.scheduler.runDue() : Promise.resolve()),
      )
      other.aheadMs = 0
      outcomes.add(codeOf(manual) ?? 'by hand')
      await both.runAt(until)
      expect((await both.check(id)).current.state).toBe('Applied')
      both.freezes = []
    }).then(() => outcomes.expectAll(['by hand', 'wrong-state'], ['being-applied'])))

  it('whose clocks differ by 4 s at the start of a freeze applies each once', () =>
    eachRound(async (round) => {
      const { one, other } = both
      const id = await both.inReview()
      await one.preset('cleo', id, null)
      await one.to('ben', 'Approved', { id })
      // For both, the freeze has begun; for neither; or only for the one whose clock is preset.
      const from = both.now + ([0, 5, 2, 2][round % 4] as number) * second
      both.freezes = [{ name: 'Sale', reason: 'Sales', from: iso(from), until: iso(from + hour) }]
      other.aheadMs = 4 * second
      const results = await both.race(
        () => one.run(id),
        () => other.run(id),
        () => (round % 2 === 0 ? other.run(id) : one.run(id)),
      )
      for (const result of results) if (result.status === 'rejected') throw result.reason
      other.aheadMs = 0
      const { state, scheduling } = await both.stored(id)
      outcomes.add(scheduling?.held === undefined ? state : 'held')
      if (from <= both.now) expect(scheduling?.held?.by).toBe('Sale')
      else expect(state).toBe('Applied')
      await both.runAt(from + hour)
      expect((await both.check(id)).current.state).toBe('Applied')
      both.freezes = []
    }).then(() => outcomes.expectAll(['Applied', 'held'])))

  it('between close() and the run after the last vote leaves it scheduled, or applies it, once', () =>
    eachRound(async (round) => {
      const id = await both.inReview()
      await both.other.preset('cleo', id, null)
      const health = async () => {
        const { now: _, ...found } = await both.one.services.storage.health()
        return found
      }
      const clock = () => new Date(both.now)
      const storage = { ...both.one.services.storage, health }
      const options = { schedule: 'here', flags: both.flags, clock, approvalsExpireAfterMs: expireAfterMs } as const
      const router = openRouter(storage, { ...options, limits: { schedulePollMs: 3_600_000 } })
      router.start()
      const send = inProcess(router)
      const [answer] = await both.race(
        () =>
          send('ben', 'PUT', `/api/admin/projects/shop/change-requests/${id}/state`, { body: { state: 'Approved' } }),
        async () => {
          for (let delays = round % 4; delays > 0; delays -= 1) await both.delay()
          await router.close()
        },
      )
      if (answer.status === 'rejected') throw answer.reason
      expect([round, answer.value.status]).toEqual([round, 200])
      const { state, schedule } = await both.stored(id)
      outcomes.add(state)
      if (state === 'Scheduled') expect(schedule?.status).toBe('pending')
      await expectApplied(id)
    }).then(() => outcomes.expectAll(['Scheduled', 'Applied'])))
})
