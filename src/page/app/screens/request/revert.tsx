import type { ChangeRequestPlace } from '../../../../client'
import type { ReviewView } from '../../../../generated'
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

/** Opens the window that reverts what was applied. */
export function RevertStep({ request, review, actions: { off, open } }: ClosedProps) {
  const step = offeredStep(review, 'revert')
  const canRevert = useCanRevert(request, review)
  if (!step) return null
  return (
    <ListedStep
      step={canRevert ? { ...step, allowed: true } : step}
      off={off}
      icon="undo"
      wide
      onPress={() => open('revert')}
    >
      Revert now…
    </ListedStep>
  )
}

/** Also a part of it, if other changes are irreversible, and in place of the open change request of the viewer. */
function useCanRevert(place: ChangeRequestPlace, review: ReviewView): boolean {
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
