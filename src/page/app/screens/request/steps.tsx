import { client } from '../../core/api/session'
import { reachOf } from '../../core/tools/production'
import { CommentField } from '../../parts/controls/field'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { useSubmitComment } from '../../reviews/follow-ups'
import { useUnsavedEdits } from './edits'
import { digestOf, isAllowed, maySchedule, offeredStep, pendingPreset } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { type StepAction, useStep } from './use-step'
import { commentIn } from './vote'

type StepsProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** Applying and scheduling. */
export function ApplySteps({ request, review, actions }: StepsProps) {
  const { off, open } = actions
  const application = useStep(actions, {
    run: (write) => client.setState(request, { state: 'Applied', ...digestOf(review) }, write),
    doneMessage: 'It is applied.',
    isDone: (latest) => latest.review.state === 'Applied',
  })
  const mayApply = isAllowed(review, 'apply') || application.busy
  const isAgain = review.state === 'Scheduled' || pendingPreset(review) !== undefined
  return (
    <>
      {mayApply && (
        <>
          <StepButton
            off={off}
            icon="send"
            kind={isAllowed(review, 'approve') ? undefined : 'primary'}
            wide
            busy={application.busy && 'Applying…'}
            onPress={application.press}
          >
            <span>
              Apply to <bdi>{reachOf(request)}</bdi> now
            </span>
          </StepButton>
          <p class="fine">
            It is applied immediately, with the content on this screen, revision {review.revision}.
            {review.follows?.status === 'pending' && ` This suspends #${review.follows.id}, which it follows.`}
          </p>
        </>
      )}
      {maySchedule(review) && (
        <StepButton off={off} icon="scheduled" wide onPress={() => open('schedule')}>
          {isAgain ? 'Schedule again…' : 'Schedule…'}
        </StepButton>
      )}
      <OutcomeNotice action={application} verb={`apply in ${request.environment}`} />
    </>
  )
}

/** Applies without the approvals. If nothing is missing, it would be an ordinary apply. */
export function EmergencyStep({ review, actions: { off, open } }: Omit<StepsProps, 'request'>) {
  if (!isAllowed(review, 'applyInEmergency') || isAllowed(review, 'apply')) return null
  return (
    <StepButton off={off} icon="bolt" wide onPress={() => open('emergency')}>
      Apply in emergency…
    </StepButton>
  )
}

/** Checks what came of an interrupted apply. */
export function SettleStep({ request, review, actions }: StepsProps) {
  const check = useStep(actions, {
    run: (write) => client.settle(request, write),
    doneMessage: 'Checked.',
    isDone: (latest) => latest.review.applying === null,
  })
  return (
    <>
      {(isAllowed(review, 'settle') || check.busy) && (
        <StepButton
          off={actions.off}
          icon="refresh"
          kind="primary"
          wide
          busy={check.busy && 'Sending…'}
          onPress={check.press}
        >
          Check again
        </StepButton>
      )}
      <OutcomeNotice action={check} verb="check it" />
    </>
  )
}

/** Sends it to review, with the comment that is kept for it. */
export function useSubmission(actions: RequestProps['actions'], request: RequestProps['request']): StepAction {
  const [comment, , clear] = useSubmitComment(request)
  return useStep(actions, {
    run: (write) => client.setState(request, { state: 'In review', ...commentIn(comment) }, write),
    doneMessage: 'It is in review now.',
    isDone: (latest) => !offeredStep(latest.review, 'submit'),
    onDone: clear,
  })
}

/** Sends a draft to review. */
export function SubmitStep({ request, review, actions }: StepsProps) {
  const unsaved = useUnsavedEdits(request, review)
  const submission = useSubmission(actions, request)
  const [why, setWhy] = useSubmitComment(request)
  return (
    <>
      {(isAllowed(review, 'submit') || submission.busy) && (
        <>
          <CommentField label="Why (optional)" comment={why} onComment={setWhy} />
          <StepButton
            off={actions.off}
            icon="review"
            kind="primary"
            wide
            busy={submission.busy && 'Sending…'}
            onPress={submission.press}
          >
            {unsaved.length === 0 ? 'Send to review' : 'Send to review without the edit'}
          </StepButton>
        </>
      )}
      <OutcomeNotice action={submission} verb="send it to review" />
    </>
  )
}

/** Ends it: quietly, because it is rarely the next step. */
export function EndSteps({ review, actions: { off, open } }: Omit<StepsProps, 'request'>) {
  return (
    <div class="pair">
      {isAllowed(review, 'cancel') && (
        <StepButton off={off} icon="cancelled" kind="quiet" onPress={() => open('cancel')}>
          Cancel…
        </StepButton>
      )}
      {isAllowed(review, 'discard') && (
        <StepButton off={off} icon="trash" kind="quiet" onPress={() => open('discard')}>
          Discard…
        </StepButton>
      )}
    </div>
  )
}
