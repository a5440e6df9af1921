import type { MeView, ReviewView, ScheduleAheadView } from '../../../../../generated'
import * as times from '../../../core/tools/times'
import { isMet } from '../../../words/waits'
import { isAllowed, stepOf } from './steps'

/** The schedule that the last approval puts into effect; undefined for none. */
export function pendingAhead({ scheduledAhead }: ReviewView): ScheduleAheadView | undefined {
  return scheduledAhead?.withdrawn === null ? scheduledAhead : undefined
}

/** `as soon as it is approved`, or `on Fri 20 Nov, 07:00` */
export function whenWords({ scheduledAt }: ScheduleAheadView): string {
  return scheduledAt === 'approval' ? 'as soon as it is approved' : `on ${times.dayAndTime(scheduledAt)}`
}

/** Whether a schedule would wait for approvals. Once nothing is missing, the step `schedule` is allowed. */
export function schedulesAhead(review: ReviewView): boolean {
  return !isAllowed(review, 'schedule') && isAllowed(review, 'scheduleAhead')
}

/** What the button says: only the last approval applies, and only if nothing prevents it. */
export function approveWords(review: ReviewView, me: MeView, now = Date.now()): string {
  const ahead = pendingAhead(review)
  if (!ahead || !isLastApproval(review, me) || isPrevented(review, ahead, now) || isHeld(review, ahead))
    return 'Approve'
  return `Approve and apply${ahead.scheduledAt === 'approval' ? '' : ` ${whenWords(ahead)}`}`
}

/** What an approval leads to, in a sentence. */
export function approvalWords(review: ReviewView, me: MeView, now = Date.now()): string {
  const ahead = pendingAhead(review)
  if (!ahead) return 'Approving applies nothing.'
  if (isPrevented(review, ahead, now)) return 'In the current state, the last approval suspends the schedule.'
  if (!isLastApproval(review, me)) return `Together with the missing approvals, yours applies this ${whenWords(ahead)}.`
  if (isHeld(review, ahead)) return 'Your approval applies this after the freeze.'
  return `Your approval applies this ${ahead.scheduledAt === 'approval' ? 'immediately' : whenWords(ahead)}.`
}

function isLastApproval({ requirements }: ReviewView, { id, groups }: MeView): boolean {
  return requirements.every((one) => {
    const { given, approvals, from } = one
    const isOfCaller =
      from === null || from.users.some((user) => user === id) || from.groups.some((group) => groups.includes(group))
    return isMet(one) || (isOfCaller && given + 1 >= approvals)
  })
}

const obstacles: ReadonlySet<string | undefined> = new Set(['conflict', 'overwrite', 'invalid'])

/** The last approval would suspend it. */
function isPrevented(review: ReviewView, { scheduledAt }: ScheduleAheadView, now: number): boolean {
  if (stepOf(review, 'apply')?.missing.some(({ code }) => obstacles.has(code))) return true
  if (scheduledAt !== 'approval') return Date.parse(scheduledAt) < now
  return review.freezes.now.some(({ scheduled }) => scheduled === 'suspend')
}

function isHeld({ freezes }: ReviewView, { scheduledAt }: ScheduleAheadView): boolean {
  return scheduledAt === 'approval' && freezes.now.length > 0
}
