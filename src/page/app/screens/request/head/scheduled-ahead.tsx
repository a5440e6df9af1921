import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { PersonName } from '../../../parts/marks/person'
import { Notice } from '../../../parts/messages/notice'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { StepButton } from '../decision/step-button'
import { useRequestContext } from '../model/context'
import { approvalWords, pendingAhead, whenWords } from '../model/schedule-ahead'
import { isAllowed, stepOf } from '../model/steps'
import { useStep } from '../model/use-step'

/** A schedule that waits for the last approval, or why it ended. */
export function ScheduledAhead() {
  const { latest, me } = useRequestContext()
  const { review } = latest
  const withdrawal = useStep({
    run: ({ place }, write) => client.withdrawSchedule(place, write),
    said: 'The schedule was withdrawn.',
    isDone: (now) => pendingAhead(now.review) === undefined,
  })
  const ahead = review.scheduledAhead
  const step = stepOf(review, 'withdrawSchedule')
  return (
    <>
      {ahead && (
        <Notice
          tone={ahead.withdrawn ? 'plain' : 'info'}
          icon="scheduled"
          title={`${ahead.withdrawn ? 'No longer to' : 'To'} be applied ${whenWords(ahead)}`}
          actions={
            !ahead.withdrawn &&
            step?.allowed && (
              <StepButton
                step={step}
                icon="x"
                busy={withdrawal.busy && 'Withdrawing…'}
                onPress={() => withdrawal.press()}
              >
                Withdraw the schedule
              </StepButton>
            )
          }
        >
          Scheduled by <PersonName person={ahead.by} />, {times.dayAndTime(ahead.at)}.{' '}
          {ahead.withdrawn ? (
            <>
              Ended {times.dayAndTime(ahead.withdrawn.at)}: <PersonName person={ahead.withdrawn.by ?? ahead.by} />{' '}
              {causes[ahead.withdrawn.cause]}.
            </>
          ) : (
            isAllowed(review, 'approve') && approvalWords(review, me)
          )}
        </Notice>
      )}
      <OutcomeNotice action={withdrawal} what="withdraw the schedule" />
    </>
  )
}

/** They follow the name of who ended it, or else of who set it. */
const causes = {
  user: 'withdrew it',
  edit: 'edited the changes',
  rebase: 'rebased the changes',
  closed: 'closed the change request',
  expired: 'scheduled it too long ago',
  'person-gone': 'no longer exists',
} as const
