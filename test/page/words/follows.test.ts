import type { FollowedScheduleView, OtherScheduleView, ReviewView } from '../../../src/generated'
import { voidedBy } from '../../../src/page/app/reviews/voids'
import {
  followersWords,
  notReleasedWords,
  predecessorWords,
  unlinkedSchedules,
} from '../../../src/page/app/words/follows'

const other = (id: number, hour = id, status: OtherScheduleView['status'] = 'pending'): OtherScheduleView => {
  return {
    id,
    title: `Change request #${id}`,
    scheduledAt: `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`,
    status,
  }
}
const followed = (status: FollowedScheduleView['status'], scheduledAt: string | null): FollowedScheduleView => {
  return { ...other(12), status, scheduledAt, minutesAfter: null }
}

describe('the schedules that follow one', () => {
  it.each([
    [[], ''],
    [[other(13)], 'This suspends #13, which follows it, until it is scheduled again.'],
    [[other(13), other(14)], 'This suspends #13 and #14, which follow it, until they are scheduled again.'],
    [[other(13, 13, 'suspended')], ''],
  ])('are named where a step suspends them: %j', (followedBy, words) => {
    expect(followersWords({ followedBy })).toBe(words)
  })

  it('are named with what an edit or a rebase voids', () => {
    const review = { state: 'Scheduled', presetSchedule: null, changeRequest: { approvals: [{}] } }
    expect(voidedBy(review)).toBe('Voids 1 approval.')
    expect(voidedBy({ ...review, followedBy: [other(13)] })).toBe(
      'Voids 1 approval. This suspends #13, which follows it, until it is scheduled again.',
    )
  })

  it('stay suspended when an objection ends', () => {
    const followedBy = [other(13, 13, 'suspended'), other(14), other(15, 15, 'suspended')]
    expect(notReleasedWords({ followedBy })).toBe(
      'Lifting it does not release #13 and #15, which must be scheduled again.',
    )
    expect(notReleasedWords({ followedBy: [other(14)] })).toBe('')
  })
})

describe('the schedule that one follows', () => {
  it.each([
    ['pending', 'at nine', ', scheduled for at nine'],
    ['applied', 'at nine', ', applied on at nine'],
    ['suspended', 'at nine', ', which is suspended'],
    ['failed', 'at nine', ', which failed'],
    ['ended', null, ', which ended without being applied'],
  ] as const)('is described: %s', (status, scheduledAt, words) => {
    expect(predecessorWords(followed(status, scheduledAt), (moment) => moment)).toBe(words)
  })
})

describe('schedules of the same flag', () => {
  const review = { otherSchedules: [8, 9, 10, 11, 12].map((id) => other(id)) }
  const ids = (linked: Partial<ReviewView>) => unlinkedSchedules({ ...review, ...linked }).map(({ id }) => id)

  it.each<[string, Partial<ReviewView>, readonly number[]]>([
    ['all, where it follows none', {}, [8, 9, 10, 11, 12]],
    ['those after its predecessor', { follows: { ...other(9), minutesAfter: null } }, [10, 11, 12]],
    ['those before its first follower', { followedBy: [other(11), other(12)] }, [8, 9, 10]],
    [
      'all, once its predecessor was applied',
      { follows: { ...other(9), status: 'applied', minutesAfter: null } },
      [8, 9, 10, 11, 12],
    ],
  ])('may suspend it: %s', (_, linked, expected) => {
    expect(ids(linked)).toEqual(expected)
  })
})
