import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { OtherScheduleView, ReviewView } from '../../../../../generated'
import { client, useMe } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import { addDays, type LocalTime, toLocal } from '../../../core/tools/local-time'
import { momentsOf } from '../../../core/tools/moments'
import * as times from '../../../core/tools/times'
import { TextField } from '../../../parts/controls/field'
import { list } from '../../../parts/marks/from'
import { Icon } from '../../../parts/marks/icon'
import { nameOf, PersonName } from '../../../parts/marks/person'
import { freezesAt } from '../../../reviews/freezes'
import { count } from '../../../words/numbers'
import { listed } from '../../../words/spans'
import { digestOf, minutesWords, pendingPreset, presetsSchedules, whenWords } from '../review'
import type { RequestProps } from '../use-request'
import { useStep } from '../use-step'
import { commentIn } from '../vote'
import { PredecessorField, TimeFields, TimeLine, useFreezes } from './schedule-fields'
import { About, type DialogProps, StepDialog } from './step-dialog'

type When = 'approval' | 'time' | 'minutes'

/** Schedules, in the time zone of the viewer and in UTC. Before the last approval also: as soon as it is approved. */
export function ScheduleDialog({ id, reverts, request, review, targets, actions, onClose }: DialogProps) {
  const me = useMe()
  const pending = pendingPreset(review)
  // An approval while the dialog is open changes nothing: the same request then schedules it immediately.
  const [isPreset] = useState(() => presetsSchedules(review))
  const [now, setNow] = useState(Date.now())
  const predecessors = predecessorsOf(review)
  const stored = storedTime(request, review)
  const [after, setAfter] = useState(() => [stored.after, id, reverts].find((one) => predecessors.has(one)))
  const predecessor = predecessors.get(after)
  const [chosenWhen, setWhen] = useState<When>(() => firstWhen(stored, isPreset, after))
  const when = chosenWhen === 'minutes' && !predecessor ? 'time' : chosenWhen
  const [minutes, setMinutes] = useState(stored.minutesAfter?.toString() ?? '')
  const [chosen, choose] = useState(Date.parse(stored.scheduledAt))
  const [local, setLocal] = useState(() => firstTime(chosen, predecessor, now))
  const [comment, setComment, clear] = useDraft(`schedule ${request.project} ${request.id}`)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const moments = useMemo(() => momentsOf(local), [local])
  const minutesAfter = readMinutes(minutes)
  const start = predecessor && Date.parse(predecessor.scheduledAt)
  const moment = momentOf()
  const freezes = useFreezes(request)
  const future = moment !== null && moment.getTime() > now ? moment : null
  const isEarly = future !== null && start !== undefined && future.getTime() <= start
  const isReady =
    when === 'approval' ||
    // Freezes at a time that can still move are checked when it runs.
    (future !== null && !isEarly && (when === 'minutes' || freezesAt(freezes, future).length === 0))
  const step = useStep<[time: ScheduleTime]>(actions, {
    run: (write, time) => {
      const seen = digestOf(review)
      if (isPreset) return client.presetSchedule(request, { ...time, ...seen }, write)
      return client.setState(request, { state: 'Scheduled', ...time, ...seen, ...commentIn(comment) }, write)
    },
    doneMessage: 'It is scheduled.',
    // What follows another schedule is compared with the flags after that one.
    updatesContent: true,
    isDone: (latest, _before, time) => {
      const now = storedTime(latest.request, latest.review)
      const isMine = 'schedule' in latest.request || pendingPreset(latest.review)?.by.id === me.id
      const isSame = time.minutesAfter === undefined ? now.scheduledAt === time.scheduledAt : now.after === time.after
      return isMine && isSame && now.minutesAfter === time.minutesAfter
    },
    onDone: () => {
      clear()
      onClose()
    },
  })
  return (
    <StepDialog
      title="Schedule"
      affectsEnvironment
      subtitle={<About targets={targets} />}
      submitLabel={submitLabel()}
      busyLabel="Scheduling…"
      icon="scheduled"
      cancelLabel={isPreset || review.state === 'Scheduled' ? 'Leave it as it is' : 'Keep as approved'}
      step={{ ...step, press: () => step.press(timeToSend()) }}
      isReady={isReady}
      verb={`schedule in ${request.environment}`}
      keptMessage={isPreset ? undefined : 'Your comment is kept.'}
      {...{ request, actions, onClose }}
    >
      {isPreset && pending && pending.by.id !== me.id && (
        <p class="small">
          <PersonName person={pending.by} /> scheduled it to be applied {whenWords(pending)}. Yours replaces this.
        </p>
      )}
      {predecessors.size > 0 && (
        <PredecessorField
          predecessors={[...predecessors.values()]}
          chosen={after}
          onChoose={(one) => {
            setAfter(one)
            if (one !== undefined && when === 'approval') setWhen('time')
          }}
        />
      )}
      {(isPreset || predecessor) && (
        <fieldset class="checks">
          <legend class="vh">When it is applied</legend>
          {choicesOf().map(([one, label]) => (
            <label key={one} class="check">
              <input type="radio" name="when" data-first checked={when === one} onChange={() => setWhen(one)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      )}
      {when === 'time' && (
        <TimeFields {...{ local, setLocal, moments, moment, now, freezes }} choose={(at) => choose(at.getTime())} />
      )}
      {when === 'minutes' && (
        <TextField
          label={`Minutes after #${after}`}
          type="number"
          required
          value={minutes}
          error={minutes !== '' && minutesAfter === undefined ? `Enter 1 to ${count(maxMinutes)} minutes.` : undefined}
          help={`If #${after} runs at another time, so does this.`}
          onText={setMinutes}
        />
      )}
      <TimeLine {...{ review, freezes, moment, now, after }} onFollow={setAfter} />
      <dl class="run-at" id="runs" aria-live="polite">
        <dt class="muted small">Runs</dt>
        <dd>{runsWords()}</dd>
        <dt class="muted small">UTC</dt>
        <dd>{moment ? times.dayAndTime(moment, 'UTC') : '–'}</dd>
        <dt class="muted small">As</dt>
        <dd>
          you, <bdi>{nameOf(me)}</bdi>
        </dd>
      </dl>
      <Conditions targets={targets} predecessor={predecessor} review={review} />
      {!isPreset && <TextField label="Comment (optional)" maxLength={10_000} value={comment} onText={setComment} />}
    </StepDialog>
  )

  function momentOf(): Date | null {
    if (when === 'approval') return null
    if (when === 'minutes') {
      const isKnown = start !== undefined && minutesAfter !== undefined
      return isKnown ? new Date(start + minutesAfter * 60_000) : null
    }
    return (moments.length === 1 ? moments[0] : moments.find((at) => at.getTime() === chosen)) ?? null
  }

  function timeToSend(): ScheduleTime {
    if (when === 'minutes') return { after, minutesAfter }
    return { scheduledAt: moment?.toISOString() ?? 'approval', ...(when === 'time' && predecessor && { after }) }
  }

  function choicesOf() {
    const all: readonly (false | readonly [When, string])[] = [
      isPreset && !predecessor && ['approval', 'As soon as it is approved'],
      ['time', isPreset ? 'At a time, once it is approved' : 'At a time'],
      predecessor !== undefined && ['minutes', `Some minutes after #${after}`],
    ]
    return all.filter((one) => one !== false)
  }

  function submitLabel(): string {
    if (when === 'approval') return 'Apply once approved'
    if (future === null) return 'Schedule…'
    if (when === 'minutes' && minutesAfter) return `Schedule ${minutesWords(minutesAfter)} after #${after}`
    return `Schedule for ${times.dayAndTime(future)}`
  }

  function runsWords(): ComponentChildren {
    if (when === 'approval') return <b>With the last approval</b>
    if (isEarly && start !== undefined) {
      return <b class="stop-words">{`Choose a time after #${after}, on ${times.dayAndTime(start)}`}</b>
    }
    if (future) {
      return (
        <>
          <b>{times.dayAndTime(future)}</b> · in {times.until(future, now)}
          {predecessor && `, after #${predecessor.id}`}
        </>
      )
    }
    if (moment) return <b class="stop-words">That time has passed</b>
    if (when === 'minutes') return <b class="stop-words">Enter the minutes</b>
    return <b class="stop-words">{moments.length > 1 ? 'Choose one of the two times' : 'Choose a day and a time'}</b>
  }
}

/** What is sent: a time, or how long after the predecessor. */
interface ScheduleTime {
  readonly scheduledAt?: string | undefined
  readonly after?: number | undefined
  readonly minutesAfter?: number | undefined
}

/** The schedule that is stored, or that waits for the approval. */
function storedTime(request: RequestProps['request'], review: ReviewView) {
  const preset = pendingPreset(review)
  if (preset) return { ...preset, after: preset.after ?? undefined }
  const { follows } = review
  return {
    scheduledAt: 'schedule' in request ? request.schedule.scheduledAt : '',
    after: follows?.id,
    minutesAfter: follows?.minutesAfter ?? undefined,
  }
}

/** The schedules that it can follow, as far as they are known, by id. */
function predecessorsOf({
  otherSchedules,
  followedBy = [],
}: ReviewView): ReadonlyMap<number | undefined, OtherScheduleView> {
  const isFollower = ({ id }: OtherScheduleView) => followedBy.some((one) => one.id === id)
  return new Map(
    otherSchedules.filter((one) => one.status === 'pending' && !isFollower(one)).map((one) => [one.id, one]),
  )
}

function firstWhen({ scheduledAt, minutesAfter }: ScheduleTime, isPreset: boolean, after: number | undefined): When {
  if (after !== undefined && minutesAfter !== undefined) return 'minutes'
  return isPreset && after === undefined && (scheduledAt || 'approval') === 'approval' ? 'approval' : 'time'
}

/** The scheduled time while it is in the future; else the day of the predecessor, or tomorrow morning. */
function firstTime(scheduledAt: number, predecessor: OtherScheduleView | undefined, now: number): LocalTime {
  if (scheduledAt > now) return toLocal(scheduledAt)
  if (predecessor) return { day: toLocal(predecessor.scheduledAt).day, time: '' }
  return { day: addDays(toLocal(now).day, 1), time: '07:00' }
}

const maxMinutes = 525_600

function readMinutes(text: string): number | undefined {
  const minutes = Number(text)
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= maxMinutes ? minutes : undefined
}

interface ConditionsProps extends Pick<DialogProps, 'targets' | 'review'> {
  readonly predecessor: OtherScheduleView | undefined
}

/** What would suspend the schedule. */
function Conditions({ targets, predecessor, review }: ConditionsProps) {
  const names = targets.slice(0, 3).map(({ name }) => <bdi class="flag">{name}</bdi>)
  const { followedBy = [] } = review
  return (
    <ul class="checks">
      <li>
        <Icon name="paused" />
        <span>
          If {list(names, 'or')}
          {targets.length > 3 && ' or another of its flags'} is changed by any user{' '}
          {predecessor ? `after #${predecessor.id} and before that` : 'before that'}, this is suspended and not applied.
        </span>
      </li>
      {predecessor && (
        <li>
          <Icon name="paused" />
          <span>If #{predecessor.id} is not applied, this is suspended.</span>
        </li>
      )}
      {followedBy.length > 0 && (
        <li>
          <Icon name="arrowRight" />
          <span>
            {listed(followedBy.map(({ id, scheduledAt }) => `#${id} (${times.dayAndTime(scheduledAt)})`))} must come
            later: one with a time of its own is suspended otherwise, one some minutes later moves with this.
          </span>
        </li>
      )}
    </ul>
  )
}
