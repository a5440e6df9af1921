import type { FollowedScheduleView, OtherScheduleView } from '../../../../generated'
import { Link } from '../../core/places/link'
import { requestPath } from '../../core/places/navigation'
import * as times from '../../core/tools/times'
import { Icon } from '../../parts/marks/icon'
import { RequestName } from '../../parts/marks/request-name'
import { predecessorWords } from '../../words/follows'
import { minutesWords } from './review'
import type { RequestProps } from './use-request'

/** The schedule that this one follows, and those that follow it. */
export function Follows({ request, review }: Pick<RequestProps, 'request' | 'review'>) {
  const { follows, followedBy = [] } = review
  const link = (one: FollowedScheduleView | OtherScheduleView) => (
    <Link to={requestPath(request.project, one.id)}>
      <RequestName {...one} />
    </Link>
  )
  return (
    <ul class="checks small">
      {follows && (
        <li>
          <Icon name="scheduled" />
          <p>
            {follows.minutesAfter === null ? 'Follows ' : `${minutesWords(follows.minutesAfter)} after `}
            {link(follows)}
            {predecessorWords(follows, times.dayAndTime)}
          </p>
        </li>
      )}
      {followedBy.map((one) => (
        <li key={one.id}>
          <Icon name="arrowRight" />
          <p>
            Followed by {link(one)}, on {times.dayAndTime(one.scheduledAt)}
            {one.status !== 'pending' && `, ${one.status}`}
          </p>
        </li>
      ))}
    </ul>
  )
}
