import { client } from '../../../core/api/session'
import { navigateFrom, useLocation } from '../../../core/places/navigation'
import { changeWords } from '../../../words/changes'
import { Voids } from '../changes/overwrite/voids'
import { useRequestContext } from '../model/context'
import { isWithout, useStep } from '../model/use-step'
import { type DialogProps, StepDialog } from './frame'

/** The end of a request that its author no longer wants. */
export function CancelDialog({ onClose }: DialogProps) {
  const { content } = useRequestContext()
  const step = useStep({
    run: ({ place }, write) => client.setState(place, { state: 'Cancelled' }, write),
    said: 'It is cancelled. Nothing was applied.',
    isDone: ({ review }) => review.state === 'Cancelled',
    onDone: onClose,
  })
  return (
    <StepDialog
      title={`Cancel #${content.request.id}?`}
      words="Cancel the request"
      busy="Cancelling…"
      icon="cancelled"
      leave="Keep it open"
      step={step}
      onSubmit={() => step.press()}
      what="cancel it"
      onClose={onClose}
    >
      <p>Nothing is applied, and it cannot be reopened. It stays readable.</p>
    </StepDialog>
  )
}

/** The end of a draft: nothing of it stays but the log. */
export function DiscardDialog({ onClose }: DialogProps) {
  const { content } = useRequestContext()
  const { path } = useLocation()
  const step = useStep({
    run: ({ place }, write) => client.discard(place, write),
    said: 'The draft was discarded.',
    deletes: true,
    onDone: () => {
      onClose()
      navigateFrom(path, '/')
    },
  })
  return (
    <StepDialog
      title={`Discard draft #${content.request.id}?`}
      words="Discard the draft"
      busy="Discarding…"
      icon="trash"
      leave="Keep the draft"
      step={step}
      onSubmit={() => step.press()}
      what="discard it"
      onClose={onClose}
    >
      <p>The draft and all its changes are deleted. The log keeps its events.</p>
    </StepDialog>
  )
}

/** The end of the text of a comment. */
export function DeleteCommentDialog({ id, onClose }: DialogProps & { readonly id: number }) {
  const { latest } = useRequestContext()
  const step = useStep({
    // Without a revision: the server knows until when it can be deleted, and says why not.
    run: ({ place }, { signal }) => client.deleteComment(place, id, { signal }),
    said: 'Your comment was deleted.',
    isDone: ({ review }) => review.discussion.some((one) => one.id === id && one.deleted !== null),
    onDone: onClose,
  })
  return (
    <StepDialog
      title="Delete your comment?"
      words="Delete the comment"
      busy="Deleting…"
      icon="trash"
      leave="Keep the comment"
      step={step}
      onSubmit={() => step.press()}
      what="delete it"
      onClose={onClose}
    >
      <p class="said" dir="auto">
        {latest.review.discussion.find((one) => one.id === id)?.text}
      </p>
      <p class="small">Its text is deleted. The activity still shows that there was one.</p>
    </StepDialog>
  )
}

/** Taking one change out. */
export function DiscardChangeDialog({ id, onClose }: DialogProps & { readonly id: number }) {
  const { content } = useRequestContext()
  const target = content.targets.find(({ changes }) => changes.some((change) => change.id === id))
  const change = target?.changes.find((one) => one.id === id)
  const step = useStep({
    run: ({ place }, write) => client.discardChange(place, id, write),
    said: 'The change was discarded.',
    isDone: (latest, before) => isWithout(latest, before, id),
    adopts: true,
    onDone: onClose,
  })
  const words = change && changeWords(change, change.before ?? change.after)
  return (
    <StepDialog
      title="Discard this change?"
      words="Discard the change"
      busy="Discarding…"
      icon="trash"
      leave="Keep the change"
      step={step}
      onSubmit={() => step.press()}
      what="discard a change"
      onClose={onClose}
    >
      <p>
        {target && (
          <span class="flag">
            <bdi>{target.name}</bdi>
          </span>
        )}{' '}
        <bdi>{words && `${words.what} ${words.how}`.trim()}</bdi>
      </p>
      <p class="small">
        <Voids />
      </p>
    </StepDialog>
  )
}
