import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewView } from '../../../../generated'
import { useQuery } from '../../core/api/query'
import { client } from '../../core/api/session'
import { navigateFrom, requestPath, useLocation } from '../../core/places/navigation'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { isAllowed, offeredStep } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { useStep } from './use-step'

type ClosedProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** Acknowledges an apply in emergency. */
export function AcknowledgeStep({ review, actions: { off, open } }: Omit<ClosedProps, 'request'>) {
  if (!isAllowed(review, 'acknowledge')) return null
  return (
    <StepButton off={off} icon="review" kind="primary" wide onPress={() => open('acknowledge')}>
      Acknowledge…
    </StepButton>
  )
}

/** Whether it can be reverted, also a part of it if other changes are irreversible, and in place of the viewer's open request. */
export function useCanRevert(place: ChangeRequestPlace, review: ReviewView): boolean {
  const step = offeredStep(review, 'revert')
  const codes = new Set(step?.missing.map(({ code }) => code))
  codes.delete('other-open-change-request')
  const isPartial = codes.delete('irreversible')
  const preview = useRevertPreview(place, isPartial && codes.size === 0)
  return step !== undefined && codes.size === 0 && (!isPartial || (preview.data?.changes.length ?? 0) > 0)
}

export const useRevertPreview = (place: ChangeRequestPlace, isRead = true) =>
  useQuery(['revert', place.project, place.id], isRead ? (options) => client.revertPreview(place, options) : undefined)

/** Creates a draft with the changes of a closed request. */
export function CopyStep({ request, review, actions }: ClosedProps) {
  const { path } = useLocation()
  const copy = useStep(actions, {
    run: async ({ idempotencyKey, signal }) => {
      const { body } = await client.copy(request, { idempotencyKey, signal })
      navigateFrom(path, requestPath(body.project, body.id))
      return undefined
    },
    doneMessage: 'Draft created.',
  })
  return (
    <>
      {(isAllowed(review, 'copy') || copy.busy) && (
        <StepButton off={actions.off} icon="plus" wide busy={copy.busy && 'Sending…'} onPress={copy.press}>
          Propose again
        </StepButton>
      )}
      <OutcomeNotice action={copy} verb="propose it again" />
    </>
  )
}
