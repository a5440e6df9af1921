import type { DiscussionCommentView, ReviewView } from '../../../../../generated'
import { client } from '../../../core/api/session'
import { Button } from '../../../parts/controls/button'
import { CommentField } from '../../../parts/controls/comment-field'
import { PersonName } from '../../../parts/marks/person'
import { MissingList } from '../../../parts/messages/missing-list'
import { Notice } from '../../../parts/messages/notice'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { approvalWords } from '../model/preset-schedule'
import { missTheSame, offeredStep, sharedMissing } from '../model/steps'
import { hasNewComment, useStep } from '../model/use-step'
import { useApproval } from './approval'
import { StepButton } from './step-button'

export const approveId = 'step-approve'

/** Approve votes immediately; a rejection has a reason. */
export function Vote() {
  const { content, latest, me, open } = useRequestContext()
  const { comment, setComment, approve: action, words, unseen } = useApproval()
  const { approve, reject } = shownSteps(latest.review)
  const outcome = (
    <>
      <OutcomeNotice action={action} what="approve it" kept="Your comment is kept." />
      {unseen.length > 0 && <Unseen comments={unseen} />}
    </>
  )
  if (!approve && !reject) {
    return (
      <>
        {outcome}
        {comment.trim() !== '' && <KeptComment />}
      </>
    )
  }
  const isLong = words !== 'Approve'
  const isAny = approve?.allowed || reject?.allowed
  // What was written does not go away with the right to send it.
  const isField = approve?.allowed || comment !== ''
  const isShared = approve !== undefined && reject !== undefined && missTheSame(approve, reject)
  const missing = <MissingList id="missing-vote" missing={sharedMissing(approve, isShared ? undefined : reject)} />
  return (
    <>
      {isField ? (
        <div class="field">
          <label for="decision">
            Comment with it <span class="muted thin">(optional)</span>
          </label>
          <textarea
            id="decision"
            value={comment}
            maxLength={10_000}
            onInput={({ currentTarget }) => setComment(currentTarget.value)}
          />
        </div>
      ) : (
        !isAny && missing
      )}
      <div class={isLong ? 'steps' : 'pair'}>
        {approve && (
          <StepButton
            id={approveId}
            step={approve}
            icon="check"
            kind="primary"
            wide={isLong}
            busy={action.busy && 'Approving…'}
            missingId="missing-vote"
            onPress={() => action.press()}
          >
            {words}
          </StepButton>
        )}
        {reject && (
          <StepButton
            step={reject}
            icon="x"
            kind="danger-quiet"
            wide={isLong}
            missingId="missing-vote"
            onPress={() => open('reject')}
          >
            Reject…
          </StepButton>
        )}
      </div>
      {(isField || isAny) && !(approve?.allowed && reject?.allowed) && missing}
      {outcome}
      {approve?.allowed && (
        <p class="fine">
          For the content on this screen, revision {content.review.revision}. {approvalWords(latest.review, me)}
        </p>
      )}
    </>
  )
}

/** The text of a decision that can no longer be taken, because another user was first. */
function KeptComment() {
  const { place, me } = useRequestContext()
  const { comment, setComment } = useApproval()
  const step = useStep({
    run: (_context, { idempotencyKey, signal }) => client.comment(place, { text: comment }, { idempotencyKey, signal }),
    said: 'Your comment was added.',
    whileChanged: true,
    hasKey: true,
    isDone: (latest, before) => hasNewComment(latest, before, me.id),
    onDone: () => setComment(''),
  })
  return (
    <>
      <CommentField label="Your comment, not sent yet" help="Optional." comment={comment} onComment={setComment} />
      <Button busy={step.busy && 'Sending…'} onClick={() => step.press()}>
        Send as a comment
      </Button>
      <OutcomeNotice action={step} />
    </>
  )
}

/** An approval does not depend on comments, so it may come after some that its author had not seen. */
function Unseen({ comments }: { readonly comments: readonly DiscussionCommentView[] }) {
  return (
    <Notice tone="info" icon="comment" title="Comments that came before your approval">
      <ul>
        {comments.map(({ id, createdBy, text }) => (
          <li key={id}>
            <PersonName person={createdBy} />: <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** A vote that does not belong to the state has no button. */
function shownSteps(review: ReviewView) {
  return { approve: offeredStep(review, 'approve'), reject: offeredStep(review, 'reject') }
}
