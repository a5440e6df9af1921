import { useRef } from 'preact/hooks'
import type { EventView, FailedScheduleView, SuspendedScheduleView } from '../../../../generated'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import * as times from '../../core/tools/times'
import { lazy, PartFallback } from '../../parts/lazy'
import { MissingList } from '../../parts/messages/load-failed'
import { Notice } from '../../parts/messages/notice'
import { objectOf } from '../../words/json'
import { stepOf } from './review'
import type { RequestProps } from './use-request'

export type NoticesProps = Pick<RequestProps, 'request' | 'review' | 'actions'> & {
  readonly events: readonly EventView[]
}

/** What is unusual about its state, and what to do about it. */
export function Notices({ request, review, actions, events }: NoticesProps) {
  const schedule = 'schedule' in request ? request.schedule : null
  // It stays, because it also shows how withdrawing it went.
  const hadPreset = useRef(false)
  hadPreset.current ||= review.presetSchedule != null
  const reverts = objectOf(events[0]?.data).reverts
  const link = (id: number) => <Link to={requestPath(request.project, id)}>#{id}</Link>
  return (
    <>
      {schedule && 'reason' in schedule && <NotRun schedule={schedule} />}
      {review.freezes.now.length + review.freezes.scheduled.length > 0 && <Freezes {...review.freezes} />}
      {hadPreset.current && <PresetSchedule {...{ request, review, actions }} />}
      {schedule?.status === 'pending' && <WouldNotRun review={review} />}
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

const Emergency = lazy(async () => (await import('./closed')).Emergency, PartFallback)

const PresetSchedule = lazy(async () => (await import('./preset-schedule')).PresetSchedule, PartFallback)

const Freezes = lazy(async () => (await import('../../parts/messages/freezes')).Freezes, PartFallback)
