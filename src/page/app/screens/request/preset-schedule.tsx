import { client, useMe } from '../../core/api/session'
import * as times from '../../core/tools/times'
import { PersonName } from '../../parts/marks/person'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { approvalWords, isAllowed, pendingPreset, whenWords } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { useStep } from './use-step'

/** A schedule that waits for the last approval, or why it ended. */
export function PresetSchedule({ request, review, actions }: Pick<RequestProps, 'request' | 'review' | 'actions'>) {
  const me = useMe()
  const withdrawal = useStep(actions, {
    run: (write) => client.withdrawPresetSchedule(request, write),
    doneMessage: 'The schedule was withdrawn.',
    isDone: (now) => pendingPreset(now.review) === undefined,
  })
  const outcome = <OutcomeNotice action={withdrawal} verb="withdraw the schedule" />
  const { presetSchedule: preset } = review
  if (!preset) return outcome
  const { withdrawn } = preset
  return (
    <>
      <Notice
        tone={withdrawn ? 'plain' : 'info'}
        icon="scheduled"
        title={`${withdrawn ? 'No longer to' : 'To'} be applied ${whenWords(preset)}`}
        actions={
          !withdrawn &&
          isAllowed(review, 'withdrawPresetSchedule') && (
            <StepButton off={actions.off} icon="x" busy={withdrawal.busy && 'Withdrawing…'} onPress={withdrawal.press}>
              Withdraw the schedule
            </StepButton>
          )
        }
      >
        Scheduled by <PersonName person={preset.by} />, {times.dayAndTime(preset.at)}.{' '}
        {withdrawn ? (
          <>
            Ended {times.dayAndTime(withdrawn.at)}: <PersonName person={withdrawn.by ?? preset.by} />{' '}
            {causes[withdrawn.cause]}.
          </>
        ) : (
          isAllowed(review, 'approve') && approvalWords(review, me)
        )}
      </Notice>
      {outcome}
    </>
  )
}

/** They follow the name of the user who ended the schedule, or else of the one who set it. */
const causes = {
  user: 'withdrew it',
  edit: 'edited the change request',
  rebase: 'rebased the changes',
  closed: 'closed the change request',
  expired: 'scheduled it too long ago',
  'person-gone': 'no longer exists',
} as const
