import type { FreezeView } from '../../../../../generated'
import { useQuery } from '../../../core/api/query'
import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { TextField } from '../../../parts/controls/field'
import { Notice } from '../../../parts/messages/notice'
import { requestName } from '../../../words/request-name'
import { isEnforced, onTrial } from '../../../words/waits'
import type { RequestProps } from '../use-request'
import {
  choices,
  freezesAt,
  type LocalTime,
  matchingFreezes,
  offsetWords,
  percentAt,
  timeSpan,
  toLocal,
  zoneWords,
} from './schedule-times'

interface TimeFieldsProps {
  readonly local: LocalTime
  readonly setLocal: (local: LocalTime) => void
  /** Chooses the second of two moments. */
  readonly setLater: (later: boolean) => void
  /** The moments of these fields. */
  readonly moments: readonly Date[]
  readonly moment: Date | null
  readonly now: number
  readonly freezes: readonly FreezeView[]
}

/** A day and a time in the zone of the viewer. */
export function TimeFields({ local, setLocal, setLater, moments, moment, now, freezes }: TimeFieldsProps) {
  const { day, time } = local
  return (
    <>
      <fieldset class="chips flow" aria-label="Proposed times">
        {choices(now).map(({ label, at }) => (
          <button
            key={label}
            type="button"
            class={at.getTime() === moment?.getTime() ? 'chip on' : 'chip'}
            aria-pressed={at.getTime() === moment?.getTime()}
            onClick={() => setLocal(toLocal(at))}
          >
            {label}
            {freezesAt(freezes, at).length > 0 && ' (freeze)'}
          </button>
        ))}
      </fieldset>
      <div class="two">
        <TextField
          label="Day"
          type="date"
          required
          data-first
          value={day}
          aria-describedby="zone runs time-line"
          onText={(next) => setLocal({ day: next, time })}
        />
        <TextField
          label="Time"
          type="time"
          required
          value={time}
          aria-describedby="zone runs"
          onText={(next) => setLocal({ day, time: next })}
        />
      </div>
      <p class="muted small" id="zone">
        Your time zone: <b>{zoneWords(times.zone, moment ?? new Date(now))}</b>
      </p>
      {moments.length > 1 && (
        <fieldset class="chips flow">
          <legend class="muted small">The clocks go back: this time occurs twice. Choose one.</legend>
          {moments.map((at) => (
            <button
              key={at.getTime()}
              type="button"
              class={at === moment ? 'chip on' : 'chip'}
              aria-pressed={at === moment}
              onClick={() => setLater(at === moments[1])}
            >
              {time} {offsetWords(at)}
            </button>
          ))}
        </fieldset>
      )}
      {moment === null && day !== '' && time !== '' && (
        <p class="error">The clocks go forward: this time does not exist. Choose another.</p>
      )}
    </>
  )
}

/** The freezes that match the change request. Only the server knows those of other environments. */
export function useFreezes(request: RequestProps['request']): readonly FreezeView[] {
  const { project, environment } = request
  const { data } = useQuery(['freezes', project, environment], async (options) => ({
    body: (await client.freezes(project, environment, options)).body.freezes,
  }))
  return matchingFreezes(data ?? [], request)
}

interface TimeLineProps extends Pick<RequestProps, 'review'> {
  readonly freezes: readonly FreezeView[]
  readonly moment: Date | null
  readonly now: number
}

interface Entry {
  readonly from: string
  /** Null for no end yet; undefined for a moment. */
  readonly until?: string | null
  readonly name: string
}

/** The chosen time between freezes and other schedules of the same flags; nothing without any. */
export function TimeLine({ review: { otherSchedules }, freezes, moment, now }: TimeLineProps) {
  const isAlone = otherSchedules.length === 0
  if (isAlone && freezes.length === 0) return null
  const isFrozen = moment !== null && freezesAt(freezes, moment).length > 0
  const schedules = otherSchedules.map((one): Entry => {
    const note = one.status === 'pending' ? '' : ` (${one.status})`
    return { from: one.scheduledAt, name: `${requestName(one)}${note}` }
  })
  const entries: readonly Entry[] = [
    ...freezes.map(({ name, reason, from, until, mode }) => {
      return { from, until, name: `${name} (${reason})${isEnforced({ mode }) ? '' : `: ${onTrial}`}` }
    }),
    ...schedules,
    ...(moment === null ? [] : [{ from: moment.toISOString(), name: 'this change request' }]),
  ]
  const isTrial = !freezes.some(isEnforced)
  const freezeTitle = isTrial ? 'Freezes on trial do not block' : 'Nothing is applied in a freeze'
  const unfrozen = isAlone ? freezeTitle : 'Another schedule changes the same'
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
