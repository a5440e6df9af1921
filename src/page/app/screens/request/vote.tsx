import { useState } from 'preact/hooks'
import type { ChangeRequestPlace } from '../../../../client'
import type { DiscussionCommentView } from '../../../../generated'
import { client, useMe } from '../../core/api/session'
import { useDraft } from '../../core/tools/drafts'
import { Button } from '../../parts/controls/button'
import { CommentField } from '../../parts/controls/field'
import { PersonName } from '../../parts/marks/person'
import { MissingList } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { approveId } from './focus'
import {
  approvalsOf,
  approvalWords,
  approveLabel,
  digestOf,
  haveSameMissing,
  offeredStep,
  pendingPreset,
  sharedMissing,
} from './review'
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

/** The buttons of a vote. Approve is sent immediately; Reject opens a dialog. */
export function Vote({ request, review, actions, approval }: VoteProps & { readonly approval: Approval }) {
  const me = useMe()
  const { off, open } = actions
  const { label, action, unseen } = approval
  const draft = useVoteComment(request)
  const [comment, setComment] = draft
  const [approve, reject] = [offeredStep(review, 'approve'), offeredStep(review, 'reject')]
  const outcome = (
    <>
      <OutcomeNotice action={action} verb="approve it" keptMessage="Your comment is kept." />
      {unseen.length > 0 && <Unseen comments={unseen} />}
    </>
  )
  if (!approve && !reject) {
    return (
      <>
        {outcome}
        {comment.trim() !== '' && <UnsentComment request={request} actions={actions} />}
      </>
    )
  }
  const isLong = label !== 'Approve'
  const isAny = approve?.allowed || reject?.allowed
  // The text stays when the user is no longer allowed to send it.
  const isField = approve?.allowed || comment !== ''
  const isShared = approve !== undefined && reject !== undefined && haveSameMissing(approve, reject)
  const missing = <MissingList id="missing-vote" missing={sharedMissing(approve, isShared ? undefined : reject)} />
  return (
    <>
      {isField ? (
        <CommentField label="Comment with it (optional)" comment={comment} onComment={setComment} />
      ) : (
        !isAny && missing
      )}
      <div class={isLong ? 'steps' : 'pair'}>
        {approve && (
          <StepButton
            id={approveId}
            step={approve}
            off={off}
            icon="check"
            kind="primary"
            wide={isLong}
            busy={action.busy && 'Approving…'}
            missingId="missing-vote"
            onPress={() => approval.approve(draft)}
          >
            {label}
          </StepButton>
        )}
        {reject && (
          <StepButton
            step={reject}
            off={off}
            icon="x"
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
          For the content on this screen, revision {review.revision}. {approvalWords(review, me)}
        </p>
      )}
    </>
  )
}

/** The comment of a vote that is no longer possible, because another user was first. */
function UnsentComment({ request, actions }: Pick<VoteProps, 'request' | 'actions'>) {
  const me = useMe()
  const [comment, setComment] = useVoteComment(request)
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
      <CommentField label="Your comment, not sent yet" help="Optional." comment={comment} onComment={setComment} />
      <Button busy={step.busy && 'Sending…'} onClick={() => step.press()}>
        Send as a comment
      </Button>
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
