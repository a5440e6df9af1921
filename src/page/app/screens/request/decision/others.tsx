import type { ReviewStepView } from '../../../../../generated'
import { MissingList } from '../../../parts/messages/missing-list'
import { useRequestContext } from '../model/context'
import { pendingPreset } from '../model/preset-schedule'
import { needsAcknowledgement, offeredStep } from '../model/steps'
import { isEmergencyShown } from './apply'
import { isAuthorStep, stepWords } from './step-words'

/** Every step that has no button here, and why not: nothing is just absent. */
export function OtherSteps() {
  const { latest, me } = useRequestContext()
  const { review, request } = latest
  const isMine = me.id === request.createdBy.id
  const others = review.steps.filter((step) => !step.allowed && !isShown(step))
  if (others.length === 0) return null
  return (
    <details class="others">
      <summary>
        Other steps <span class="muted">({others.length})</span>
      </summary>
      <ul>
        {others.map(({ step, missing }) => (
          <li key={step}>
            <h3>{stepWords[step]}</h3>
            <MissingList missing={missing} />
          </li>
        ))}
      </ul>
    </details>
  )

  function isShown({ step }: ReviewStepView): boolean {
    if (step === 'applyInEmergency') return isEmergencyShown(review)
    if (isAuthorStep(step)) return isMine && offeredStep(review, step) !== undefined
    if (step === 'withdrawPresetSchedule') return pendingPreset(review) === undefined
    if (step === 'acknowledge') return needsAcknowledgement(review)
    return step !== 'edit' && step !== 'rebase' && offeredStep(review, step) !== undefined
  }
}
