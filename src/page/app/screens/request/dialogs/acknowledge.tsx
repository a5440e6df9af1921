import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import * as times from '../../../core/tools/times'
import { CommentField } from '../../../parts/controls/comment-field'
import { useRequestContext } from '../model/context'
import { useStep } from '../model/use-step'
import { About, type DialogProps, StepDialog } from './frame'

/** The second look at what went live without its approvals. */
export function AcknowledgeDialog({ onClose }: DialogProps) {
  const { content, latest, place } = useRequestContext()
  const [comment, setComment, clear] = useDraft(`second look ${place.project} ${place.id}`)
  const step = useStep({
    run: (_context, write) => client.acknowledge(place, comment.trim() === '' ? undefined : comment, write),
    said: 'Thank you: the second look is told in the timeline.',
    onDone: () => {
      clear()
      onClose()
    },
  })
  const { ended: applied, emergency } = latest.review
  return (
    <StepDialog
      title="You have looked at it?"
      below={<About targets={content.targets} />}
      words="I have looked at it"
      busy="Saving…"
      icon="check"
      leave="Not yet"
      step={step}
      onSubmit={() => step.press()}
      what="have the second look"
      kept="Your comment is kept."
      onClose={onClose}
    >
      {applied && emergency && (
        <p>
          It is live since {times.dayAndTime(applied.at)}: “<bdi>{emergency.reason}</bdi>”. Your look changes nothing
          there; what is wrong is taken back by a revert.
        </p>
      )}
      <CommentField label="Comment" help="Not required." comment={comment} onComment={setComment} />
    </StepDialog>
  )
}
