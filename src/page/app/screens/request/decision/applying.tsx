import { client, times } from '../../../core'
import { MissingList, OutcomeNotice } from '../../../parts/messages'
import { useRequestContext } from '../model/context'
import { stepOf } from '../model/steps'
import { useStep } from '../model/use-step'
import { StepButton } from './step-button'

/** An apply whose result is not stored: it is under way, or was interrupted and can be checked. */
export function Applying() {
  const { latest, change, showChange } = useRequestContext()
  const { applying } = latest.review
  const settle = stepOf(latest.review, 'settle')
  const step = useStep({
    run: ({ place }, write) => client.settle(place, write),
    said: 'The apply was checked.',
    isDone: ({ review }) => review.applying === null,
    whileChanged: true,
  })
  const outcome = <OutcomeNotice action={step} what="check the apply" onShow={change ? showChange : undefined} />
  if (!applying || !settle) return outcome
  const { since, by, interrupted } = applying
  return (
    <>
      <hr />
      <p>
        {interrupted ? 'Interrupted: the apply' : 'It is being applied: the apply'} that{' '}
        <bdi>{by.username ?? 'a user'}</bdi> began on {times.dayAndTime(since)}.
        {interrupted && ' The flags may be changed already. Checking it is safe.'}
      </p>
      {interrupted && (
        <>
          {!settle.allowed && (
            <MissingList id="missing-settle" heading="Missing before it can be checked" missing={settle.missing} />
          )}
          <StepButton
            step={settle}
            icon="refresh"
            kind="primary"
            wide
            missingId="missing-settle"
            busy={step.busy && 'Checking…'}
            onPress={() => step.press()}
          >
            Check again
          </StepButton>
        </>
      )}
      {outcome}
    </>
  )
}
