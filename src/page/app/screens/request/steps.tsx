import type { ReviewView, StepName } from '../../../../generated'
import { client, useMe } from '../../core/api/session'
import { reachOf } from '../../core/tools/production'
import * as times from '../../core/tools/times'
import { CommentField } from '../../parts/controls/field'
import { MissingList } from '../../parts/messages/load-failed'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { useSubmitComment } from '../../reviews/follow-ups'
import { useUnsavedEdits } from './edits'
import { digestOf, haveSameMissing, isAllowed, offeredStep, pendingPreset, presetsSchedules, stepOf } from './review'
import { ListedStep, StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { type StepAction, useStep } from './use-step'
import { commentIn } from './vote'

type StepsProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** Applying and scheduling. What both lack is listed once. */
export function ApplySteps({ request, review, actions }: StepsProps) {
  const { off, open } = actions
  const apply = offeredStep(review, 'apply')
  const schedule = offeredStep(review, presetsSchedules(review) ? 'presetSchedule' : 'schedule')
  const application = useStep(actions, {
    run: (write) => client.setState(request, { state: 'Applied', ...digestOf(review) }, write),
    doneMessage: 'It is applied.',
    isDone: (latest) => latest.review.state === 'Applied',
  })
  const outcome = <OutcomeNotice action={application} verb={`apply in ${request.environment}`} />
  if (!apply && !schedule) return outcome
  const isShared = apply !== undefined && schedule !== undefined && haveSameMissing(apply, schedule)
  const isAgain = review.state === 'Scheduled' || pendingPreset(review) !== undefined
  const isStacked = apply?.allowed === true || isAgain
  return (
    <>
      <hr />
      {apply && !apply.allowed && (
        <MissingList
          id="missing-apply"
          heading={isShared ? 'Missing before it can be applied or scheduled' : 'Missing before it can be applied'}
          missing={apply.missing}
        />
      )}
      {schedule && !schedule.allowed && !isShared && (
        <MissingList id="missing-schedule" heading="Missing before it can be scheduled" missing={schedule.missing} />
      )}
      <div class={isStacked ? 'steps' : 'pair'}>
        {apply && (
          <StepButton
            step={apply}
            off={off}
            icon="send"
            kind={isAllowed(review, 'approve') ? undefined : 'primary'}
            wide={isStacked}
            missingId="missing-apply"
            busy={application.busy && 'Applying…'}
            onPress={application.press}
          >
            {apply.allowed ? (
              <span>
                Apply to <bdi>{reachOf(request)}</bdi> now
              </span>
            ) : (
              'Apply now'
            )}
          </StepButton>
        )}
        {schedule && (
          <StepButton
            step={schedule}
            off={off}
            icon="scheduled"
            wide={isStacked}
            missingId={isShared ? 'missing-apply' : 'missing-schedule'}
            onPress={() => open('schedule')}
          >
            {isAgain ? 'Schedule again…' : 'Schedule…'}
          </StepButton>
        )}
      </div>
      {apply?.allowed && (
        <p class="fine">It is applied immediately, with the content on this screen, revision {review.revision}.</p>
      )}
      {outcome}
    </>
  )
}

/**
 * If nothing is missing, an emergency would be an ordinary apply. Callers without the permission find the reason under
 * "Other steps".
 */
export function isEmergencyShown(review: ReviewView): boolean {
  const step = offeredStep(review, 'applyInEmergency')
  if (!step || isAllowed(review, 'apply')) return false
  return !step.missing.some(({ code }) => code === 'missing-permission' || code === 'no-user-id')
}

/** Applies without the approvals. Conflicts cannot be skipped. */
export function EmergencyStep({ review, actions: { off, open } }: Omit<StepsProps, 'request'>) {
  const step = offeredStep(review, 'applyInEmergency')
  if (!step || !isEmergencyShown(review)) return null
  return (
    <>
      <hr />
      <ListedStep
        step={step}
        off={off}
        heading="Emergency: skips the approvals, nothing else"
        icon="bolt"
        wide
        onPress={() => open('emergency')}
      >
        Apply in emergency…
      </ListedStep>
    </>
  )
}

/** An apply attempt without a stored result: it is running, or was interrupted and can be checked. */
export function Applying({ request, review, actions }: StepsProps) {
  const { applying } = review
  const settle = stepOf(review, 'settle')
  const check = useStep(actions, {
    run: (write) => client.settle(request, write),
    doneMessage: 'Checked.',
    isDone: (latest) => latest.review.applying === null,
  })
  const outcome = <OutcomeNotice action={check} verb="check it" />
  if (!applying || !settle) return outcome
  const { since, by, interrupted } = applying
  return (
    <>
      <hr />
      <p>
        The apply that <bdi>{by.username ?? 'a user'}</bdi> began on {times.dayAndTime(since)}{' '}
        {interrupted ? 'was interrupted; the flags may be changed.' : 'is running.'}
      </p>
      {interrupted && (
        <ListedStep
          step={settle}
          off={actions.off}
          icon="refresh"
          kind="primary"
          busy={check.busy && 'Sending…'}
          onPress={check.press}
        >
          Check again
        </ListedStep>
      )}
      {outcome}
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

/** The steps of the author. Others see those that they are allowed to take. */
export function AuthorSteps({ request, review, actions }: StepsProps) {
  const { off, open } = actions
  const isMine = useMe().id === request.createdBy.id
  const unsaved = useUnsavedEdits(request, review)
  const submission = useSubmission(actions, request)
  const [why, setWhy] = useSubmitComment(request)
  const visible = (name: StepName) => {
    const step = offeredStep(review, name)
    return step && (isMine || step.allowed) ? step : undefined
  }
  const submit = visible('submit')
  const ends = (['cancel', 'discard'] as const).flatMap((name) => visible(name) ?? [])
  const outcome = <OutcomeNotice action={submission} verb="send it to review" />
  if (!submit && ends.length === 0) return outcome
  return (
    <>
      {submit?.allowed && <CommentField label="Why (optional)" comment={why} onComment={setWhy} />}
      {submit && (
        <ListedStep
          step={submit}
          off={off}
          heading="Missing before it can be reviewed"
          icon="review"
          kind="primary"
          wide
          busy={submission.busy && 'Sending…'}
          onPress={submission.press}
        >
          {unsaved.length === 0 ? 'Send to review' : 'Send to review without the edit'}
        </ListedStep>
      )}
      {outcome}
      <div class="pair">
        {ends.map((step) => (
          <StepButton
            key={step.step}
            step={step}
            off={off}
            icon={step.step === 'cancel' ? 'cancelled' : 'trash'}
            kind="quiet"
            missingId={`missing-${step.step}`}
            onPress={() => open(step.step as 'cancel' | 'discard')}
          >
            {step.step === 'cancel' ? 'Cancel…' : 'Discard…'}
          </StepButton>
        ))}
      </div>
      {ends.map(
        ({ step, allowed, missing }) => !allowed && <MissingList key={step} id={`missing-${step}`} missing={missing} />,
      )}
    </>
  )
}
