import type { FailedScheduleView, ReviewView, SuspendedScheduleView } from '../../../../generated'
import { client, useMe } from '../../core/api/session'
import * as times from '../../core/tools/times'
import { PersonName } from '../../parts/marks/person'
import { MissingList } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { approvalWords, isAllowed, pendingPreset, stepOf, whenWords } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { useStep } from './use-step'

type ScheduleProps = Pick<RequestProps, 'request' | 'review' | 'actions'>

/** A schedule, and what prevents it. */
export function ScheduleNotices({ request, review, actions }: ScheduleProps) {
  const schedule = 'schedule' in request ? request.schedule : null
  return (
    <>
      {schedule && 'reason' in schedule && <NotRun schedule={schedule} />}
      <PresetSchedule {...{ request, review, actions }} />
      {schedule?.status === 'pending' && <WouldNotRun review={review} />}
    </>
  )
}

/** A schedule that did not run, or will not. */
function NotRun({ schedule }: { readonly schedule: FailedScheduleView | SuspendedScheduleView }) {
  const at = times.dayAndTime(schedule.scheduledAt)
  const isFailed = schedule.status === 'failed'
  return (
    <Notice
      tone={isFailed ? 'stop' : 'care'}
      icon={isFailed ? 'warn' : 'paused'}
      title={isFailed ? `Failed on ${at}` : `Suspended: will not run on ${at}`}
    >
      <bdi>{schedule.reason}</bdi> Nothing was applied.
    </Notice>
  )
}

/** A schedule that waits for the last approval, or why it ended. */
function PresetSchedule({ request, review, actions }: ScheduleProps) {
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

const obstacles: ReadonlySet<string | undefined> = new Set(['missing-approvals', 'objection', 'conflict', 'overwrite'])

/** It is scheduled, and in the current state it would not be applied. */
function WouldNotRun({ review }: { readonly review: ReviewView }) {
  const missing = stepOf(review, 'apply')?.missing.filter(({ code }) => obstacles.has(code)) ?? []
  if (missing.length === 0) return null
  return (
    <Notice tone="care" icon="paused" title="It would not be applied in the current state">
      <MissingList missing={missing} />
    </Notice>
  )
}
