import { useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { DiscussionCommentView } from '../../../../generated'
import { client, useMe } from '../../core/api/session'
import { useDraft } from '../../core/tools/drafts'
import { Button } from '../../parts/controls/button'
import { CommentField } from '../../parts/controls/field'
import { PersonName } from '../../parts/marks/person'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { approveId, objectingId, rejectingId } from './focus'
import { approvalsOf, approvalWords, approveLabel, digestOf, isAllowed, mayObject, pendingPreset } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { hasNewComment, type StepAction, useStep } from './use-step'

/** The comment of a vote, the same for approving and rejecting. */
export const useVoteComment = ({ project, id }: ChangeRequestPlace) => useDraft(`decision ${project} ${id}`)

export interface Approval {
  readonly label: string
  readonly action: Omit<StepAction, 'start' | 'press'>
  readonly approve: (comment: ReturnType<typeof useVoteComment>) => void
  /** Comments that were added before the approval, and were not on the screen yet. */
  readonly unseen: readonly DiscussionCommentView[]
}

type VoteProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** The approval of the viewer; several buttons share it. */
export function useApproval({ request, review, actions }: VoteProps): Approval {
  const me = useMe()
  const [seen, setSeen] = useState<ReadonlySet<number>>()
  const action = useStep<[isPreset: boolean, comment: ReturnType<typeof useVoteComment>]>(actions, {
    // Without If-Match: a comment of another user does not change what was reviewed, and the digest allows nothing else.
    // The digest does not include a preset schedule, which the approval is also for.
    run: ({ ifMatch, ...write }, isPreset, [comment]) => {
      setSeen((before) => before ?? new Set(review.discussion.map(({ id }) => id)))
      const vote = { state: 'Approved', ...digestOf(review), ...commentIn(comment) } as const
      return client.setState(request, vote, isPreset ? { ifMatch, ...write } : write)
    },
    doneMessage: `You approved it. ${approvalWords(review, me)}`,
    isDone: (latest) => latest.request.approvals.some(({ createdBy }) => createdBy.id === me.id),
    onDone: (_isPreset, [, , clear]) => clear(),
  })
  const vote = approvalsOf(review).find(({ person }) => person.id === me.id)
  const unseen = review.discussion.filter(
    ({ id, text, createdAt, createdBy }) =>
      vote !== undefined && text !== null && createdAt <= vote.at && seen?.has(id) === false && createdBy.id !== me.id,
  )
  return {
    label: approveLabel(review, me),
    action,
    approve: (comment) => action.press(pendingPreset(review) !== undefined, comment),
    unseen,
  }
}

/** The member of a decision with a comment; none for an empty one. */
export const commentIn = (comment: string) => (comment.trim() === '' ? {} : { comment })

/** The buttons of a vote. Approve is sent immediately; Object and Reject open dialogs. */
export function Vote({ request, review, actions, approval }: VoteProps & { readonly approval: Approval }) {
  const me = useMe()
  const { off, open } = actions
  const { label, action, unseen } = approval
  const draft = useVoteComment(request)
  const [comment, setComment] = draft
  const mayApprove = isAllowed(review, 'approve') || action.busy
  const mayReject = isAllowed(review, 'reject')
  const objects = mayObject(review, me)
  const isLong = label !== 'Approve' || objects
  return (
    <>
      {/* The text stays in its field when the user is no longer allowed to vote. */}
      {(mayApprove || comment.trim() !== '') && (
        <CommentField
          label={mayApprove ? 'Comment with it (optional)' : 'Your comment, not sent yet'}
          comment={comment}
          onComment={setComment}
        />
      )}
      <SendComment {...{ request, actions, draft }} isOffered={!mayApprove && comment.trim() !== ''} />
      {(mayApprove || mayReject || objects) && (
        <>
          <div class={isLong ? 'steps' : 'pair'}>
            {mayApprove && (
              <StepButton
                id={approveId}
                off={off}
                icon="check"
                kind="primary"
                wide={isLong}
                busy={action.busy && 'Approving…'}
                onPress={() => approval.approve(draft)}
              >
                {label}
              </StepButton>
            )}
            {objects && (
              <StepButton
                off={off}
                icon="stop"
                wide={isLong}
                aria-describedby={objectingId}
                onPress={() => open('object')}
              >
                Object…
              </StepButton>
            )}
            {mayReject && (
              <StepButton
                off={off}
                icon="x"
                wide={isLong}
                aria-describedby={rejectingId}
                onPress={() => open('reject')}
              >
                Reject…
              </StepButton>
            )}
          </div>
          <p class="fine">
            {mayApprove && `For the content on this screen, revision ${review.revision}. ${approvalWords(review, me)} `}
            {objects && (
              <span id={objectingId}>Objecting blocks applying until you lift it; it does not close the request. </span>
            )}
            {mayReject && <span id={rejectingId}>Rejecting closes the request.</span>}
          </p>
        </>
      )}
      <OutcomeNotice action={action} verb="approve it" keptMessage="Your comment is kept." />
      {unseen.length > 0 && <Unseen comments={unseen} />}
    </>
  )
}

interface SendCommentProps extends Pick<VoteProps, 'request' | 'actions'> {
  readonly draft: ReturnType<typeof useVoteComment>
  readonly isOffered: boolean
}

/** Sends the comment of a vote that is no longer possible, such as after another user was first. */
function SendComment({ request, actions, draft: [comment, setComment], isOffered }: SendCommentProps) {
  const me = useMe()
  const step = useStep(actions, {
    run: ({ idempotencyKey, signal }) => client.comment(request, { text: comment }, { idempotencyKey, signal }),
    doneMessage: 'Your comment was added.',
    whileChanged: true,
    hasKey: true,
    isDone: (latest, before) => hasNewComment(latest, before, me.id),
    onDone: () => setComment(''),
  })
  return (
    <>
      {isOffered && (
        <Button busy={step.busy && 'Sending…'} onClick={() => step.press()}>
          Send as a comment
        </Button>
      )}
      <OutcomeNotice action={step} />
    </>
  )
}

/** An approval does not depend on comments, so the last ones can be new to the viewer. */
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
