import type { ReviewStepView } from '../../../../../generated'
import { useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import { navigate, requestPath } from '../../../core/places/navigation'
import { MissingList } from '../../../parts/messages/missing-list'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { needsAcknowledgement, offeredStep, stepOf } from '../model/steps'
import { useStep } from '../model/use-step'
import { StepButton } from './step-button'

/** Taking back what was applied; it makes a draft. */
export function RevertStep() {
  const { latest, open } = useRequestContext()
  const step = offeredStep(latest.review, 'revert')
  const second = stepOf(latest.review, 'acknowledge')
  const isPartial = usePartialRevert(step)
  return (
    <>
      {needsAcknowledgement(latest.review) && second && (
        <>
          {!second.allowed && <MissingList id="missing-look" heading="The second look" missing={second.missing} />}
          <StepButton
            step={second}
            icon="review"
            kind="primary"
            wide
            missingId="missing-look"
            onPress={() => open('acknowledge')}
          >
            I have looked at it…
          </StepButton>
        </>
      )}
      {step && (
        <>
          {!step.allowed && <MissingList id="missing-revert" missing={step.missing} />}
          <StepButton
            step={{ ...step, allowed: step.allowed || isPartial }}
            icon="undo"
            wide
            missingId="missing-revert"
            onPress={() => open('revert')}
          >
            Revert…
          </StepButton>
        </>
      )}
    </>
  )
}

/** Whether a part can be reverted: all that is missing is an inverse of some changes, and others have one. */
function usePartialRevert(step: ReviewStepView | undefined): boolean {
  const { place } = useRequestContext()
  const isAsked = step?.allowed === false && step.missing.every(({ code }) => code === 'irreversible')
  const key = isAsked ? `revert ${place.project} ${place.id}` : 'no revert'
  const preview = useLoaded(key, async ({ signal }) =>
    isAsked ? await client.revertPreview(place, { signal }) : { body: { changes: [], irreversible: [] } },
  )
  return isAsked && (preview.data?.changes.length ?? 0) > 0
}

/** Proposing the changes of a closed request again; it makes a draft. */
export function CopyStep() {
  const { latest } = useRequestContext()
  const step = offeredStep(latest.review, 'copy')
  const action = useStep({
    run: async ({ place }, { idempotencyKey, signal }) => {
      const { body } = await client.copy(place, { idempotencyKey, signal })
      navigate(requestPath(body.project, body.id))
      return undefined
    },
    said: 'A draft with the same changes was created.',
  })
  // An applied one is reverted more often; its copy is among the other steps.
  if (!step || (latest.review.state === 'Applied' && !step.allowed)) return null
  return (
    <>
      {!step.allowed && <MissingList id="missing-copy" missing={step.missing} />}
      <StepButton
        step={step}
        icon="plus"
        wide
        missingId="missing-copy"
        busy={action.busy && 'Creating a draft…'}
        onPress={() => action.press()}
      >
        Propose again
      </StepButton>
      <OutcomeNotice action={action} what="propose it again" />
    </>
  )
}
