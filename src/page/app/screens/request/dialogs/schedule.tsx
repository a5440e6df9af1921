import { useEffect, useState } from 'preact/hooks'
import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import * as times from '../../../core/tools/times'
import { useRequestContext } from '../model/context'
import { freezesAt } from '../model/freezes'
import { useStep } from '../model/use-step'
import { About, type DialogProps, StepDialog } from './frame'
import { choices, momentsOf, offsetWords, toLocal, zoneWords } from './local-time'
import { Beside, Conditions, Runs } from './schedule-facts'
import { Frozen, useFreezes } from './schedule-freezes'

/** When it is applied by itself, in the zone of the viewer and in UTC. */
export function ScheduleDialog({ onClose }: DialogProps) {
  const { content, latest, place } = useRequestContext()
  const { request } = content
  const [now, setNow] = useState(Date.now())
  const [{ day, time }, setLocal] = useState(() => toLocal(firstMoment(latest.request, now)))
  const [later, setLater] = useState(false)
  const [comment, setComment, clear] = useDraft(`schedule ${place.project} ${place.id}`)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const moments = momentsOf(day, time)
  const moment = (later ? moments[1] : undefined) ?? moments[0] ?? null
  const isAhead = moment !== null && moment.getTime() > now
  const freezes = useFreezes()
  const isFrozen = (at: Date) => freezesAt(freezes, at).length > 0
  const step = useStep<[Date]>({
    run: (_context, write, at) => {
      const said = comment.trim() === '' ? {} : { comment }
      const update = {
        state: 'Scheduled',
        scheduledAt: at.toISOString(),
        digest: content.review.digest,
        ...said,
      } as const
      return client.setState(place, update, write)
    },
    said: 'It is scheduled.',
    isDone: ({ request: found }) => 'schedule' in found && Date.parse(found.schedule.scheduledAt) === moment?.getTime(),
    onDone: () => {
      clear()
      onClose()
    },
  })
  return (
    <StepDialog
      title="Schedule"
      acts
      below={<About targets={content.targets} />}
      words={isAhead ? `Schedule for ${times.dayAndTime(moment)}` : 'Schedule…'}
      busy="Scheduling…"
      icon="scheduled"
      leave={latest.review.state === 'Scheduled' ? 'Leave it as it is' : 'Keep as approved'}
      step={step}
      onSubmit={() => moment && step.press(moment)}
      isReady={isAhead && !isFrozen(moment)}
      what={`schedule in ${request.environment}`}
      kept="Your comment is kept."
      onClose={onClose}
    >
      <fieldset class="chips" aria-label="Proposed times">
        {choices(now).map(({ label, at }) => (
          <button
            key={label}
            type="button"
            class={at.getTime() === moment?.getTime() ? 'chip on' : 'chip'}
            aria-pressed={at.getTime() === moment?.getTime()}
            onClick={() => setLocal(toLocal(at))}
          >
            {label}
            {isFrozen(at) && ' (freeze)'}
          </button>
        ))}
      </fieldset>
      <div class="two">
        <div class="field">
          <label for="day">Day</label>
          <input
            id="day"
            class="input"
            type="date"
            required
            data-first
            value={day}
            aria-describedby="zone runs frozen"
            onInput={({ currentTarget }) => setLocal({ day: currentTarget.value, time })}
          />
        </div>
        <div class="field">
          <label for="time">Time</label>
          <input
            id="time"
            class="input"
            type="time"
            required
            value={time}
            aria-describedby="zone runs"
            onInput={({ currentTarget }) => setLocal({ day, time: currentTarget.value })}
          />
        </div>
      </div>
      <p class="help" id="zone">
        Your time zone: <b>{zoneWords(times.zone, moment ?? new Date(now))}</b>
      </p>
      {moments.length > 1 && (
        <fieldset class="chips">
          <legend class="help">The clocks go back: this time occurs twice. Choose one.</legend>
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
      <Frozen freezes={freezes} moment={moment} />
      <Runs moment={moment} isAhead={isAhead} now={now} />
      <Beside />
      <Conditions />
      <div class="field">
        <label for="schedule-comment">
          Comment <span class="muted thin">(optional)</span>
        </label>
        <input
          id="schedule-comment"
          class="input"
          maxLength={10_000}
          value={comment}
          onInput={({ currentTarget }) => setComment(currentTarget.value)}
        />
      </div>
    </StepDialog>
  )
}

/** The time that it has, while that is ahead; else tomorrow morning. */
function firstMoment(request: object, now: number): Date {
  const at = 'schedule' in request ? Date.parse((request.schedule as { scheduledAt: string }).scheduledAt) : Number.NaN
  if (at > now) return new Date(at)
  return choices(now).find(({ label }) => label.startsWith('Tomorrow'))?.at ?? new Date(now + 3_600_000)
}
