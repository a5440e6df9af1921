import type { ReviewStepView } from '../../../../../generated'
import { useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import { navigateFrom, requestPath, useLocation } from '../../../core/places/navigation'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { offeredStep } from '../model/steps'
import { useStep } from '../model/use-step'
import { ListedStep } from './step-button'

/** Acknowledging an emergency, and taking back what was applied; a revert is a draft. */
export function RevertStep() {
  const { latest, open } = useRequestContext()
  const step = offeredStep(latest.review, 'revert')
  const second = offeredStep(latest.review, 'acknowledge')
  const isPartial = usePartialRevert(step)
  return (
    <>
      {second && (
        <ListedStep step={second} icon="review" kind="primary" wide onPress={() => open('acknowledge')}>
          Acknowledge…
        </ListedStep>
      )}
      {step && (
        <ListedStep
          step={isPartial ? { ...step, allowed: true } : step}
          icon="undo"
          wide
          onPress={() => open('revert')}
        >
          Revert…
        </ListedStep>
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
  const { path } = useLocation()
  const step = offeredStep(latest.review, 'copy')
  const action = useStep({
    run: async ({ place }, { idempotencyKey, signal }) => {
      const { body } = await client.copy(place, { idempotencyKey, signal })
      navigateFrom(path, requestPath(body.project, body.id))
      return undefined
    },
    said: 'Draft created.',
  })
  if (!step) return null
  return (
    <>
      <ListedStep step={step} icon="plus" wide busy={action.busy && 'Sending…'} onPress={() => action.press()}>
        Propose again
      </ListedStep>
      <OutcomeNotice action={action} what="propose it again" />
    </>
  )
}
