import { client, useMe } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { reachOf } from '../../../core/tools/production'
import * as times from '../../../core/tools/times'
import { CommentField } from '../../../parts/controls/field'
import { Icon } from '../../../parts/marks/icon'
import { nameOf } from '../../../parts/marks/person'
import { count } from '../../../words/numbers'
import { isReason, lengthOf, maxReason, minReason } from '../../now/reason'
import { SkippedReview } from '../../now/skipped-review'
import { useEmergency } from '../emergency'
import { digestOf } from '../review'
import { useStep } from '../use-step'
import { commentIn, useVoteComment } from '../vote'
import { About, type DialogProps, StepDialog } from './step-dialog'

/** Rejects, with an optional reason. */
export function RejectDialog({ request, review, targets, actions, onClose }: DialogProps) {
  const me = useMe()
  const [comment, setComment] = useVoteComment(request)
  const step = useStep(actions, {
    run: (write) => client.setState(request, { state: 'Rejected', ...digestOf(review), ...commentIn(comment) }, write),
    doneMessage: 'You rejected it. Nothing was applied.',
    isDone: (latest) => latest.request.rejections.some(({ createdBy }) => createdBy.id === me.id),
    onDone: () => {
      setComment('')
      onClose()
    },
  })
  return (
    <StepDialog
      title={`Reject and close #${request.id}?`}
      subtitle={<About targets={targets} />}
      submitLabel="Reject and close"
      busyLabel="Rejecting…"
      icon="x"
      danger
      cancelLabel="Back to review"
      verb="reject it"
      keptMessage="Your comment is kept."
      {...{ request, actions, step, onClose }}
    >
      <CommentField
        label="Why"
        help="Optional. Everyone who can see the change request can read it."
        comment={comment}
        onComment={setComment}
      />
      <p class="small">Rejecting closes the change request. It cannot be reopened, only proposed again.</p>
    </StepDialog>
  )
}

/** Acknowledges an apply without approval. */
export function AcknowledgeDialog({ request, review, targets, actions, onClose }: DialogProps) {
  const me = useMe()
  const [comment, setComment, clear] = useDraft(`acknowledgement ${request.project} ${request.id}`)
  const step = useStep(actions, {
    run: (write) => client.acknowledge(request, comment.trim() === '' ? undefined : comment, write),
    doneMessage: 'Acknowledged.',
    isDone: (latest) => latest.review.emergency?.acknowledgedBy?.id === me.id,
    onDone: () => {
      clear()
      onClose()
    },
  })
  const { ended: applied, emergency } = review
  return (
    <StepDialog
      title="Acknowledge the emergency?"
      subtitle={<About targets={targets} />}
      submitLabel="Acknowledge"
      busyLabel="Saving…"
      icon="check"
      cancelLabel="Not yet"
      verb="acknowledge it"
      keptMessage="Your comment is kept."
      {...{ request, actions, step, onClose }}
    >
      {applied && emergency && (
        <p>
          Live since {times.dayAndTime(applied.at)}: “<bdi>{emergency.reason}</bdi>”. Acknowledging changes no flag. If
          something is wrong, revert it.
        </p>
      )}
      <CommentField label="Comment" help="Optional." comment={comment} onComment={setComment} />
    </StepDialog>
  )
}

/** Applies without the approvals: shows which are missing, and requires a reason. */
export function EmergencyDialog({ request, review, targets, actions, onClose }: DialogProps) {
  const me = useMe()
  const [reason, setReason, clear] = useDraft(`emergency ${request.project} ${request.id}`)
  const author = request.createdBy
  const step = useEmergency(actions, reason, () => {
    clear()
    onClose()
  })
  return (
    <StepDialog
      title="Apply in emergency, without review?"
      affectsEnvironment
      subtitle={<About targets={targets} />}
      submitLabel={
        <span>
          Apply to <bdi>{reachOf(request)}</bdi> without review
        </span>
      }
      busyLabel="Applying…"
      icon="bolt"
      danger
      cancelLabel="Back to review"
      isReady={isReason(reason)}
      verb={`apply in ${request.environment} without review`}
      keptMessage="Your reason is kept."
      {...{ request, actions, step, onClose }}
    >
      <SkippedReview
        title={request.approvals.length === 0 ? 'No other user has reviewed this' : 'Required approvals are missing'}
        requirements={review.requirements}
      >
        It takes effect immediately.
      </SkippedReview>
      <div class="field">
        <div class="split">
          <label for="reason">Reason</label>
          <span class="muted small" id="reason-count">
            {count(lengthOf(reason))} of {count(maxReason)}
          </span>
        </div>
        <textarea
          id="reason"
          rows={3}
          data-first
          required
          aria-describedby="reason-help reason-count"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <p class="muted small" id="reason-help">
          At least {minReason} characters. The log shows it with your name and the missing requirements.
        </p>
      </div>
      <ul class="checks">
        <li>
          <Icon name="review" />
          <span>
            Afterwards it needs acknowledgement by anyone who can approve and is neither you
            {author.id !== me.id && (
              <>
                {' '}
                nor <bdi>{nameOf(author)}</bdi>
              </>
            )}
            .
          </span>
        </li>
        <li>
          <Icon name="undo" />
          <span>A new change request can revert it.</span>
        </li>
      </ul>
    </StepDialog>
  )
}
