import type {
  MeView,
  ObjectionView,
  PresetScheduleView,
  RequirementView,
  ReviewStepView,
  ReviewView,
  StepName,
} from '../../../../generated'
import * as times from '../../core/tools/times'
import { isClosed } from '../../parts/marks/state'
import { missingChecks } from '../../words/checks'
import { isEnforced, isMissing } from '../../words/waits'

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

/** Whether the notices have something to show, apart from what only the events say. */
export function hasNotices(review: ReviewView): boolean {
  const { changeRequest, freezes, presetSchedule, emergency, revertedBy } = review
  const isFrozen = freezes.now.length + freezes.scheduled.length > 0
  return 'schedule' in changeRequest || isFrozen || [presetSchedule, emergency, revertedBy].some((one) => one !== null)
}

/** Also those that ended, and those of the change request that this one copies. */
export function hasObjections({ objections = [], copiedFrom }: ReviewView): boolean {
  return objections.length > 0 || (copiedFrom?.objections.length ?? 0) > 0
}

/** Whether it shows the steps of a closed request, also before an interrupted apply that succeeded is settled. */
export function hasClosedSteps(review: ReviewView): boolean {
  return isClosed(review.state) || isAllowed(review, 'acknowledge') || isAllowed(review, 'copy')
}

/** Whether it shows something of the file `unusual`, which the build makes (vite.config.mjs). */
export function isUnusual(review: ReviewView): boolean {
  const { changes, checks = [], customFields } = review
  if (hasClosedSteps(review) || checks.length > 0 || customFields !== null) return true
  if (changes.some(({ conflict, fields }) => conflict !== null || fields?.some(({ overwrites }) => overwrites)))
    return true
  return hasObjections(review) || hasNotices(review) || isAllowed(review, 'takeBackApproval')
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

/** `as soon as it is approved`, `on Fri 20 Nov, 07:00`, or `8 h after #12` */
export function whenWords({ scheduledAt, after, minutesAfter }: PresetScheduleView): string {
  if (scheduledAt === 'approval') return 'as soon as it is approved'
  if (after !== null && minutesAfter !== undefined) return `${minutesWords(minutesAfter)} after #${after}`
  return `on ${times.dayAndTime(scheduledAt)}${after === null ? '' : `, after #${after}`}`
}

/** `8 h` */
export const minutesWords = (minutes: number): string => times.until(minutes * 60_000, 0)

/** Whether the viewer can link a schedule to it. */
export const maySchedule = (review: ReviewView): boolean => isAllowed(review, 'schedule') || presetsSchedules(review)

/** Whether a schedule would wait for approvals. Once nothing is missing, the step `schedule` is allowed. */
export function presetsSchedules(review: ReviewView): boolean {
  return !isAllowed(review, 'schedule') && isAllowed(review, 'presetSchedule')
}

/** The objections that block applying. */
export function openObjections({ objections = [] }: Pick<ReviewView, 'objections'>): readonly ObjectionView[] {
  return objections.filter(({ ended }) => ended === null)
}

/** The open objection of the user, which their approval lifts; undefined for none. */
export function ownObjection(review: ReviewView, me: MeView): ObjectionView | undefined {
  return openObjections(review).find(({ person }) => person.id === me.id)
}

/** Whether the user can object for the first time; their own objection has the step otherwise. */
export const mayObject = (review: ReviewView, me: MeView): boolean =>
  isAllowed(review, 'object') && ownObjection(review, me) === undefined

/** The label of the button: only the last approval applies, and only if nothing prevents it. */
export function approveLabel(review: ReviewView, me: MeView, now = Date.now()): string {
  const lifts = ownObjection(review, me) !== undefined
  const applies = appliesWords(review, isLastApproval(review, me), now)
  if (applies === undefined) return lifts ? 'Approve and lift objection' : 'Approve'
  return `Approve${lifts ? ', lift objection' : ''} and ${applies}`
}

/** What an approval leads to, in a sentence; in two for a user who objected. */
export function approvalWords(review: ReviewView, me: MeView, now = Date.now()): string {
  const words = presetWords(review, ['Your approval', 'the last approval'], isLastApproval(review, me), now)
  if (!ownObjection(review, me)) return words ?? 'Approving applies nothing.'
  return words ? `Approving lifts your objection. ${words}` : 'Approving lifts your objection, and applies nothing.'
}

/** `apply on Fri 20 Nov, 07:00`: what a press leads to that ends all that is missing; undefined if it applies nothing. */
export function appliesWords(review: ReviewView, isLast: boolean, now = Date.now()): string | undefined {
  const preset = pendingPreset(review)
  if (!preset || !isLast || isPrevented(review, preset, now) || isHeld(review, preset)) return undefined
  return `apply${preset.scheduledAt === 'approval' ? '' : ` ${whenWords(preset)}`}`
}

/** Whether the end of an objection leaves nothing missing of what a preset schedule waits for. */
export const endsLastObstacle = (review: ReviewView): boolean =>
  openObjections(review).length === 1 && !review.requirements.some(isMissing) && missingChecks(review).length === 0

/** What an approval, or the end of an objection, does with a preset schedule, in a sentence; undefined without one. */
export function presetWords(
  review: ReviewView,
  [step, lastStep]: readonly [string, string],
  isLast: boolean,
  now = Date.now(),
): string | undefined {
  const preset = pendingPreset(review)
  if (!preset) return undefined
  if (isPrevented(review, preset, now)) return `In the current state, ${lastStep} suspends the schedule.`
  if (!isLast) {
    if (openObjections(review).length + missingChecks(review).length === 0)
      return `Together with the missing approvals, yours applies this ${whenWords(preset)}.`
    const at = preset.scheduledAt === 'approval' ? 'once' : `${whenWords(preset)} if by then`
    return `It is applied ${at} no approval or check is missing and no objection is open.`
  }
  if (isHeld(review, preset)) return `${step} applies this after the freeze.`
  return `${step} applies this ${preset.scheduledAt === 'approval' ? 'immediately' : whenWords(preset)}.`
}

function isLastApproval(review: ReviewView, me: MeView): boolean {
  if (missingChecks(review).length > 0 || openObjections(review).some(({ person }) => person.id !== me.id)) return false
  return review.requirements.filter(isMissing).every((one) => {
    const { given, approvals } = one
    return countsFor(one, me) && given !== null && given + 1 >= approvals
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
  return review.freezes.now.some((one) => isEnforced(one) && one.scheduled === 'suspend')
}

function isHeld({ freezes }: ReviewView, { scheduledAt }: PresetScheduleView): boolean {
  return scheduledAt === 'approval' && freezes.now.some(isEnforced)
}
