import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import * as times from '../../../core/tools/times'
import { CommentField } from '../../../parts/controls/comment-field'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'
import { About, type DialogProps, StepDialog } from './frame'

/** Acknowledges an apply before the approval. */
export function AcknowledgeDialog({ onClose }: DialogProps) {
  const { content, latest, place, me } = useRequestContext()
  const [comment, setComment, clear] = useDraft(`acknowledgement ${place.project} ${place.id}`)
  const step = useStep({
    run: (_context, write) => client.acknowledge(place, comment.trim() === '' ? undefined : comment, write),
    said: 'Acknowledged.',
    isDone: ({ review }) => review.emergency?.acknowledgedBy?.id === me.id,
    onDone: () => {
      clear()
      onClose()
    },
  })
  const { ended: applied, emergency } = latest.review
  return (
    <StepDialog
      title="Acknowledge the emergency?"
      below={<About targets={content.targets} />}
      words="Acknowledge"
      busy="Saving…"
      icon="check"
      leave="Not yet"
      step={step}
      onSubmit={() => step.press()}
      what="acknowledge it"
      kept="Your comment is kept."
      onClose={onClose}
    >
      {applied && emergency && (
        <p>
          It is live since {times.dayAndTime(applied.at)}: “<bdi>{emergency.reason}</bdi>”. Your look changes nothing
          there; what is wrong is taken back by a revert.
        </p>
      )}
      <CommentField label="Comment" help="Optional." comment={comment} onComment={setComment} />
    </StepDialog>
  )
}
