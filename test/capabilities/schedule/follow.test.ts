import type { Storage } from '../../../src'
import { object } from '../../../src/capabilities/objections/objections'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { revert } from '../../../src/capabilities/revert/routes'
import { presetSchedule } from '../../../src/capabilities/schedule/schedule'
import type { NewChange, Scheduling } from '../../../src/domain/change-request'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { by, noon, production, rejection } from '../../kernel/support/fixture'
import { LiveFlags, rollOut, turn } from '../../kernel/support/following'
import { createScheduledFixture } from '../../kernel/support/schedules'
import { reviewOf } from '../support/checks'

const hour = 3_600_000
/** The time this number of hours after noon. */
const at = (hours: number) => new Date(Date.parse(noon) + hours * hour).toISOString()
const follows = (id: number, how: string) => `It follows change request #${id}, which ${how}.`

function created(options: Parameters<typeof createScheduledFixture>[0] = {}) {
  const live = new LiveFlags()
  const fixture = createScheduledFixture({ flags: live, objections: true, ...options })
  const { services } = fixture
  return {
    ...fixture,
    live,
    async approvedOf(changes: readonly NewChange[]): Promise<number> {
      return (await fixture.approved(changes)).changeRequest.id
    },
    /** Schedules a new change request, which follows another one. */
    async plan(changes: readonly NewChange[], when: object): Promise<number> {
      const id = await this.approvedOf(changes)
      await fixture.to('cleo', 'Scheduled', { id, ...when })
      return id
    },
    /** The host changes a flag itself. */
    async direct(change: NewChange) {
      for (const event of live.set(change)) await fixture.record({ ...production, ...event })
    },
    scheduleOf: async (id: number) => (await fixture.stored(id))?.schedule,
    schedulingOf: async (id: number) => (await fixture.stored(id))?.scheduling,
    rebase: (id: number) =>
      rebase(services, { ...by('ann'), project: 'shop', id }, { named: new Map(), others: null } as never),
    object: (id: number) => object(services, { ...by('ben'), project: 'shop', id, text: 'Wait.', digest: null }),
  }
}

/** On in an hour, and off in nine hours. */
async function onAndOff(when: object = { scheduledAt: at(9) }, options = {}) {
  const fixture = created(options)
  const on = await fixture.plan([turn(true)], { scheduledAt: at(1) })
  const off = await fixture.plan([turn(false)], { after: on, ...when })
  return { ...fixture, on, off }
}

/** @see contract 25.3 */
describe('a schedule that follows another one', () => {
  it('is applied after it, although that changed the same field', async () => {
    const fixture = await onAndOff()
    const { live, on, off, runAt } = fixture
    expect(await fixture.schedulingOf(off)).toMatchObject({ follows: on })
    await runAt(at(1))
    expect([live.of('checkout').enabled, await fixture.status(on), await fixture.status(off)]).toEqual([
      true,
      'Applied',
      ['pending', null],
    ])
    await runAt(at(9))
    expect([live.of('checkout').enabled, await fixture.status(off)]).toEqual([false, 'Applied'])
  })

  it('waits while it is pending, even when it is due', async () => {
    const { live, on, off, ...fixture } = await onAndOff()
    live.current = () => Promise.reject(new Error('ECONNREFUSED'))
    expect(await fixture.runAt(at(9))).toEqual({ applied: 0, failed: 0, suspended: 0, left: 2 })
    expect([await fixture.status(on), await fixture.status(off)]).toEqual([
      ['pending', null],
      ['pending', null],
    ])
  })

  it('is not compared with the flags while it waits, and is afterwards', async () => {
    const fixture = created()
    const on = await fixture.plan([turn(true)], { scheduledAt: at(1) })
    const next = await fixture.plan([turn(false), rollOut(100)], { after: on, scheduledAt: at(9) })
    await fixture.direct(rollOut(7))
    await fixture.look()
    expect(await fixture.status(next)).toEqual(['pending', null])
    await fixture.runAt(at(1))
    await fixture.look()
    expect([await fixture.status(on), await fixture.status(next)]).toEqual([
      'Applied',
      ['suspended', expect.stringContaining('The changes would overwrite newer edits')],
    ])
    expect(fixture.live.of('checkout')).toEqual({ enabled: true, rollout: 7 })
  })

  it.each([
    ['before it is known', true],
    ['later', false],
  ])('is suspended by a change of its target after that, %s', async (_, isEarly) => {
    const fixture = await onAndOff()
    const { on, off } = fixture
    await fixture.to('cleo', 'Applied', { id: on })
    if (!isEarly) await fixture.look()
    await fixture.direct(turn(false))
    await fixture.direct(turn(true))
    await fixture.runAt(at(9))
    const why = isEarly
      ? `Switching checkout off: its target was changed after change request #${on} was applied.`
      : 'The changes would overwrite newer edits (the state of checkout was off, is on now, and would become off). Rebase the change request.'
    expect(await fixture.status(off)).toEqual(['suspended', why])
  })

  it.each([
    ['by hand', {}],
    ['in an emergency', { reason: 'The shop is down.' }],
  ])('goes on once that was applied %s', async (_, how) => {
    const fixture = await onAndOff(undefined, { emergency: true })
    await fixture.to(how === undefined ? 'cleo' : 'dora', 'Applied', { id: fixture.on, ...how })
    await fixture.look()
    expect(await fixture.schedulingOf(fixture.off)).toMatchObject({ follows: fixture.on, predecessorAppliedAt: noon })
    await fixture.runAt(at(9))
    expect(await fixture.status(fixture.off)).toBe('Applied')
  })

  it('overwrites nothing that its predecessor set, also when it is applied by hand or scheduled again', async () => {
    const fixture = await onAndOff()
    const { on, off } = fixture
    await fixture.to('cleo', 'Applied', { id: on })
    await fixture.to('dora', 'Scheduled', { id: off, scheduledAt: at(10) })
    expect(await fixture.schedulingOf(off)).toMatchObject({ follows: on, predecessorAppliedAt: noon })
    expect((await reviewOf(fixture, off)).changes[0]?.fields).toMatchObject([{ path: '/enabled', overwrites: false }])
    await fixture.to('dora', 'Applied', { id: off })
    expect(fixture.live.of('checkout').enabled).toBe(false)
  })

  it('overwrites nothing either once old events were removed from the log', async () => {
    let isRemoved = false
    const storage = (memory: Storage): Storage => ({
      ...memory,
      eventPage: (filter, cursor, limit, grouped) =>
        memory.eventPage(isRemoved ? { ...filter, from: '2026-03-05' } : filter, cursor, limit, grouped),
    })
    const { off, ...fixture } = await onAndOff({ minutesAfter: 60 * 24 * 40 }, { storage })
    await fixture.runAt(at(1))
    isRemoved = true
    await fixture.runAt(at(24 * 40 + 1))
    expect(await fixture.status(off)).toBe('Applied')
  })

  const ends: readonly [how: string, (fixture: Awaited<ReturnType<typeof onAndOff>>) => Promise<unknown>][] = [
    [
      'failed',
      async (fixture) => {
        fixture.live.refuses = 'checkout'
        await fixture.runAt(at(1))
      },
    ],
    ['was suspended', (fixture) => fixture.object(fixture.on)],
    ['was rejected', (fixture) => fixture.to('ben', 'Rejected', { id: fixture.on })],
    ['went back to review', (fixture) => fixture.rebase(fixture.on)],
    [
      'is now scheduled for a later time',
      (fixture) => fixture.to('cleo', 'Scheduled', { id: fixture.on, scheduledAt: at(10) }),
    ],
  ]
  describe.each(ends)('whose predecessor %s', (how, happens) => {
    it('is suspended by the watcher, by the run without it, and until a user schedules it again', async () => {
      for (const isWatched of [true, false]) {
        const fixture = await onAndOff()
        if (isWatched) await fixture.look()
        await happens(fixture)
        if (isWatched) await fixture.look()
        else await fixture.runAt(at(9))
        expect(await fixture.status(fixture.off)).toEqual(['suspended', follows(fixture.on, how)])
      }
    })
  })

  it('stays suspended when the objection to its predecessor is lifted', async () => {
    const fixture = await onAndOff()
    await fixture.object(fixture.on)
    await fixture.look()
    await fixture.to('ben', 'Approved', { id: fixture.on, ifMatch: '*' } as never).catch(() => {})
    expect(await fixture.status(fixture.off)).toEqual(['suspended', follows(fixture.on, 'was suspended')])
  })

  it('is late from the apply of its predecessor on', async () => {
    const { on, off, ...fixture } = await onAndOff({ scheduledAt: at(1.5) }, { limits: { scheduleGraceMs: hour } })
    fixture.host.now = Date.parse(at(2))
    await fixture.to('cleo', 'Applied', { id: on })
    // More than the grace period after its own time.
    await fixture.runAt(at(2.8))
    expect(await fixture.status(off)).toBe('Applied')
    const late = await onAndOff({ scheduledAt: at(1.5) }, { limits: { scheduleGraceMs: hour } })
    await late.to('cleo', 'Applied', { id: late.on })
    await late.runAt(at(2.8))
    expect(await late.status(late.off)).toEqual(['suspended', 'missed by 1 hour'])
  })

  it('is held with its predecessor, and counted as held', async () => {
    const freezes = [{ name: 'Sale', reason: 'Sales', from: at(0.5), until: at(4) }]
    const fixture = created({ freezes })
    const plan = async (changes: readonly NewChange[], when: object) => {
      fixture.host.now = Date.parse(noon)
      return fixture.plan(changes, when)
    }
    const on = await plan([turn(true)], { scheduledAt: at(0.2) })
    const off = await plan([turn(false)], { scheduledAt: at(4.5), after: on })
    expect(await fixture.status(off)).toEqual(['pending', null])
    await fixture.to('cleo', 'Scheduled', { id: off, minutesAfter: 30, after: on })
    fixture.host.now = Date.parse(at(0.6))
    await fixture.scheduler.runDue()
    fixture.host.now = Date.parse(at(0.8))
    await fixture.scheduler.runDue()
    expect([(await fixture.schedulingOf(on))?.held, (await fixture.schedulingOf(off))?.held]).toEqual([
      { by: 'Sale', until: at(4) },
      { by: 'Sale', until: at(4) },
    ])
    expect((await fixture.services.storage.dueTimes(at(0.8))).held).toBe(2)
    await fixture.runAt(at(4))
    expect([await fixture.status(on), (await fixture.scheduleOf(off))?.scheduledAt]).toEqual(['Applied', at(4.5)])
    expect((await fixture.schedulingOf(off))?.held).toBe(undefined)
    await fixture.runAt(at(4.5))
    expect(await fixture.status(off)).toBe('Applied')
  })

  it('suspends its predecessor when it is applied first by hand', async () => {
    const fixture = created()
    const on = await fixture.plan([rollOut(80)], { scheduledAt: at(1) })
    const off = await fixture.plan([rollOut(20)], { after: on, scheduledAt: at(9) })
    await fixture.look()
    await fixture.to('cleo', 'Applied', { id: off })
    await fixture.look()
    expect(await fixture.status(on)).toEqual(['suspended', expect.stringContaining('its target was edited')])
  })

  it('is shown on both sides, with the flags as they will be', async () => {
    const fixture = await onAndOff()
    const { on, off } = fixture
    const review = await reviewOf(fixture, off)
    const title = `Change request #${on}`
    expect(review.follows).toEqual({ id: on, title, scheduledAt: at(1), status: 'pending', minutesAfter: null })
    expect(review.followedBy).toBe(undefined)
    expect(review.changes).toMatchObject([{ before: { enabled: true }, after: { enabled: false }, foreseen: true }])
    const other = await reviewOf(fixture, on)
    expect(other.followedBy).toMatchObject([{ id: off, scheduledAt: at(9), status: 'pending' }])
    expect([other.follows, 'foreseen' in (other.changes[0] ?? {})]).toEqual([undefined, false])
    await fixture.to('cleo', 'Applied', { id: on })
    const later = await reviewOf(fixture, off)
    expect(later.follows).toMatchObject({ scheduledAt: noon, status: 'applied' })
  })

  it('is no longer one once it is scheduled again without it, or rebased', async () => {
    const fixture = await onAndOff()
    await fixture.to('cleo', 'Scheduled', { id: fixture.off, scheduledAt: at(9) })
    expect((await fixture.schedulingOf(fixture.off))?.follows).toBe(undefined)
    const other = await onAndOff()
    await other.rebase(other.off)
    expect(await other.schedulingOf(other.off)).toBe(undefined)
  })
})

describe('minutes after', () => {
  it('move with the predecessor, without an event, and become a time once that is applied', async () => {
    const fixture = await onAndOff({ minutesAfter: 480 })
    const { on, off } = fixture
    expect((await fixture.scheduleOf(off))?.scheduledAt).toBe(at(9))
    const before = { types: await fixture.eventTypes(), found: await fixture.services.storage.find({}, off) }
    await fixture.to('dora', 'Scheduled', { id: on, scheduledAt: at(3) })
    expect((await fixture.scheduleOf(off))?.scheduledAt).toBe(at(11))
    expect((await fixture.services.storage.find({}, off))?.version).toBe((before.found?.version ?? 0) + 1)
    expect(await fixture.eventTypes()).toEqual([...before.types, 'change-request-scheduled'])
    await fixture.runAt(at(3))
    const scheduled = (await fixture.events()).filter((one) => one.data?.changeRequestId === off).at(-1)
    expect(scheduled).toMatchObject({
      type: 'change-request-scheduled',
      createdByUserId: 3,
      data: { scheduledDate: at(11) },
    })
    expect((await fixture.schedulingOf(off))?.minutesAfter).toBe(undefined)
    await fixture.runAt(at(11))
    expect(await fixture.status(off)).toBe('Applied')
  })

  it('of a row move with the first of them', async () => {
    const fixture = await onAndOff({ minutesAfter: 60 })
    const last = await fixture.plan([turn(true)], { after: fixture.off, minutesAfter: 60 })
    await fixture.to('cleo', 'Scheduled', { id: fixture.on, scheduledAt: at(5) })
    expect((await fixture.scheduleOf(last))?.scheduledAt).toBe(at(7))
  })

  it('of two that were scheduled concurrently to follow each other are suspended', async () => {
    const fixture = await onAndOff({ minutesAfter: 60 })
    const { on, off } = fixture
    const { storage, writer } = fixture.services
    // As another process has decided before it knew the other one.
    const found = (await storage.find({}, on)) as StoredChangeRequest
    const scheduling = { ...(found.changeRequest.scheduling as Scheduling), follows: off, minutesAfter: 60 }
    await writer.commit(found, { changeRequest: { ...found.changeRequest, scheduling }, events: [] })
    await fixture.scheduler.runDue()
    const reasons = [await fixture.status(on), await fixture.status(off)].flat()
    expect(reasons.filter((one) => one === 'suspended')).toEqual(['suspended', 'suspended'])
    expect(reasons.join()).toContain('which itself follows this one')
  })

  it('count from the apply, also by hand', async () => {
    const fixture = await onAndOff({ minutesAfter: 60 })
    await fixture.to('cleo', 'Applied', { id: fixture.on })
    await fixture.look()
    expect((await fixture.scheduleOf(fixture.off))?.scheduledAt).toBe(at(1))
  })
})

describe('a preset schedule that follows another one', () => {
  const shop = { project: 'shop', digest: null }
  const preset = async (fixture: ReturnType<typeof created>, changes: readonly NewChange[], when: object) => {
    const { id } = (await fixture.reviewed(changes)).changeRequest
    await presetSchedule(fixture.services, { ...by('cleo'), ...shop, id, scheduledAt: null, ...when })
    return id
  }

  it.each([
    ['waits for it', false],
    ['goes on if that was applied before the last approval', true],
  ])('%s', async (_, isApplied) => {
    const fixture = created()
    const on = await fixture.plan([turn(true)], { scheduledAt: at(1) })
    const off = await preset(fixture, [turn(false)], { after: on, minutesAfter: 480 })
    expect((await reviewOf(fixture, off)).presetSchedule).toMatchObject({
      after: on,
      minutesAfter: 480,
      scheduledAt: at(9),
    })
    if (isApplied) await fixture.runAt(at(2))
    await fixture.to('ben', 'Approved', { id: off })
    expect(await fixture.status(off)).toEqual(['pending', null])
    expect((await fixture.scheduleOf(off))?.scheduledAt).toBe(isApplied ? at(10) : at(9))
    if (!isApplied) await fixture.runAt(at(1))
    await fixture.runAt(at(isApplied ? 10 : 9))
    expect(await fixture.status(off)).toBe('Applied')
  })

  it('is suspended if that ended otherwise, or if its target was changed since', async () => {
    const fixture = created()
    const on = await fixture.plan([turn(true)], { scheduledAt: at(1) })
    const off = await preset(fixture, [turn(false)], { after: on, scheduledAt: at(9) })
    await fixture.to('ben', 'Rejected', { id: on })
    await fixture.to('ben', 'Approved', { id: off })
    expect(await fixture.status(off)).toEqual([
      'suspended',
      expect.stringContaining(`Change request #${on} is Rejected`),
    ])
    const again = await fixture.plan([turn(true, 'search')], { scheduledAt: at(1) })
    const next = await preset(fixture, [turn(false, 'search')], { after: again, scheduledAt: at(9) })
    await fixture.to('cleo', 'Applied', { id: again })
    await fixture.direct(turn(false, 'search'))
    await fixture.to('ben', 'Approved', { id: next })
    expect(await fixture.status(next)).toEqual(['suspended', expect.stringContaining('was changed after')])
  })
})

/** @see contract 17 */
describe('a revert of what is scheduled', () => {
  const shop = { project: 'shop', ifMatch: undefined }

  it('restores the current values, follows it, and counts once that is applied', async () => {
    const fixture = created()
    const on = await fixture.plan([turn(true), rollOut(80)], { scheduledAt: at(1) })
    const { changeRequest } = await revert(fixture.services, { ...by('ann'), ...shop, id: on }, false)
    expect(changeRequest).toMatchObject({ state: 'Draft', reverts: on })
    expect(changeRequest.changes.map(({ payload }) => payload)).toMatchObject([
      { parameters: { rollout: '50' } },
      { enabled: false },
    ])
    await fixture.to('ann', 'In review', { id: changeRequest.id })
    await fixture.to('ben', 'Approved', { id: changeRequest.id })
    await fixture.to('cleo', 'Scheduled', { id: changeRequest.id, after: on, minutesAfter: 60 })
    expect((await reviewOf(fixture, on)).revertedBy).toBe(null)
    await fixture.runAt(at(1))
    expect((await reviewOf(fixture, on)).revertedBy).toBe(changeRequest.id)
    await fixture.runAt(at(2))
    expect(fixture.live.of('checkout')).toEqual({ enabled: false, rollout: 50 })
  })

  it('cannot restore what only the apply will know', async () => {
    const fixture = created()
    const added = { name: 'default', parameters: {}, constraints: [], segments: [] }
    const id = await fixture.plan([{ action: 'addStrategy', feature: 'checkout', payload: added }], {
      scheduledAt: at(1),
    })
    const error = await rejection(revert(fixture.services, { ...by('ann'), ...shop, id }, false))
    expect(error.details).toMatchObject([{ code: 'irreversible' }])
  })
})
