import { client } from '../../../core/api/session'
import { navigate } from '../../../core/places/navigation'
import { changeWords } from '../../../words/changes'
import { Voids } from '../changes/overwrite/voids'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'
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
      leave="Leave it open"
      step={step}
      onSubmit={() => step.press()}
      what="cancel it"
      onClose={onClose}
    >
      <p>Nothing is applied, and it cannot be opened again. It stays to be read.</p>
    </StepDialog>
  )
}

/** The end of a draft: nothing of it stays but the log. */
export function DiscardDialog({ onClose }: DialogProps) {
  const { content } = useRequestContext()
  const step = useStep({
    run: ({ place }, write) => client.discard(place, write),
    said: 'The draft is gone.',
    onDone: () => {
      onClose()
      navigate('/')
    },
  })
  return (
    <StepDialog
      title={`Throw draft #${content.request.id} away?`}
      words="Throw it away"
      busy="Throwing it away…"
      icon="trash"
      leave="Keep the draft"
      step={step}
      onSubmit={() => step.press()}
      what="throw it away"
      onClose={onClose}
    >
      <p>The draft is deleted, with all of its changes. Only the log still tells of it.</p>
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
    said: 'The change is taken out.',
    adopts: true,
    onDone: onClose,
  })
  const words = change && changeWords(change, change.before ?? change.after)
  return (
    <StepDialog
      title="Take this change out?"
      words="Take it out"
      busy="Taking it out…"
      icon="trash"
      leave="Leave it in"
      step={step}
      onSubmit={() => step.press()}
      what="take a change out"
      onClose={onClose}
    >
      <p>
        {target && (
          <span class="flag">
            <bdi>{target.name}</bdi>
          </span>
        )}{' '}
        <bdi>{words && `${words.what} ${words.how}`}</bdi>
      </p>
      <p class="small">
        <Voids />
      </p>
    </StepDialog>
  )
}
