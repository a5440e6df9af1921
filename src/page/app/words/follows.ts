import type { FollowedScheduleView, ReviewView } from '../../../generated'

type Followers = Pick<ReviewView, 'followedBy'>

/** `#13 and #14` */
const numbers = ({ followedBy = [] }: Followers) => followedBy.map(({ id }) => `#${id}`).join(' and ')

/** `This suspends #13 and #14, which follow it, until they are scheduled again.`; empty without a follower that waits. */
export function followersWords(review: Followers): string {
  const followedBy = review.followedBy?.filter(({ status }) => status === 'pending') ?? []
  return followedBy.length === 0
    ? ''
    : `This suspends ${numbers({ followedBy })}, which ${followedBy.length === 1 ? 'follows it, until it is' : 'follow it, until they are'} scheduled again.`
}

/** What the end of an objection leaves suspended, in a sentence; empty for nothing. */
export function notReleasedWords({ followedBy = [] }: Followers): string {
  const suspended = followedBy.filter(({ status }) => status === 'suspended')
  if (suspended.length === 0) return ''
  const names = numbers({ followedBy: suspended })
  return `Lifting it does not release ${names}, which must be scheduled again.`
}

const ends: Readonly<Record<FollowedScheduleView['status'], string>> = {
  pending: '',
  applied: '',
  failed: ', which failed',
  suspended: ', which is suspended',
  ended: ', which ended without being applied',
}

/** After the number of the predecessor: `, scheduled for Fri 20 Nov, 09:00`, `, applied on …` or `, which is suspended`. */
export function predecessorWords(
  { status, scheduledAt }: FollowedScheduleView,
  shown: (moment: string) => string,
): string {
  if (status === 'pending' || status === 'applied') {
    return scheduledAt === null
      ? ''
      : `, ${status === 'applied' ? 'applied on' : 'scheduled for'} ${shown(scheduledAt)}`
  }
  return ends[status]
}

/**
 * The schedules that would suspend this one, or be suspended by it. Those before its predecessor and after its first follower are
 * left out: they can be linked to these.
 */
export function unlinkedSchedules({ otherSchedules, follows, followedBy }: Linked): ReviewView['otherSchedules'] {
  const after = follows?.status === 'pending' ? (follows.scheduledAt ?? '') : ''
  const [first] = followedBy ?? []
  return otherSchedules.filter(
    ({ scheduledAt }) => scheduledAt > after && (first === undefined || scheduledAt < first.scheduledAt),
  )
}

type Linked = Pick<ReviewView, 'otherSchedules' | 'follows' | 'followedBy'>
