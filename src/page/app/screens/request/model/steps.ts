import type { ReviewStepView, ReviewView, StepName } from '../../../../../generated'
import type { Missing } from '../../../core/api/missing'

/** What the server says of a step; undefined where it does not know it. */
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

/** Whether it was applied in an emergency that nobody has acknowledged. */
export function needsAcknowledgement({ emergency }: ReviewView): boolean {
  return emergency !== null && emergency.acknowledgedBy === null
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
