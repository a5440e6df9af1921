import { review } from '../../../src/capabilities/review/review'
import { viewReview } from '../../../src/capabilities/review/view'
import { presetSchedule } from '../../../src/capabilities/schedule/schedule'
import type { ReviewView } from '../../../src/generated/index'
import { entityTag } from '../../../src/kernel/etag'
import {
  actors,
  by,
  createFixture,
  enable,
  type Fixture,
  type FixtureOptions,
  inAnHour,
  noon,
  rejection,
  type Who,
} from '../../kernel/support/fixture'

const minutes = 60_000
const tomorrow = '2026-03-05T12:00:00.000Z'
const shop = { project: 'shop', id: 1 }

const created = (options: FixtureOptions = {}) => createFixture({ recordOnly: true, schedule: 'elsewhere', ...options })

/** Ann's change request in review, and how to preset its schedule. */
async function inReview(options?: FixtureOptions) {
  const fixture = created(options)
  await fixture.reviewed()
  return fixture
}

type PresetInput = Partial<Parameters<typeof presetSchedule>[1]>

const preset = ({ services }: Fixture, who: Who, scheduledAt: string | null, more: PresetInput = {}) =>
  presetSchedule(services, { ...by(who), ...shop, digest: null, scheduledAt, ...more })

async function reviewOf({ services }: Fixture): Promise<ReviewView> {
  const reply = viewReview(await review(services, { actor: actors.ben, ...shop }), services)
  return JSON.parse(String(reply.body))
}
const shown = async (fixture: Fixture) => (await reviewOf(fixture)).presetSchedule
const ending = async (fixture: Fixture) => (await shown(fixture))?.withdrawn
const stateOf = async (fixture: Fixture) => {
  const { state, schedule } = (await fixture.stored()) ?? {}
  return [state, schedule?.scheduledAt, schedule?.status, schedule?.reason]
}

const cleo = { id: 3, username: 'cleo@example.com', imageUrl: null }

describe('a preset schedule', () => {
  it('is put into effect by the last approval, in the name of the user who set it', async () => {
    const fixture = await inReview()
    const before = await fixture.eventTypes()
    await preset(fixture, 'cleo', inAnHour)
    expect(await shown(fixture)).toEqual({ scheduledAt: inAnHour, after: null, by: cleo, at: noon, withdrawn: null })
    expect(await fixture.eventTypes()).toEqual(before)
    fixture.host.now += minutes
    await fixture.to('ben', 'Approved')
    expect(await stateOf(fixture)).toEqual(['Scheduled', inAnHour, 'pending', null])
    expect((await fixture.stored())?.scheduling?.by).toMatchObject({ person: { id: 3 }, ip: null })
    expect(await shown(fixture)).toBe(null)
    const events = (await fixture.events()).slice(before.length)
    expect(events.map(({ type, createdByUserId }) => [type, createdByUserId])).toEqual([
      ['change-request-approval-added', 2],
      ['change-request-approved', 2],
      ['change-request-scheduled', 3],
    ])
    expect(events[2]).toMatchObject({
      createdBy: 'cleo@example.com',
      data: { changeRequestId: 1, scheduledDate: inAnHour, presetAt: noon },
    })
    expect(events[2]?.ip).toBe(null)
  })

  it('schedules an Approved one immediately, with the checks of a schedule', async () => {
    const fixture = created({ validate: (_, { when }) => (when === 'apply' && invalid ? [{ message: 'No.' }] : []) })
    let invalid = true
    await fixture.approved()
    expect((await rejection(preset(fixture, 'cleo', inAnHour))).details).toMatchObject([{ code: 'invalid' }])
    invalid = false
    await preset(fixture, 'cleo', null)
    expect(await stateOf(fixture)).toEqual(['Scheduled', noon, 'pending', null])
    expect((await fixture.events()).at(-1)).toMatchObject({ createdByUserId: 3, data: { scheduledDate: noon } })
    expect((await fixture.events()).at(-1)?.data.presetAt).toBe(undefined)
  })

  it('needs the permission to apply, a user id, a scheduler and a time that has not passed', async () => {
    const fixture = await inReview()
    expect((await rejection(preset(fixture, 'robot', null))).name).toBe('OperationDeniedError')
    expect((await rejection(preset(fixture, 'ben', '2026-03-04T11:58:00.000Z'))).name).toBe('BadDataError')
    fixture.host.allows = (_, permission) => permission !== 'APPLY_CHANGE_REQUEST'
    expect((await rejection(preset(fixture, 'ben', null))).name).toBe('PermissionError')
    const off = await inReview({ schedule: 'off' })
    expect((await rejection(preset(off, 'ben', null))).details).toMatchObject([{ code: 'no-scheduler' }])
  })
})

describe('the last approval with a preset schedule', () => {
  it('calls the validator for the user who preset the schedule', async () => {
    const asked: unknown[] = []
    const fixture = await inReview({
      validate: (_, { when, actor }) => {
        if (when !== 'apply') return []
        asked.push(actor?.id)
        return [{ message: 'Not on a Friday.' }]
      },
    })
    await preset(fixture, 'cleo', inAnHour)
    asked.length = 0
    await fixture.to('ben', 'Approved')
    expect(await stateOf(fixture)).toEqual([
      ...['Scheduled', inAnHour, 'suspended'],
      expect.stringContaining('Not on a Friday.'),
    ])
    expect(asked).toEqual([3])
  })

  it('calls no further hook without a preset schedule', async () => {
    const calls: string[] = []
    const fixture = await inReview({
      freezes: () => [],
      validate: (_, { when }) => void calls.push(when),
    })
    calls.length = 0
    await fixture.to('ben', 'Approved')
    expect(calls).toEqual([])
  })

  it('ends it if the user no longer exists', async () => {
    let known = [{ id: 1 }, { id: 2 }, { id: 3 }]
    const users = { find: () => known, reviewers: () => known }
    const fixture = await inReview({ users })
    await preset(fixture, 'cleo', null)
    known = [{ id: 1 }, { id: 2 }]
    fixture.host.now += minutes
    await fixture.to('ben', 'Approved')
    expect((await stateOf(fixture))[0]).toBe('Approved')
    const at = '2026-03-04T12:01:00.000Z'
    expect(await ending(fixture)).toEqual({ by: null, at, cause: 'person-gone' })
    expect((await fixture.eventTypes()).at(-1)).toBe('change-request-approved')
  })

  it('schedules for a machine, which the directory does not know', async () => {
    const users = { find: () => [{ id: 1 }, { id: 2 }], reviewers: () => [{ id: 2 }] }
    const fixture = await inReview({ users })
    await preset(fixture, 'cleo', null, { actor: { ...actors.cleo, kind: 'service' } })
    await fixture.to('ben', 'Approved')
    expect((await stateOf(fixture))[0]).toBe('Scheduled')
  })
})

describe('an approval is for the preset schedule, too', () => {
  const isOutdated = async (work: Promise<unknown>) =>
    expect((await rejection(work)).details).toMatchObject([{ code: 'outdated-revision' }])

  it('is rejected if a digest alone states the revision', async () => {
    const fixture = await inReview()
    const { digest } = await reviewOf(fixture)
    const stored = await preset(fixture, 'cleo', inAnHour)
    await isOutdated(fixture.to('ben', 'Approved', { digest }))
    await isOutdated(fixture.to('ben', 'Approved', { digest, ifMatch: '*' }))
    await fixture.to('ben', 'Approved', { digest, ifMatch: entityTag(stored) })
    expect((await stateOf(fixture))[0]).toBe('Scheduled')
  })
})

describe('the review', () => {
  it('lists other schedules of the same flags in the environment, the earliest first', async () => {
    const fixture = created()
    const scheduled = async (id: number, flag: string, time: string, environment = 'production') => {
      await fixture.propose('ann', [enable(flag)], { environment })
      await fixture.to('ann', 'In review', { id })
      await fixture.to('ben', 'Approved', { id })
      await fixture.to('ben', 'Scheduled', { id, scheduledAt: time })
    }
    await fixture.reviewed()
    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Scheduled')
    await scheduled(2, 'checkout', tomorrow)
    await scheduled(3, 'checkout', inAnHour)
    await scheduled(4, 'search', inAnHour)
    await scheduled(5, 'checkout', inAnHour, 'staging')
    const others = async () => (await reviewOf(fixture)).otherSchedules
    expect(await others()).toEqual([
      { id: 3, title: 'Change request #3', scheduledAt: inAnHour, status: 'pending' },
      { id: 2, title: 'Change request #2', scheduledAt: tomorrow, status: 'pending' },
    ])
    await fixture.to('ben', 'Applied')
    expect(await others()).toEqual([])
  })

  it('lists at most 20', async () => {
    const fixture = created()
    for (let id = 1; id <= 22; id += 1) {
      await fixture.approved()
      await fixture.to('ben', 'Scheduled', { id })
    }
    expect((await reviewOf(fixture)).otherSchedules).toHaveLength(20)
  })
})
