import type { EventView, FailedScheduleView, SuspendedScheduleView } from '../../../../generated'
import { client, useMe } from '../../core/api/session'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import * as times from '../../core/tools/times'
import { PersonName } from '../../parts/marks/person'
import { RequestName } from '../../parts/marks/request-name'
import { Freezes } from '../../parts/messages/freezes'
import { MissingList } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { OutcomeNotice } from '../../parts/messages/outcome-notice'
import { unlinkedSchedules } from '../../words/follows'
import { objectOf } from '../../words/json'
import { Emergency } from './closed'
import { approvalWords, isAllowed, maySchedule, pendingPreset, stepOf, whenWords } from './review'
import { StepButton } from './step-button'
import type { RequestProps } from './use-request'
import { useStep } from './use-step'

export type NoticesProps = Pick<RequestProps, 'request' | 'review' | 'actions'> & {
  readonly events: readonly EventView[]
}

/** What is unusual about its state, and what to do about it. */
export function Notices({ request, review, actions, events }: NoticesProps) {
  const schedule = 'schedule' in request ? request.schedule : null
  const reverts = objectOf(events[0]?.data).reverts
  const link = (id: number) => <Link to={requestPath(request.project, id)}>#{id}</Link>
  return (
    <>
      {schedule && 'reason' in schedule && <NotRun schedule={schedule} review={review} />}
      <Freezes {...review.freezes} />
      <PresetSchedule request={request} review={review} actions={actions} />
      {schedule?.status === 'pending' && <WouldNotRun review={review} />}
      {schedule?.status === 'pending' && <Unlinked {...{ request, review, actions }} at={schedule.scheduledAt} />}
      {review.emergency && <Emergency review={review} />}
      {typeof reverts === 'number' && <p class="reverts">Reverts {link(reverts)}.</p>}
      {review.revertedBy !== null && (
        <Notice tone="plain" icon="undo" title="A revert exists">
          {link(review.revertedBy)} reverts this.
        </Notice>
      )}
    </>
  )
}

/** A schedule that did not run, or will not. */
interface NotRunProps extends Pick<NoticesProps, 'review'> {
  readonly schedule: FailedScheduleView | SuspendedScheduleView
}

function NotRun({ schedule, review: { follows } }: NotRunProps) {
  const at = times.dayAndTime(schedule.scheduledAt)
  const isFailed = schedule.status === 'failed'
  return (
    <Notice
      tone={isFailed ? 'stop' : 'care'}
      icon={isFailed ? 'warn' : 'paused'}
      title={isFailed ? `Failed on ${at}` : `Suspended: will not run on ${at}`}
    >
      <bdi>{schedule.reason}</bdi> Nothing was applied.
      {follows?.status === 'suspended' &&
        ` It stays suspended until it is scheduled again, also if an objection to #${follows.id} is lifted.`}
    </Notice>
  )
}

/** A schedule that waits for the last approval, or why it ended. */
function PresetSchedule({ request, review, actions }: Omit<NoticesProps, 'events'>) {
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
function WouldNotRun({ review }: Pick<NoticesProps, 'review'>) {
  const missing = stepOf(review, 'apply')?.missing.filter(({ code }) => obstacles.has(code)) ?? []
  if (missing.length === 0) return null
  return (
    <Notice tone="care" icon="paused" title="It would not be applied in the current state">
      <MissingList missing={missing} />
    </Notice>
  )
}

/** Other schedules of the same flags: without a link, one suspends the other. */
function Unlinked({ request, review, actions, at }: Omit<NoticesProps, 'events'> & { readonly at: string }) {
  const others = unlinkedSchedules(review).filter(({ status }) => status === 'pending')
  if (others.length === 0) return null
  const earlier = others.findLast(({ scheduledAt }) => scheduledAt < at)
  return (
    <Notice
      tone="care"
      icon="scheduled"
      title="Another schedule changes the same"
      actions={
        earlier &&
        maySchedule(review) && (
          <StepButton off={actions.off} icon="scheduled" onPress={() => actions.open('schedule', earlier.id)}>
            Schedule this after #{earlier.id}…
          </StepButton>
        )
      }
    >
      {others.map((one) => (
        <p key={one.id}>
          <Link to={requestPath(request.project, one.id)}>
            <RequestName {...one} />
          </Link>
          , {times.dayAndTime(one.scheduledAt)}
        </p>
      ))}
      Whichever runs first suspends the other, unless one follows the other.
      {!earlier && ' Open one that is later to schedule it after this.'}
    </Notice>
  )
}
