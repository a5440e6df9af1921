import type { Freeze } from '../../../src'
import { routerHealth } from '../../../src/capabilities/schedule/schedule-health'
import type { NewChange } from '../../../src/domain/change-request'
import { enable, type FixtureOptions, inAnHour } from '../../kernel/support/fixture'
import { createScheduledFixture } from '../../kernel/support/schedules'

const [at14, at15, at16] = ['2026-03-04T14:00:00.000Z', '2026-03-04T15:00:00.000Z', '2026-03-04T16:00:00.000Z'] as const
const sale: Freeze = { name: 'Sale', reason: 'Sales', from: '2026-03-04T12:30:00Z', until: at15 }
const none = { applied: 0, failed: 0, suspended: 0, left: 0 }

/** The freezes of the host app are known only after the scheduling: it is rejected during a freeze. */
function createFrozen(options: FixtureOptions = {}) {
  const calendar: { freezes: readonly Freeze[] } = { freezes: [] }
  const asked: object[] = []
  const freezes = (place: object) => {
    asked.push(place)
    return calendar.freezes
  }
  const fixture = createScheduledFixture({ freezes, ...options })
  const held = async (id = 1) => (await fixture.stored(id))?.scheduling?.held
  const dueTimes = async () =>
    (await fixture.storage.due({ limit: 100 })).map(({ id, dueAt }) => [id, dueAt.slice(11, 16)])
  const scheduled = async (changes: readonly NewChange[], time = inAnHour) =>
    (await fixture.scheduled(changes, time)).version
  return { ...fixture, schedule: scheduled, calendar, asked, held, dueTimes }
}

describe('a schedule that becomes due in a freeze', () => {
  it('is held without an event and at the same version, and applied at the end of the freeze', async () => {
    const fixture = createFrozen()
    const version = await fixture.schedule([enable()])
    fixture.calendar.freezes = [sale]
    expect(await fixture.runAt(inAnHour)).toEqual(none)
    expect(await fixture.held()).toEqual({ by: 'Sale', until: at15 })
    expect(await fixture.status()).toEqual(['pending', null])
    expect((await fixture.stored())?.schedule?.scheduledAt).toBe(inAnHour)
    expect((await fixture.storage.find({}, 1))?.version).toBe(version)
    expect(await fixture.loggedTypes()).toEqual([])
    expect(await fixture.runAt('2026-03-04T14:59:59.999Z')).toEqual(none)
    expect(await fixture.runAt(at15)).toEqual({ ...none, applied: 1 })
    expect(await fixture.status()).toBe('Applied')
    expect((await fixture.stored())?.scheduling).toBe(undefined)
  })

  it('is checked again at the next full five minutes, or at the end if that is earlier', async () => {
    const fixture = createFrozen()
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [{ ...sale, until: '2026-03-04T13:07:30Z' }]
    await fixture.runAt('2026-03-04T13:01:10.000Z')
    expect(await fixture.dueTimes()).toEqual([[1, '13:05']])
    await fixture.runAt('2026-03-04T13:05:00.000Z')
    expect(await fixture.dueTimes()).toEqual([[1, '13:07']])
  })

  it('is applied at the next check when the host app removes the freeze', async () => {
    const fixture = createFrozen()
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [{ name: 'Incident 12', reason: 'Down', from: sale.from }]
    await fixture.runAt(inAnHour)
    expect(await fixture.held()).toEqual({ by: 'Incident 12', until: null })
    fixture.calendar.freezes = []
    expect(await fixture.runAt('2026-03-04T13:04:59.000Z')).toEqual(none)
    expect(await fixture.runAt('2026-03-04T13:05:00.000Z')).toEqual({ ...none, applied: 1 })
  })

  it('is suspended by a freeze with `suspend`, even if others hold it', async () => {
    const fixture = createFrozen()
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [sale, { ...sale, name: 'Audit', until: at14, scheduled: 'suspend' }]
    expect(await fixture.runAt(inAnHour)).toEqual({ ...none, suspended: 1 })
    expect(await fixture.status()).toEqual([
      'suspended',
      'The freeze "Audit" in production was in force when it was due (Sales).',
    ])
    expect(await fixture.loggedTypes()).toEqual(['change-request-schedule-suspended'])
  })

  it('is suspended in the run that ends the hold, if something is missing then', async () => {
    const fixture = createFrozen({ approvalsExpireAfterMs: 2 * 3_600_000 })
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [sale]
    await fixture.runAt(inAnHour)
    expect(await fixture.runAt(at15)).toEqual({ ...none, suspended: 1 })
    expect((await fixture.status())?.[1]).toContain('1 approval has expired.')
  })

  it('is held by a freeze that starts between the check and the commit', async () => {
    const fixture = createFrozen()
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [{ ...sale, from: '2026-03-04T13:00:01Z' }]
    const { current } = fixture.flags
    fixture.flags.current = async (subjects) => {
      fixture.host.now = Date.parse('2026-03-04T13:00:01Z')
      return current.call(fixture.flags, subjects)
    }
    expect(await fixture.runAt(inAnHour)).toEqual(none)
    expect(await fixture.held()).toEqual({ by: 'Sale', until: at15 })
    expect(fixture.flags.applied).toEqual([])
  })
})

describe('the freezes in a run', () => {
  it('are read once for each place, and only one statement moves what they still hold', async () => {
    const moved: (readonly number[])[] = []
    const fixture = createFrozen({
      storage: (memory) => ({
        ...memory,
        hold(write) {
          if ('ids' in write) moved.push(write.ids)
          return memory.hold(write)
        },
      }),
    })
    for (let n = 1; n <= 101; n += 1) await fixture.schedule([enable(`flag-${n}`)])
    fixture.calendar.freezes = [sale]
    await fixture.runAt(inAnHour)
    expect(moved).toEqual([])
    fixture.asked.length = 0
    await fixture.runAt('2026-03-04T13:05:00.000Z')
    expect(fixture.asked).toEqual([{ project: 'shop', environment: 'production' }])
    expect(moved.map((ids) => ids.length)).toEqual([101])
    expect((await routerHealth(fixture.services, null)).schedule).toMatchObject({
      due: 0,
      held: 101,
      overdueSince: null,
    })
  })

  it('leave the schedule pending while they cannot be read', async () => {
    let isDown = false
    const freezes = () => {
      if (isDown) throw new Error('down')
      return []
    }
    const fixture = createScheduledFixture({ freezes })
    await fixture.scheduled()
    isDown = true
    expect(await fixture.runAt(inAnHour)).toEqual({ ...none, left: 1 })
    expect(fixture.lines.map(({ level, facts }) => [level, facts.id])).toEqual([['warn', 1]])
    isDown = false
    expect(await fixture.runAt(inAnHour)).toEqual({ ...none, applied: 1 })
  })
})

describe('the order after a hold', () => {
  const search: Freeze = { ...sale, when: { features: ['search'] } }

  it('is that of the schedules, for each flag', async () => {
    const fixture = createFrozen()
    const times = ['2026-03-04T13:20:00.000Z', '2026-03-04T13:10:00.000Z', '2026-03-04T13:30:00.000Z']
    for (const time of times) await fixture.schedule([enable('a'), enable(`of-${time.slice(14, 16)}`)], time)
    fixture.calendar.freezes = [sale]
    for (const time of times.toSorted()) await fixture.runAt(time)
    expect(await fixture.runAt(at15)).toEqual({ ...none, applied: 3 })
    const order = fixture.flags.applied.map((changes) => changes.at(-1)?.feature)
    expect(order).toEqual(['of-10', 'of-20', 'of-30'])
  })

  it('lets a later one of the same flag wait, also when the freeze was removed early', async () => {
    const fixture = createFrozen()
    await fixture.schedule([enable('a'), enable('search')])
    await fixture.schedule([enable('a')], '2026-03-04T13:02:00.000Z')
    await fixture.schedule([enable('b')], '2026-03-04T13:02:00.000Z')
    fixture.calendar.freezes = [search]
    await fixture.runAt(inAnHour)
    fixture.calendar.freezes = []
    expect(await fixture.runAt('2026-03-04T13:02:00.000Z')).toEqual({ ...none, applied: 1 })
    expect([await fixture.status(3), await fixture.held(2)]).toEqual(['Applied', { by: 'Sale', until: at15 }])
    expect((await routerHealth(fixture.services, null)).schedule).toMatchObject({ due: 0, held: 2 })
    expect(await fixture.runAt('2026-03-04T13:05:00.000Z')).toEqual({ ...none, applied: 2 })
    expect(fixture.flags.applied.map(([change, other]) => (other ?? change)?.feature)).toEqual(['b', 'search', 'a'])
  })

  it('does not bind another environment', async () => {
    const fixture = createFrozen()
    await fixture.schedule([enable('a')])
    await fixture.propose('ann', [enable('a')], { environment: 'staging' })
    await fixture.to('ann', 'In review', { id: 2 })
    await fixture.to('ben', 'Approved', { id: 2 })
    await fixture.to('cleo', 'Scheduled', { id: 2, scheduledAt: '2026-03-04T13:02:00.000Z' })
    fixture.calendar.freezes = [{ ...sale, when: { environments: ['production'] } }]
    await fixture.runAt(inAnHour)
    expect(await fixture.runAt('2026-03-04T13:02:00.000Z')).toEqual({ ...none, applied: 1 })
  })
})

describe('the grace period', () => {
  const limits = { scheduleGraceMs: 60_000 }

  const following = { ...sale, name: 'Stocktaking', from: at15, until: at16 }
  const overlapping = { ...sale, name: 'Stocktaking', from: at14, until: at16 }
  /** The freezes when it is due and when it is checked, and where the grace period begins. */
  const holds: readonly (readonly [what: string, before: readonly Freeze[], after: readonly Freeze[], end: string])[] =
    [
      ['at the end of the freeze', [sale], [sale], at15],
      ['at the end of one that is not listed any more', [sale], [], at15],
      ['at the end of the last of several', [sale, following], [sale, following], at16],
      ['at the end of one that overlaps', [sale, overlapping], [sale, overlapping], at16],
      ['at the end of one that was added later', [sale], [sale, following], at16],
      ['at the end that was moved', [sale], [{ ...sale, until: at14 }], at14],
    ]
  it.each(holds)('of a hold that a run stored begins %s', async (_, before, after, end) => {
    const resultAt = async (ms: number) => {
      const fixture = createFrozen({ limits })
      await fixture.schedule([enable()])
      fixture.calendar.freezes = before
      await fixture.runAt(inAnHour)
      fixture.calendar.freezes = after
      return fixture.runAt(new Date(Date.parse(end) + ms).toISOString())
    }
    expect(await resultAt(60_000)).toEqual({ ...none, applied: 1 })
    expect(await resultAt(60_001)).toEqual({ ...none, suspended: 1 })
  })

  it('of a hold that a run stored begins at its end, also if the next freeze has the same name', async () => {
    const fixture = createFrozen({ limits })
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [sale]
    await fixture.runAt(inAnHour)
    fixture.calendar.freezes = [{ ...sale, from: '2026-03-11T13:00:00.000Z', until: '2026-03-11T15:00:00.000Z' }]
    expect(await fixture.runAt('2026-03-04T15:01:00.001Z')).toEqual({ ...none, suspended: 1 })
  })

  it('begins at the first check without the freeze if that had no end, or was removed early', async () => {
    for (const freeze of [{ ...sale, until: undefined }, sale] as Freeze[]) {
      const { until, ...endless } = freeze
      const fixture = createFrozen({ limits })
      await fixture.schedule([enable()])
      fixture.calendar.freezes = [until === undefined ? endless : freeze]
      await fixture.runAt(inAnHour)
      fixture.calendar.freezes = []
      const { apply } = fixture.flags
      fixture.flags.apply = () => Promise.reject(new Error('out of reach'))
      expect(await fixture.runAt('2026-03-04T14:10:00.000Z')).toEqual({ ...none, left: 1 })
      fixture.flags.apply = apply
      expect(await fixture.runAt('2026-03-04T14:11:00.000Z')).toEqual({ ...none, applied: 1 })
    }
  })

  it('goes on while the apply is retried after the hold', async () => {
    const fixture = createFrozen({ limits })
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [sale]
    await fixture.runAt(inAnHour)
    const { apply } = fixture.flags
    fixture.flags.apply = () => Promise.reject(new Error('out of reach'))
    expect(await fixture.runAt(at15)).toEqual({ ...none, left: 1 })
    fixture.flags.apply = apply
    expect(await fixture.runAt('2026-03-04T15:01:00.001Z')).toEqual({ ...none, suspended: 1 })
    expect(await fixture.status()).toEqual(['suspended', 'missed by 1 minute'])
  })

  it('begins at the end of the freezes at the scheduled time, also if no process was running', async () => {
    const fixture = createFrozen({ limits })
    await fixture.schedule([enable()])
    fixture.calendar.freezes = [sale, following]
    expect(await fixture.runAt('2026-03-04T16:01:00.000Z')).toEqual({ ...none, applied: 1 })
    const late = createFrozen({ limits })
    await late.schedule([enable()])
    late.calendar.freezes = [sale, following]
    expect(await late.runAt('2026-03-04T16:01:00.001Z')).toEqual({ ...none, suspended: 1 })
  })
})
