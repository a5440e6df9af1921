import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { useRequestContext } from '../model/context'
import { stepOf } from '../model/steps'
import { useStep } from '../model/use-step'
import { ListedStep } from './step-button'

/** An apply whose result is not stored: it is under way, or was interrupted and can be checked. */
export function Applying() {
  const { latest } = useRequestContext()
  const { applying } = latest.review
  const settle = stepOf(latest.review, 'settle')
  const step = useStep({
    run: ({ place }, write) => client.settle(place, write),
    said: 'Checked.',
    isDone: ({ review }) => review.applying === null,
  })
  const outcome = <OutcomeNotice action={step} what="check it" />
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
          icon="refresh"
          kind="primary"
          busy={step.busy && 'Sending…'}
          onPress={() => step.press()}
        >
          Check again
        </ListedStep>
      )}
      {outcome}
    </>
  )
}
