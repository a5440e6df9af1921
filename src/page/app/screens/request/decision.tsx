import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { phaseOf } from '../../../../domain/lifecycle'
import type { ReviewView, StepName } from '../../../../generated'
import { useMe } from '../../core/api/session'
import { reachOf } from '../../core/tools/production'
import { useStore } from '../../core/tools/store'
import { RichText } from '../../parts/changes/rich-text'
import { Button } from '../../parts/controls/button'
import { lazy, PartFallback } from '../../parts/lazy'
import { EnvironmentMark } from '../../parts/marks/environment-mark'
import { Icon } from '../../parts/marks/icon'
import { Requirements } from '../../parts/marks/requirement'
import { isClosed } from '../../parts/marks/state'
import { MissingList } from '../../parts/messages/load-failed'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { decided } from '../../reviews/walk'
import { isRequired, missingChecks } from '../../words/checks'
import { counted } from '../../words/numbers'
import { isEnforced, isMet } from '../../words/waits'
import { UnsavedEdits } from './edits'
import { changeId, commentId, decisionId, focusOn, isOpenAtChange, rejectingId } from './focus'
import type { Next } from './next'
import { useCanRevert } from './revert'
import {
  hasClosedSteps,
  hasObjections,
  isAllowed,
  openObjections,
  pendingPreset,
  presetsSchedules,
  stepOf,
} from './review'
import { OffReason, StepButton } from './step-button'
import { ApplySteps, EmergencyStep, EndSteps, SettleStep, SubmitStep } from './steps'
import type { Names, RequestProps } from './use-request'
import { type Approval, useVoteComment, Vote } from './vote'
import { Votes } from './votes'

interface DecisionProps extends Pick<RequestProps, 'request' | 'review' | 'actions'> {
  readonly approval: Approval
  readonly next: Next
}

interface AsideProps extends DecisionProps, Pick<Names, 'nameOf'>, Pick<RequestProps, 'targets'> {}

/** What happens next, what the viewer can do now, which requirements are missing, and who voted. */
export function Aside({ nameOf, next, targets, ...props }: AsideProps) {
  const { request, review, actions } = props
  const isMine = useMe().id === request.createdBy.id
  const canRevert = useCanRevert(request, review)
  const { requirements, checks = [] } = review
  const [enforced, required] = [requirements.filter(isEnforced), checks.filter(isRequired)]
  const total = enforced.length + required.length
  const hasRequirements =
    requirements.length + checks.length > 0 && (!isClosed(review.state) || review.state === 'Applied')
  const met = enforced.filter(isMet).length + required.length - missingChecks(review).length
  const revert = canRevert && (
    <StepButton off={actions.off} icon="undo" wide onPress={() => actions.open('revert')}>
      {review.state === 'Scheduled' ? 'Switch back at…' : 'Revert now…'}
    </StepButton>
  )
  return (
    <aside class="aside" aria-label="Decision and requirements">
      {hasObjections(review) && <Objections {...props} />}
      <DecisionSection title={isMine ? 'You are the author' : isVoting(review) ? 'Your decision' : 'Next step'}>
        <p>
          <RichText words={next.words} />
        </p>
        {next.blocked && <MissingList missing={stepOf(review, next.blocked)?.missing ?? []} />}
        <OffReason off={actions.off} />
        <NextUp request={request} />
        <UnsavedEdits {...props} />
        <Unresolved review={review} />
        <SubmitStep {...props} />
        <Vote {...props} />
        <ApplySteps {...props} />
        <SettleStep {...props} />
        <AskReviewersStep {...props} isNext={isMine && next.namesApprovers === true} />
        <EmergencyStep {...props} />
        {hasClosedSteps(review) ? <ClosedSteps {...props}>{revert}</ClosedSteps> : revert}
        <EndSteps {...props} />
        <OtherSteps review={review} shown={[next.blocked, canRevert && 'revert']} />
      </DecisionSection>
      {hasRequirements && (
        <section class="panel side edge" aria-labelledby="requirements">
          <h2 id="requirements">
            Requirements{' '}
            {total > 0 && (
              <small class="muted small thin">
                {met} of {total} met
              </small>
            )}
          </h2>
          <Requirements
            requirements={requirements}
            nameOf={nameOf}
            targets={targets}
            linkTo={(id) => `#${changeId(id)}`}
            isWithoutMissing={next.namesApprovers === true || isClosed(review.state)}
          />
          {checks.length > 0 && <Checks checks={checks} />}
        </section>
      )}
      <Votes {...props} />
    </aside>
  )
}

const isVoting = (review: ReviewView) => isAllowed(review, 'approve') || isAllowed(review, 'reject')

interface DecisionSectionProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** The steps. If the one that has the focus is gone, the section has it. */
function DecisionSection({ title, children }: DecisionSectionProps) {
  const section = useRef<HTMLElement>(null)
  const hadFocus = section.current?.contains(document.activeElement)
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) section.current?.focus({ preventScroll: true })
  })
  return (
    <section ref={section} class="panel side decide edge" aria-labelledby="decide" id={decisionId} tabIndex={-1}>
      <h2 id="decide">{title}</h2>
      {children}
    </section>
  )
}

/** How many comments stand open at the changes, with a link to the first. */
function Unresolved({ review }: Pick<DecisionProps, 'review'>) {
  const open = review.discussion.filter((one) => isOpenAtChange(one, review.changes))
  if (!open[0] || isClosed(review.state)) return null
  return (
    <p class="small">
      <Icon name="comment" /> <a href={`#${commentId(open[0].id)}`}>{counted(open.length, 'unresolved comment')}</a>
    </p>
  )
}

/** Authors and admins can ask until it is approved. Without requested reviewers, this is what the author does next. */
function AskReviewersStep({
  request,
  review,
  actions,
  isNext,
}: Omit<DecisionProps, 'approval' | 'next'> & { readonly isNext: boolean }) {
  const me = useMe()
  const phase = phaseOf(review.state)
  if (phase !== 'draft' && phase !== 'review') return null
  if (me.id !== request.createdBy.id && !isAllowed(review, 'cancel')) return null
  return (
    <StepButton
      off={actions.off}
      icon="users"
      kind={isNext && review.approvers.length === 0 && !isAllowed(review, 'approve') ? 'primary' : undefined}
      wide
      onPress={() => actions.open('askReviewers')}
    >
      Ask reviewers…
    </StepButton>
  )
}

interface OtherStepsProps {
  readonly review: ReviewView
  /** Steps that are shown elsewhere. */
  readonly shown: readonly unknown[]
}

/** The steps that make sense in this state, and are not possible now. */
function OtherSteps({ review, shown }: OtherStepsProps) {
  const [isOpen, setOpen] = useState(false)
  const isStopped = openObjections(review).length > 0
  const others = review.steps.filter(
    ({ step, offered, allowed }) => offered && !allowed && !shown.includes(step) && !hasButton(step),
  )
  if (others.length === 0) return null
  return (
    <details class="others" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="soft small">
        <Icon name="chevronRight" class="fold" />
        Other steps <span class="muted">({others.length})</span>
      </summary>
      {isOpen && <OtherStepsList steps={others} />}
    </details>
  )

  /** Both kinds of schedules have the same button, and there is nothing to withdraw, lift or take back without one. */
  function hasButton(step: StepName): boolean {
    if (step === 'schedule') return presetsSchedules(review)
    if (step === 'presetSchedule') return isAllowed(review, 'schedule')
    if (step === 'withdrawPresetSchedule') return pendingPreset(review) === undefined
    // They stand at the objection and at the vote; elsewhere they have no subject.
    return step === 'liftObjection' || step === 'takeBackApproval' || (step === 'dismissObjection' && !isStopped)
  }
}

/** After a decision. */
function NextUp({ request }: Pick<DecisionProps, 'request'>) {
  return useStore(decided).has(request.id) ? <NextRequest request={request} /> : null
}

const NextRequest = lazy(async () => (await import('./next-request')).NextRequest, PartFallback)

/** Most change requests have none. */
const Objections = lazy(async () => (await import('./objections')).Objections, PartFallback)

const ClosedSteps = lazy(async () => (await import('./closed')).ClosedSteps, PartFallback)

const Checks = lazy(async () => (await import('./checks')).Checks, PartFallback)

const OtherStepsList = lazy(async () => (await import('./dialogs')).OtherStepsList, PartFallback)

/** On a phone, below all: the environment, what happens next, and the decision. */
export function Dock({ request, review, actions, approval, next }: DecisionProps) {
  const comment = useVoteComment(request)
  const { off, open, showChange } = actions
  const [mayApprove, mayReject] = [isAllowed(review, 'approve'), isAllowed(review, 'reject')]
  const isDecided = useStore(decided).has(request.id)
  if (isClosed(review.state) && !isDecided) return null
  return (
    <section class="dock" aria-label="To the decision">
      <NextUp request={request} />
      <p class="flow small">
        <EnvironmentMark name={reachOf(request)} />{' '}
        <span>
          <RichText words={next.words} />
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
            <Button icon="x" off={off !== null} aria-describedby={rejectingId} onClick={() => open('reject')}>
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
