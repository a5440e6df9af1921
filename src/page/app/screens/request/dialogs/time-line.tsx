import type { FreezeView } from '../../../../../generated'
import { useLoaded } from '../../../core/api/load'
import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { Notice } from '../../../parts/messages/notice'
import { useRequestContext } from '../model/context'
import { freezesAt, matchingFreezes } from '../model/freezes'
import { percentAt, timeSpan } from './time-span'

/** The freezes that match the change request. Those of other environments are known to the server only, which checks them. */
export function useFreezes(): readonly FreezeView[] {
  const { request } = useRequestContext().content
  const { project, environment } = request
  const { data } = useLoaded(`freezes ${project} ${environment}`, async (options) => ({
    body: (await client.freezes(project, environment, options)).body.freezes,
  }))
  return matchingFreezes(data ?? [], request)
}

interface TimeLineProps {
  readonly freezes: readonly FreezeView[]
  readonly moment: Date | null
  readonly now: number
}

interface Entry {
  readonly from: string
  /** Null for no end yet; undefined for what has no duration. */
  readonly until?: string | null
  readonly name: string
}

/** The chosen time between freezes and other schedules of the same flags; nothing without any. */
export function TimeLine({ freezes, moment, now }: TimeLineProps) {
  const { otherSchedules } = useRequestContext().latest.review
  const isAlone = otherSchedules.length === 0
  if (isAlone && freezes.length === 0) return null
  const isFrozen = moment !== null && freezesAt(freezes, moment).length > 0
  const schedules = otherSchedules.map(({ id, title, scheduledAt, status }): Entry => {
    return { from: scheduledAt, name: `#${id} ${title}${status === 'pending' ? '' : ` (${status})`}` }
  })
  const entries: readonly Entry[] = [
    ...freezes.map(({ name, reason, from, until }) => ({ from, until, name: `${name} (${reason})` })),
    ...schedules,
    ...(moment === null ? [] : [{ from: moment.toISOString(), name: 'this change request' }]),
  ]
  const unfrozen = isAlone ? 'Nothing is applied in a freeze' : 'Another schedule changes the same'
  const span = timeSpan(now, moment)
  const at = (time: string) => percentAt(span, Date.parse(time))
  return (
    <Notice
      tone={isFrozen ? 'stop' : isAlone ? 'plain' : 'care'}
      icon="scheduled"
      title={isFrozen ? 'That time is in a freeze. Choose another.' : unfrozen}
    >
      <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="8" />
        {entries.map(({ from, until }, index) => {
          const width = until === undefined ? 0.5 : (until === null ? 100 : at(until)) - at(from)
          return (
            <rect key={index} class={until === undefined ? 'tick' : 'frozen'} x={at(from)} width={width} height="8" />
          )
        })}
        {moment && <rect class="more" x={at(moment.toISOString())} y="-3" width="1" height="14" />}
      </svg>
      <ol id="time-line">
        {[...entries]
          .sort((one, other) => Date.parse(one.from) - Date.parse(other.from))
          .map(({ from, until, name }, index) => (
            <li key={index}>
              {times.dayAndTime(from)}
              {until !== undefined && ` – ${until === null ? 'no end yet' : times.dayAndTime(until)}`}:{' '}
              <bdi>{name}</bdi>
            </li>
          ))}
      </ol>
      {!isAlone && 'Whichever runs first suspends the other.'}
    </Notice>
  )
}
