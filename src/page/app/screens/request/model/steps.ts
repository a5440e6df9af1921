import type { ReviewStepView, ReviewView, StepName } from '../../../../../generated'
import type { Missing } from '../../../core/api/missing'

/** What the server says of a step; undefined where it does not know it. */
export function stepOf(review: ReviewView, name: StepName): ReviewStepView | undefined {
  return review.steps.find(({ step }) => step === name)
}

export function isAllowed(review: ReviewView, name: StepName): boolean {
  return stepOf(review, name)?.allowed === true
}

const never: ReadonlySet<string | undefined> = new Set([
  'wrong-state',
  'change-requests-disabled',
  'already-acknowledged',
  'emergencies-disabled',
  'no-scheduler',
  'no-flag-gateway',
])

/** Which steps a state is about; who lacks a permission is told that first, whatever the state. */
const ofState: Readonly<Record<string, readonly StepName[]>> = {
  Draft: ['edit', 'submit', 'cancel', 'discard', 'applyInEmergency', 'rebase'],
  'In review': ['edit', 'approve', 'reject', 'cancel', 'schedule', 'apply', 'applyInEmergency', 'rebase'],
  Approved: ['edit', 'cancel', 'schedule', 'apply', 'applyInEmergency', 'rebase'],
  Scheduled: ['reject', 'schedule', 'apply', 'applyInEmergency', 'rebase'],
  Applied: ['acknowledge', 'revert'],
}

/** A step that belongs to the present state: allowed, or short of something that people can bring. */
export function inReach(review: ReviewView, name: StepName): ReviewStepView | undefined {
  const step = stepOf(review, name)
  if (step === undefined || step.allowed) return step
  if (!ofState[review.state]?.includes(name)) return undefined
  return step.missing.every(({ code }) => !never.has(code)) ? step : undefined
}

/** What several steps miss together, once. */
export function sharedMissing(...steps: readonly (ReviewStepView | undefined)[]): readonly Missing[] {
  const found = new Map<string, Missing>()
  for (const one of steps.flatMap((step) => step?.missing ?? [])) found.set(`${one.code} ${one.message}`, one)
  return [...found.values()]
}

/** True where both miss the same, so that they share the list; sentences about one's own request name the step. */
export function missTheSame(one: ReviewStepView, other: ReviewStepView): boolean {
  const key = ({ missing }: ReviewStepView) =>
    missing.map(({ code, message }) => `${code} ${code === 'own-change-request' ? '' : message}`).join('\n')
  return key(one) === key(other)
}
