import type { ReviewStepView, StepName } from '../../../../generated'
import { useMe } from '../../core/api/session'
import { reachOf } from '../../core/tools/production'
import { Button } from '../../parts/controls/button'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { Requirements } from '../../parts/marks/requirement'
import { isClosed } from '../../parts/marks/state'
import { MissingList } from '../../parts/messages/load-failed'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { isMet } from '../../words/waits'
import { UnsavedEdits } from './edits'
import { decisionId, focusOn } from './focus'
import { Waits } from './head'
import { AcknowledgeStep, CopyStep, RevertStep } from './revert'
import { isAllowed, needsAcknowledgement, offeredStep, pendingPreset } from './review'
import { OffReason } from './step-button'
import { Applying, ApplySteps, AuthorSteps, EmergencyStep, isEmergencyShown } from './steps'
import type { Names, RequestProps } from './use-request'
import { type Approval, useVoteComment, Vote } from './vote'
import { Votes } from './votes'

interface DecisionProps extends Pick<RequestProps, 'request' | 'review' | 'actions'> {
  readonly approval: Approval
}

/** What the viewer can do now, which requirements are missing, and who voted. */
export function Aside({ nameOf, ...props }: DecisionProps & Pick<Names, 'nameOf'>) {
  const { request, review, actions } = props
  const isMine = useMe().id === request.createdBy.id
  const decides = offeredStep(review, 'approve') !== undefined && !isMine
  const hasRequirements = review.requirements.length > 0 && (!isClosed(review.state) || review.state === 'Applied')
  const names = new Map(
    review.requirements.flatMap(({ from }) => from?.users ?? []).map((id) => [id, nameOf(id) ?? `user ${id}`]),
  )
  const met = review.requirements.filter(isMet).length
  return (
    <aside class="aside" aria-label="Decision and requirements">
      <section class="panel side decide edge" aria-labelledby="decide" id={decisionId} tabIndex={-1}>
        <h2 id="decide">{isMine ? 'You are the author' : decides ? 'Your decision' : 'Steps'}</h2>
        <OffReason off={actions.off} />
        <UnsavedEdits {...props} />
        {isMine && <AuthorSteps {...props} />}
        <Vote {...props} />
        <Applying {...props} />
        <ApplySteps {...props} />
        <EmergencyStep {...props} />
        <AcknowledgeStep {...props} />
        <RevertStep {...props} />
        <CopyStep {...props} />
        {!isMine && <AuthorSteps {...props} />}
        <OtherSteps review={review} isMine={isMine} />
      </section>
      {hasRequirements && (
        <section class="panel side edge" aria-labelledby="requirements">
          <h2 id="requirements">
            Requirements{' '}
            <small class="muted small thin">
              {met} of {review.requirements.length} met
            </small>
          </h2>
          <Requirements requirements={review.requirements} names={names} />
        </section>
      )}
      <Votes {...props} />
    </aside>
  )
}

const stepTitles: Readonly<Record<StepName, string>> = {
  submit: 'Send to review',
  cancel: 'Cancel',
  discard: 'Discard the draft',
  edit: 'Edit the changes',
  approve: 'Approve',
  reject: 'Reject',
  schedule: 'Schedule',
  presetSchedule: 'Schedule before the approval',
  withdrawPresetSchedule: 'Withdraw the schedule',
  apply: 'Apply',
  applyInEmergency: 'Apply in emergency',
  settle: 'Settle',
  acknowledge: 'Acknowledge',
  rebase: 'Rebase',
  revert: 'Revert',
  copy: 'Propose again',
}

/** Every step without a button, with what is missing, so that no step is just absent. */
function OtherSteps({ review, isMine }: Pick<DecisionProps, 'review'> & { readonly isMine: boolean }) {
  const others = review.steps.filter((step) => !step.allowed && !hasButton(step))
  if (others.length === 0) return null
  return (
    <details class="others">
      <summary class="soft small">
        Other steps <span class="muted">({others.length})</span>
      </summary>
      <ul>
        {others.map(({ step, missing }) => (
          <li key={step}>
            <h3 class="soft small">{stepTitles[step]}</h3>
            <MissingList missing={missing} />
          </li>
        ))}
      </ul>
    </details>
  )

  function hasButton({ step }: ReviewStepView): boolean {
    const isOffered = offeredStep(review, step) !== undefined
    switch (step) {
      case 'applyInEmergency':
        return isEmergencyShown(review)
      case 'submit':
      case 'cancel':
      case 'discard':
        return isMine && isOffered
      case 'withdrawPresetSchedule':
        return pendingPreset(review) === undefined
      case 'acknowledge':
        return needsAcknowledgement(review)
      case 'edit':
      case 'rebase':
        return false
      default:
        return isOffered
    }
  }
}

/** On a phone, below all: the environment, what is missing, and the decision. */
export function Dock({ request, review, actions, approval }: DecisionProps) {
  const comment = useVoteComment(request)
  const { off, open, showChange } = actions
  const [mayApprove, mayReject] = [isAllowed(review, 'approve'), isAllowed(review, 'reject')]
  if (isClosed(review.state)) return null
  return (
    <section class="dock" aria-label="To the decision">
      <p class="flow small">
        <EnvironmentMark name={reachOf(request)} />{' '}
        <span>
          <Waits request={request} review={review} />
        </span>
      </p>
      {showChange ? (
        <Button kind="primary" size="wide" onClick={showChange}>
          Show what changed
        </Button>
      ) : (
        <div class="flow">
          {mayApprove && (
            <Button
              icon="check"
              kind={off === null ? 'primary' : undefined}
              off={off !== null}
              busy={approval.action.busy && 'Approving…'}
              onClick={() => approval.approve(comment)}
            >
              {approval.label}
            </Button>
          )}
          {mayReject && (
            <Button icon="x" off={off !== null} onClick={() => open('reject')}>
              Reject…
            </Button>
          )}
          <Button onClick={() => focusOn(decisionId)}>{mayApprove || mayReject ? 'More steps' : 'To the steps'}</Button>
        </div>
      )}
      <OutcomeNotice action={approval.action} verb="approve it" keptMessage="Your comment is kept." />
    </section>
  )
}
