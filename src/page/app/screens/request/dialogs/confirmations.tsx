import { client } from '../../../core/api/session'
import { navigateFrom, useLocation } from '../../../core/places/navigation'
import { changeWords } from '../../../words/changes'
import { Voids } from '../overwrite'
import { isWithout, useStep } from '../use-step'
import { type DialogProps, StepDialog } from './step-dialog'

export function CancelDialog({ request, actions, onClose }: DialogProps) {
  const step = useStep(actions, {
    run: (write) => client.setState(request, { state: 'Cancelled' }, write),
    doneMessage: 'It is cancelled. Nothing was applied.',
    isDone: ({ review }) => review.state === 'Cancelled',
    onDone: onClose,
  })
  return (
    <StepDialog
      title={`Cancel #${request.id}?`}
      submitLabel="Cancel the request"
      busyLabel="Cancelling…"
      icon="cancelled"
      danger
      cancelLabel="Keep it open"
      verb="cancel it"
      {...{ request, actions, step, onClose }}
    >
      <p>Nothing is applied, and it cannot be reopened. It stays readable.</p>
    </StepDialog>
  )
}

export function DiscardDialog({ request, actions, onClose }: DialogProps) {
  const { path } = useLocation()
  const step = useStep(actions, {
    run: (write) => client.discard(request, write),
    doneMessage: 'The draft was discarded.',
    deletes: true,
    onDone: () => {
      onClose()
      navigateFrom(path, '/')
    },
  })
  return (
    <StepDialog
      title={`Discard draft #${request.id}?`}
      submitLabel="Discard the draft"
      busyLabel="Discarding…"
      icon="trash"
      danger
      cancelLabel="Keep the draft"
      verb="discard it"
      {...{ request, actions, step, onClose }}
    >
      <p>The draft and all its changes are deleted. The log keeps its events.</p>
    </StepDialog>
  )
}

export function DeleteCommentDialog({ id = 0, request, review, actions, onClose }: DialogProps) {
  const step = useStep(actions, {
    // Without a revision: the server knows until when it can be deleted, and returns the reason.
    run: ({ signal }) => client.deleteComment(request, id, { signal }),
    doneMessage: 'Your comment was deleted.',
    isDone: (latest) => latest.review.discussion.some((one) => one.id === id && one.deleted !== null),
    onDone: onClose,
  })
  return (
    <StepDialog
      title="Delete your comment?"
      submitLabel="Delete the comment"
      busyLabel="Deleting…"
      icon="trash"
      danger
      cancelLabel="Keep the comment"
      verb="delete it"
      {...{ request, actions, step, onClose }}
    >
      <p class="said" dir="auto">
        {review.discussion.find((one) => one.id === id)?.text}
      </p>
      <p class="small">Its text is deleted. The activity still shows that there was one.</p>
    </StepDialog>
  )
}

export function DiscardChangeDialog({ id = 0, request, review, targets, actions, onClose }: DialogProps) {
  const target = targets.find(({ changes }) => changes.some((change) => change.id === id))
  const change = target?.changes.find((one) => one.id === id)
  const step = useStep(actions, {
    run: (write) => client.discardChange(request, id, write),
    doneMessage: 'The change was discarded.',
    isDone: (latest, before) => isWithout(latest, before, id),
    updatesContent: true,
    onDone: onClose,
  })
  const words = change && changeWords(change, change.before ?? change.after)
  return (
    <StepDialog
      title="Discard this change?"
      submitLabel="Discard the change"
      busyLabel="Discarding…"
      icon="trash"
      danger
      cancelLabel="Keep the change"
      verb="discard a change"
      {...{ request, actions, step, onClose }}
    >
      <p>
        {target && <bdi class="flag">{target.name}</bdi>} <bdi>{words && `${words.what} ${words.how}`.trim()}</bdi>
      </p>
      <p class="small">
        <Voids review={review} />
      </p>
    </StepDialog>
  )
}
