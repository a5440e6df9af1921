import type {
  MeView,
  PresetScheduleView,
  RequirementView,
  ReviewStepView,
  ReviewView,
  StepName,
} from '../../../../generated'
import * as times from '../../core/tools/times'
import { isMissing } from '../../words/waits'

/** The step as the server describes it; undefined where it does not know the step. */
export function stepOf(review: ReviewView, name: StepName): ReviewStepView | undefined {
  return review.steps.find(({ step }) => step === name)
}

export function isAllowed(review: ReviewView, name: StepName): boolean {
  return stepOf(review, name)?.allowed === true
}

/** A step that makes sense in the current state; undefined if the server does not offer it. */
export function offeredStep(review: ReviewView, name: StepName): ReviewStepView | undefined {
  const step = stepOf(review, name)
  return step?.offered ? step : undefined
}

/** What is decided on; unknown while the flags are unavailable. */
export const digestOf = ({ digest }: ReviewView) => (digest === null ? {} : { digest })

/** Whether it was applied in an emergency and is not acknowledged yet. */
export function needsAcknowledgement({ emergency }: ReviewView): boolean {
  return emergency !== null && emergency.acknowledgedBy === null
}

/** The approvals that no edit voided. */
export function approvalsOf({ votes, changeRequest: { approvals } }: ReviewView): ReviewView['votes'] {
  return votes.filter(({ person }) => approvals.some(({ createdBy }) => createdBy.id === person.id))
}

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

/** The label of the button: only the last approval applies, and only if nothing prevents it. */
export function approveLabel(review: ReviewView, me: MeView, now = Date.now()): string {
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

function isLastApproval({ requirements }: ReviewView, me: MeView): boolean {
  return requirements.every((one) => {
    const { given, approvals } = one
    return !isMissing(one) || (countsFor(one, me) && given !== null && given + 1 >= approvals)
  })
}

/** Whether an approval of the user counts for the requirement. */
export function countsFor({ from }: RequirementView, { id, groups }: MeView): boolean {
  return from === null || from.users.some((user) => user === id) || from.groups.some((group) => groups.includes(group))
}

const obstacles: ReadonlySet<string | undefined> = new Set(['conflict', 'overwrite', 'invalid'])

/** The last approval would suspend it. */
function isPrevented(review: ReviewView, { scheduledAt }: PresetScheduleView, now: number): boolean {
  if (stepOf(review, 'apply')?.missing.some(({ code }) => obstacles.has(code))) return true
  if (scheduledAt !== 'approval') return Date.parse(scheduledAt) < now
  return review.freezes.now.some(({ mode, scheduled }) => mode !== 'trial' && scheduled === 'suspend')
}

function isHeld({ freezes }: ReviewView, { scheduledAt }: PresetScheduleView): boolean {
  return scheduledAt === 'approval' && freezes.now.some(({ mode }) => mode !== 'trial')
}
