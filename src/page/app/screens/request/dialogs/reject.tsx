import { client } from '../../../core/api/session'
import { CommentField } from '../../../parts/controls/comment-field'
import { useApproval } from '../decision/approval'
import { useRequestContext } from '../model/context'
import { digestOf } from '../model/use-request'
import { useStep } from '../model/use-step'
import { About, type DialogProps, StepDialog } from './frame'

/** Rejecting asks why; nobody has to answer. */
export function RejectDialog({ onClose }: DialogProps) {
  const { content, me } = useRequestContext()
  const { comment, setComment } = useApproval()
  const step = useStep({
    run: ({ place }, write) => {
      const said = comment.trim() === '' ? {} : { comment }
      return client.setState(place, { state: 'Rejected', ...digestOf(content.review), ...said }, write)
    },
    said: 'You rejected it. Nothing was applied.',
    isDone: ({ request }) => request.rejections.some(({ createdBy }) => createdBy.id === me.id),
    onDone: () => {
      setComment('')
      onClose()
    },
  })
  return (
    <StepDialog
      title={`Reject #${content.request.id}?`}
      below={<About targets={content.targets} />}
      words="Reject it"
      busy="Rejecting…"
      icon="x"
      leave="Back to review"
      step={step}
      onSubmit={() => step.press()}
      what="reject it"
      kept="Your comment is kept."
      onClose={onClose}
    >
      <CommentField
        label="Why"
        help="Optional. Everyone who can see the change request can read it."
        comment={comment}
        onComment={setComment}
      />
      <p class="small">A rejected change request cannot be reopened, only proposed again.</p>
    </StepDialog>
  )
}
