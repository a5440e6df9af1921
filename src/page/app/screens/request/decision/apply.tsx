import type { ReviewView } from '../../../../../generated'
import { client } from '../../../core/api/session'
import { reachOf } from '../../../core/tools/production'
import { MissingList } from '../../../parts/messages/missing-list'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { pendingPreset, presetsSchedules } from '../model/preset-schedule'
import { isAllowed, missTheSame, offeredStep } from '../model/steps'
import { digestOf } from '../model/use-request'
import { useStep } from '../model/use-step'
import { ListedStep, StepButton } from './step-button'

/** Applying and scheduling, with what both miss said once. */
export function ApplySteps() {
  const { content, latest, open } = useRequestContext()
  const { review, request } = latest
  const one = offeredStep(review, 'apply')
  const other = offeredStep(review, presetsSchedules(review) ? 'presetSchedule' : 'schedule')
  const step = useApplication()
  const outcome = <OutcomeNotice action={step} what={`apply in ${request.environment}`} />
  if (!one && !other) return outcome
  const isShared = one !== undefined && other !== undefined && missTheSame(one, other)
  const isAgain = review.state === 'Scheduled' || pendingPreset(review) !== undefined
  const isStacked = one?.allowed === true || isAgain
  const isNext = !isAllowed(review, 'approve')
  return (
    <>
      <hr />
      {one && !one.allowed && (
        <MissingList
          id="missing-apply"
          heading={isShared ? 'Missing before it can be applied or scheduled' : 'Missing before it can be applied'}
          missing={one.missing}
        />
      )}
      {other && !other.allowed && !isShared && (
        <MissingList id="missing-schedule" heading="Missing before it can be scheduled" missing={other.missing} />
      )}
      <div class={isStacked ? 'steps' : 'pair'}>
        {one && (
          <StepButton
            step={one}
            icon="send"
            kind={isNext ? 'primary' : undefined}
            wide={isStacked}
            missingId="missing-apply"
            busy={step.busy && 'Applying…'}
            onPress={() => step.press()}
          >
            {one.allowed ? (
              <span>
                Apply to <bdi>{reachOf(request)}</bdi> now
              </span>
            ) : (
              'Apply now'
            )}
          </StepButton>
        )}
        {other && (
          <StepButton
            step={other}
            icon="scheduled"
            wide={isStacked}
            missingId={isShared ? 'missing-apply' : 'missing-schedule'}
            onPress={() => open('schedule')}
          >
            {isAgain ? 'Schedule again…' : 'Schedule…'}
          </StepButton>
        )}
      </div>
      {one?.allowed && (
        <p class="fine">
          It is applied immediately, with the content on this screen, revision {content.review.revision}.
        </p>
      )}
      {outcome}
    </>
  )
}

function useApplication() {
  return useStep({
    run: ({ place, content }, write) =>
      client.setState(place, { state: 'Applied', ...digestOf(content.review) }, write),
    said: 'It is applied.',
    isDone: ({ review }) => review.state === 'Applied',
  })
}

/** If nothing is missing, an emergency would be an ordinary apply. Callers without the permission get the reason below. */
export function isEmergencyShown(review: ReviewView): boolean {
  const step = offeredStep(review, 'applyInEmergency')
  if (!step || isAllowed(review, 'apply')) return false
  return !step.missing.some(({ code }) => code === 'missing-permission' || code === 'no-user-id')
}

/** The way past the review; it never goes past conflicts. */
export function EmergencyStep() {
  const { latest, open } = useRequestContext()
  const step = offeredStep(latest.review, 'applyInEmergency')
  if (!step || !isEmergencyShown(latest.review)) return null
  return (
    <>
      <hr />
      <ListedStep
        step={step}
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
