import type { FreezeView, OtherScheduleView } from '../../../../../generated'
import { useQuery } from '../../../core/api/query'
import { client } from '../../../core/api/session'
import { type LocalTime, toLocal } from '../../../core/tools/local-time'
import { momentsOf, offsetWords, percentAt, zoneWords } from '../../../core/tools/moments'
import * as times from '../../../core/tools/times'
import { Field, TextField } from '../../../parts/controls/field'
import { Notice } from '../../../parts/messages/notice'
import { freezesAt, matchingFreezes } from '../../../reviews/freezes'
import { unlinkedSchedules } from '../../../words/follows'
import { requestName } from '../../../words/request-name'
import { isEnforced, onTrial } from '../../../words/waits'
import type { RequestProps } from '../use-request'
import { choices, timeSpan } from './schedule-times'

interface TimeFieldsProps {
  readonly local: LocalTime
  readonly setLocal: (local: LocalTime) => void
  /** The moments of these fields, of which the user chooses one. */
  readonly moments: readonly Date[]
  readonly choose: (moment: Date) => void
  readonly moment: Date | null
  readonly now: number
  readonly freezes: readonly FreezeView[]
}

/** A day and a time in the zone of the viewer. */
export function TimeFields({ local, setLocal, moments, choose, moment, now, freezes }: TimeFieldsProps) {
  const { day, time } = local
  const isRepeated = moments.every((at) => toLocal(at).time === time)
  return (
    <>
      <fieldset class="chips flow" aria-label="Proposed times">
        {choices(now).map(({ label, local: proposed }) => {
          const isChosen = proposed.day === day && proposed.time === time
          return (
            <button
              key={label}
              type="button"
              class={isChosen ? 'chip on' : 'chip'}
              aria-pressed={isChosen}
              onClick={() => setLocal(proposed)}
            >
              {label}
              {momentsOf(proposed).some((at) => freezesAt(freezes, at).length > 0) && ' (freeze)'}
            </button>
          )
        })}
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
        Your time zone: <b>{zoneWords(moment ?? moments[0] ?? now)}</b>
      </p>
      {moments.length > 1 && (
        <fieldset class="chips flow">
          <legend class={moment ? 'muted small' : 'error'}>
            {isRepeated
              ? 'The clocks go back: this time occurs twice. Choose one.'
              : 'The clocks go forward: this time does not exist. Choose another one.'}
          </legend>
          {moments.map((at) => (
            <button
              key={at.getTime()}
              type="button"
              class={at === moment ? 'chip on' : 'chip'}
              aria-pressed={at === moment}
              onClick={() => choose(at)}
            >
              {times.time(at)} {offsetWords(at)}
            </button>
          ))}
        </fieldset>
      )}
    </>
  )
}

interface PredecessorFieldProps {
  readonly predecessors: readonly OtherScheduleView[]
  readonly chosen: number | undefined
  readonly onChoose: (id: number | undefined) => void
}

/** The schedule that must be applied first. */
export function PredecessorField({ predecessors, chosen, onChoose }: PredecessorFieldProps) {
  return (
    <Field label="After (optional)" help="It is applied only if that one was, and its changes are no conflict with it.">
      {(control) => (
        <select
          {...control}
          class="input"
          value={chosen ?? ''}
          onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : Number(value))}
        >
          <option value="">No other schedule</option>
          {predecessors.map((one) => (
            <option key={one.id} value={one.id}>
              {`${requestName(one)}, ${times.dayAndTime(one.scheduledAt)}`}
            </option>
          ))}
        </select>
      )}
    </Field>
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
  /** The id of the schedule that it is to follow. */
  readonly after: number | undefined
  readonly onFollow: (id: number) => void
}

interface Entry {
  readonly from: string
  /** Null for no end yet; undefined for a moment. */
  readonly until?: string | null
  readonly name: string
}

/** The chosen time between freezes and other schedules of the same flags; nothing without any. */
export function TimeLine({ review, freezes, moment, now, after, onFollow }: TimeLineProps) {
  const { otherSchedules } = review
  if (otherSchedules.length + freezes.length === 0) return null
  const chosen = otherSchedules.find(({ id }) => id === after)
  const unlinked = unlinkedSchedules({ ...review, follows: chosen && { ...chosen, minutesAfter: null } })
  const isAlone = unlinked.length === 0
  const earlier =
    after !== undefined
      ? []
      : unlinked.filter(({ status, scheduledAt }) => {
          return status === 'pending' && Date.parse(scheduledAt) < (moment?.getTime() ?? 0)
        })
  const isFrozen = moment !== null && freezesAt(freezes, moment).length > 0
  const schedules = otherSchedules.map((one): Entry => {
    const note = one.status === 'pending' ? '' : ` (${one.status})`
    return { from: one.scheduledAt, name: `${requestName(one)}${note}` }
  })
  const entries: readonly Entry[] = [
    ...freezes.map((one) => ({ from: one.from, until: one.until, name: freezeWords(one) })),
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
      {!isAlone && (
        <p>
          Whichever runs first suspends the other, unless one follows the other.{' '}
          {earlier.map(({ id }) => (
            <button key={id} type="button" class="link" onClick={() => onFollow(id)}>
              Schedule this after #{id}
            </button>
          ))}
        </p>
      )}
    </Notice>
  )
}

/** `Sale (Sales in all shops)` */
const freezeWords = ({ name, reason, mode }: FreezeView): string =>
  `${name} (${reason})${isEnforced({ mode }) ? '' : `: ${onTrial}`}`
