import type { MeView, PresetScheduleView, ReviewView } from '../../../../../generated'
import * as times from '../../../core/tools/times'
import { isMet } from '../../../words/waits'
import { isAllowed, stepOf } from './steps'

/** The schedule that the last approval puts into effect; undefined for none. */
export function pendingPreset({ presetSchedule }: ReviewView): PresetScheduleView | undefined {
  return presetSchedule?.withdrawn === null ? presetSchedule : undefined
}

/** `as soon as it is approved`, or `on Fri 20 Nov, 07:00` */
export function whenWords({ scheduledAt }: PresetScheduleView): string {
  return scheduledAt === 'approval' ? 'as soon as it is approved' : `on ${times.dayAndTime(scheduledAt)}`
}

/** Whether a schedule would wait for approvals. Once nothing is missing, the step `schedule` is allowed. */
export function presetsSchedules(review: ReviewView): boolean {
  return !isAllowed(review, 'schedule') && isAllowed(review, 'presetSchedule')
}

/** What the button says: only the last approval applies, and only if nothing prevents it. */
export function approveWords(review: ReviewView, me: MeView, now = Date.now()): string {
  const preset = pendingPreset(review)
  if (!preset || !isLastApproval(review, me) || isPrevented(review, preset, now) || isHeld(review, preset))
    return 'Approve'
  return `Approve and apply${preset.scheduledAt === 'approval' ? '' : ` ${whenWords(preset)}`}`
}

/** What an approval leads to, in a sentence. */
export function approvalWords(review: ReviewView, me: MeView, now = Date.now()): string {
  const preset = pendingPreset(review)
  if (!preset) return 'Approving applies nothing.'
  if (isPrevented(review, preset, now)) return 'In the current state, the last approval suspends the schedule.'
  if (!isLastApproval(review, me))
    return `Together with the missing approvals, yours applies this ${whenWords(preset)}.`
  if (isHeld(review, preset)) return 'Your approval applies this after the freeze.'
  return `Your approval applies this ${preset.scheduledAt === 'approval' ? 'immediately' : whenWords(preset)}.`
}

function isLastApproval({ requirements }: ReviewView, { id, groups }: MeView): boolean {
  return requirements.every((one) => {
    const { given, approvals, from } = one
    const isOfCaller =
      from === null || from.users.some((user) => user === id) || from.groups.some((group) => groups.includes(group))
    return isMet(one) || (isOfCaller && given !== null && given + 1 >= approvals)
  })
}

const obstacles: ReadonlySet<string | undefined> = new Set(['conflict', 'overwrite', 'invalid'])

/** The last approval would suspend it. */
function isPrevented(review: ReviewView, { scheduledAt }: PresetScheduleView, now: number): boolean {
  if (stepOf(review, 'apply')?.missing.some(({ code }) => obstacles.has(code))) return true
  if (scheduledAt !== 'approval') return Date.parse(scheduledAt) < now
  return review.freezes.now.some(({ scheduled }) => scheduled === 'suspend')
}

function isHeld({ freezes }: ReviewView, { scheduledAt }: PresetScheduleView): boolean {
  return scheduledAt === 'approval' && freezes.now.length > 0
}
