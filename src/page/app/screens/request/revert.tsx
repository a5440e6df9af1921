import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewStepView } from '../../../../generated'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { navigateFrom, requestPath, useLocation } from '../../core/places/navigation'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { offeredStep } from './review'
import { ListedStep } from './step-button'
import type { RequestProps } from './use-request'
import { useStep } from './use-step'

type ClosedProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** Acknowledges an apply in emergency. */
export function AcknowledgeStep({ review, actions: { off, open } }: Omit<ClosedProps, 'request'>) {
  const step = offeredStep(review, 'acknowledge')
  if (!step) return null
  return (
    <ListedStep step={step} off={off} icon="review" kind="primary" wide onPress={() => open('acknowledge')}>
      Acknowledge…
    </ListedStep>
  )
}

/** Creates a draft that reverts what was applied. */
export function RevertStep({ request, review, actions: { off, open } }: ClosedProps) {
  const step = offeredStep(review, 'revert')
  const isPartial = usePartialRevert(request, step)
  if (!step) return null
  return (
    <ListedStep
      step={isPartial ? { ...step, allowed: true } : step}
      off={off}
      icon="undo"
      wide
      onPress={() => open('revert')}
    >
      Revert…
    </ListedStep>
  )
}

/** Whether a part can be reverted: some changes are irreversible, others are not. */
function usePartialRevert(place: ChangeRequestPlace, step: ReviewStepView | undefined): boolean {
  const isRead = step?.allowed === false && step.missing.every(({ code }) => code === 'irreversible')
  const preview = useRevertPreview(place, isRead)
  return isRead && (preview.data?.changes.length ?? 0) > 0
}

export const useRevertPreview = (place: ChangeRequestPlace, isRead = true) =>
  useQuery(['revert', place.project, place.id], isRead ? (options) => client.revertPreview(place, options) : undefined)

/** Creates a draft with the changes of a closed request. */
export function CopyStep({ request, review, actions }: ClosedProps) {
  const { path } = useLocation()
  const step = offeredStep(review, 'copy')
  const copy = useStep(actions, {
    run: async ({ idempotencyKey, signal }) => {
      const { body } = await client.copy(request, { idempotencyKey, signal })
      navigateFrom(path, requestPath(body.project, body.id))
      return undefined
    },
    doneMessage: 'Draft created.',
  })
  if (!step) return null
  return (
    <>
      <ListedStep step={step} off={actions.off} icon="plus" wide busy={copy.busy && 'Sending…'} onPress={copy.press}>
        Propose again
      </ListedStep>
      <OutcomeNotice action={copy} verb="propose it again" />
    </>
  )
}
