import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { PersonName } from '../../../parts/marks/person'
import { Notice } from '../../../parts/messages/notice'
import { OutcomeNotice } from '../../../parts/messages/outcome-notice'
import { StepButton } from '../decision/step-button'
import { useRequestContext } from '../model/context'
import { approvalWords, pendingPreset, whenWords } from '../model/preset-schedule'
import { isAllowed, stepOf } from '../model/steps'
import { useStep } from '../model/use-step'

/** A schedule that waits for the last approval, or why it ended. */
export function PresetScheduleNotice() {
  const { latest, me } = useRequestContext()
  const { review } = latest
  const withdrawal = useStep({
    run: ({ place }, write) => client.withdrawPresetSchedule(place, write),
    said: 'The schedule was withdrawn.',
    isDone: (now) => pendingPreset(now.review) === undefined,
  })
  const preset = review.presetSchedule
  const step = stepOf(review, 'withdrawPresetSchedule')
  return (
    <>
      {preset && (
        <Notice
          tone={preset.withdrawn ? 'plain' : 'info'}
          icon="scheduled"
          title={`${preset.withdrawn ? 'No longer to' : 'To'} be applied ${whenWords(preset)}`}
          actions={
            !preset.withdrawn &&
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
          Scheduled by <PersonName person={preset.by} />, {times.dayAndTime(preset.at)}.{' '}
          {preset.withdrawn ? (
            <>
              Ended {times.dayAndTime(preset.withdrawn.at)}: <PersonName person={preset.withdrawn.by ?? preset.by} />{' '}
              {causes[preset.withdrawn.cause]}.
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
