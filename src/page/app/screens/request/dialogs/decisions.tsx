import { client, useMe } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { reachOf } from '../../../core/tools/production'
import * as times from '../../../core/tools/times'
import { CommentField } from '../../../parts/controls/field'
import { Icon } from '../../../parts/marks/icon'
import { nameOf, PersonName } from '../../../parts/marks/person'
import { followersWords } from '../../../words/follows'
import { count } from '../../../words/numbers'
import { hasObjected, objectingWords } from '../../../words/objections'
import { isReason, lengthOf, maxReason, minReason } from '../../now/reason'
import { SkippedReview } from '../../now/skipped-review'
import { useEmergency } from '../emergency'
import { appliesWords, digestOf, endsLastObstacle, openObjections, presetWords } from '../review'
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
      <p class="small">
        Rejecting closes the change request. It cannot be reopened, only proposed again. {followersWords(review)}
      </p>
    </StepDialog>
  )
}

/** Blocks applying, also again with another text. The digest says for which content: a comment of another user does not stop it. */
export function ObjectDialog({ request, review, targets, actions, onClose }: DialogProps) {
  const me = useMe()
  const [text, setText] = useVoteComment(request)
  const isApprover = request.approvals.some(({ createdBy }) => createdBy.id === me.id)
  const step = useStep(actions, {
    run: ({ signal }) => client.object(request, { text, ...digestOf(review) }, { signal }),
    doneMessage: "You objected. It can't be applied now.",
    isDone: (latest, before) => hasObjected(latest.review, before.review, me.id, text),
    onDone: () => {
      setText('')
      onClose()
    },
  })
  return (
    <StepDialog
      title={`Object to #${request.id}?`}
      subtitle={<About targets={targets} />}
      submitLabel="Object"
      busyLabel="Objecting…"
      icon="stop"
      cancelLabel="Back to review"
      isReady={text.trim() !== ''}
      verb="object"
      keptMessage="Your text is kept."
      {...{ request, actions, step, onClose }}
    >
      <CommentField
        label="Why"
        help="Everyone who can see the change request can read it."
        comment={text}
        onComment={setText}
      />
      <p class="small">{objectingWords(review, isApprover)}</p>
    </StepDialog>
  )
}

/** Dismisses the objection of another user. */
export function DismissObjectionDialog({ id = 0, request, review, actions, onClose }: DialogProps) {
  const me = useMe()
  const [reason, setReason, clear] = useDraft(`dismissal ${request.project} ${request.id} ${id}`)
  const objection = review.objections?.find((one) => one.id === id)
  const isLast = endsLastObstacle(review)
  const step = useStep(actions, {
    run: (write) => client.dismissObjection(request, id, reason.trim(), write),
    doneMessage: 'The objection was dismissed.',
    isDone: ({ review }) =>
      review.objections?.some(
        ({ id: one, ended }) => one === id && ended?.how === 'dismissed' && ended.by.id === me.id,
      ) === true,
    onDone: () => {
      clear()
      onClose()
    },
  })
  const applies = appliesWords(review, isLast)
  return (
    <StepDialog
      title="Dismiss the objection?"
      submitLabel={applies ? `Dismiss and ${applies}` : 'Dismiss the objection'}
      busyLabel="Dismissing…"
      icon="x"
      danger
      cancelLabel="Keep the objection"
      isReady={isReason(reason)}
      verb="dismiss it"
      keptMessage="Your reason is kept."
      {...{ request, actions, step, onClose }}
    >
      {objection && (
        <div>
          <PersonName person={objection.person} strong /> objected:
          <p class="said" dir="auto">
            {objection.text}
          </p>
        </div>
      )}
      <ReasonField
        reason={reason}
        onReason={setReason}
        help="Everyone who can see the change request can read it, with your name."
      />
      <p class="small">{presetWords(review, ['Dismissing it', 'the end of the last objection'], isLast)}</p>
    </StepDialog>
  )
}

interface ReasonFieldProps {
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly help: string
}

function ReasonField({ reason, onReason, help }: ReasonFieldProps) {
  return (
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
        onInput={({ currentTarget }) => onReason(currentTarget.value)}
      />
      <p class="muted small" id="reason-help">
        At least {minReason} characters. {help}
      </p>
    </div>
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
  const objections = openObjections(review)
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
        title={
          objections.length > 0
            ? 'A reviewer objected'
            : request.approvals.length === 0
              ? 'No other user has reviewed this'
              : 'Required approvals are missing'
        }
        requirements={review.requirements}
        checks={review.checks}
      >
        It takes effect immediately.
      </SkippedReview>
      {objections.length > 0 && (
        <ul>
          {objections.map(({ id, person, text }) => (
            <li key={id}>
              You override the objection of <PersonName person={person} strong />:
              <p class="said" dir="auto">
                {text}
              </p>
            </li>
          ))}
        </ul>
      )}
      <ReasonField
        reason={reason}
        onReason={setReason}
        help="The log shows it with your name and the missing requirements."
      />
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
