import { useRef } from 'preact/hooks'
import type { EventView } from '../../../../generated'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import { lazy, PartFallback } from '../../parts/lazy'
import { Notice } from '../../parts/messages/notice'
import { objectOf } from '../../words/json'
import type { RequestProps } from './use-request'

export type NoticesProps = Pick<RequestProps, 'request' | 'review' | 'actions'> & {
  readonly events: readonly EventView[]
}

/** What is unusual about its state, and what to do about it. */
export function Notices({ request, review, actions, events }: NoticesProps) {
  // It stays, because it also shows how withdrawing it went.
  const hadSchedule = useRef(false)
  hadSchedule.current ||= 'schedule' in request || review.presetSchedule != null
  const reverts = objectOf(events[0]?.data).reverts
  const link = (id: number) => <Link to={requestPath(request.project, id)}>#{id}</Link>
  return (
    <>
      {review.freezes.now.length + review.freezes.scheduled.length > 0 && <Freezes {...review.freezes} />}
      {hadSchedule.current && <ScheduleNotices {...{ request, review, actions }} />}
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

const Emergency = lazy(async () => (await import('./closed')).Emergency, PartFallback)

const ScheduleNotices = lazy(async () => (await import('./schedule-notices')).ScheduleNotices, PartFallback)

const Freezes = lazy(async () => (await import('../../parts/messages/freezes')).Freezes, PartFallback)
