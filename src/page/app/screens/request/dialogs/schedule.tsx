import { useEffect, useState } from 'preact/hooks'
import { client } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import * as times from '../../../core/tools/times'
import { PersonName } from '../../../parts/marks/person'
import { useRequestContext } from '../model/context'
import { freezesAt } from '../model/freezes'
import { pendingPreset, presetsSchedules, whenWords } from '../model/preset-schedule'
import { digestOf, type Snapshot } from '../model/use-request'
import { useStep } from '../model/use-step'
import { About, type DialogProps, StepDialog } from './frame'
import { choices, momentsOf, toLocal } from './local-time'
import { Conditions, Runs } from './schedule-facts'
import { TimeFields } from './time-fields'
import { TimeLine, useFreezes } from './time-line'

/** When it is applied by itself, in the zone of the viewer and in UTC. Before the last approval, also: as soon as it is approved. */
export function ScheduleDialog({ onClose }: DialogProps) {
  const { content, latest, place, me } = useRequestContext()
  const { request } = content
  const pending = pendingPreset(latest.review)
  // An approval while the dialog is open changes nothing: the same request then schedules it immediately.
  const [isPreset] = useState(() => presetsSchedules(latest.review))
  const [onApproval, setOnApproval] = useState(isPreset && (pending?.scheduledAt ?? 'approval') === 'approval')
  const [now, setNow] = useState(Date.now())
  const [local, setLocal] = useState(() => toLocal(firstMoment(latest, now)))
  const [later, setLater] = useState(false)
  const [comment, setComment, clear] = useDraft(`schedule ${place.project} ${place.id}`)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const moments = momentsOf(local.day, local.time)
  const moment = onApproval ? null : ((later ? moments[1] : undefined) ?? moments[0] ?? null)
  const freezes = useFreezes()
  const future = moment !== null && moment.getTime() > now ? moment : null
  const isReady = onApproval || (future !== null && freezesAt(freezes, future).length === 0)
  const step = useStep<[scheduledAt: string]>({
    run: (_context, write, scheduledAt) => {
      const seen = digestOf(content.review)
      if (isPreset) return client.presetSchedule(place, { scheduledAt, ...seen }, write)
      const said = comment.trim() === '' ? {} : { comment }
      return client.setState(place, { state: 'Scheduled', scheduledAt, ...seen, ...said }, write)
    },
    said: 'It is scheduled.',
    isDone: (found) => {
      const preset = pendingPreset(found.review)
      const at =
        'schedule' in found.request ? found.request.schedule.scheduledAt : preset?.by.id === me.id && preset.scheduledAt
      return at === (onApproval ? 'approval' : moment?.toISOString())
    },
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
      words={onApproval ? 'Apply once approved' : future ? `Schedule for ${times.dayAndTime(future)}` : 'Schedule…'}
      busy="Scheduling…"
      icon="scheduled"
      leave={isPreset || latest.review.state === 'Scheduled' ? 'Leave it as it is' : 'Keep as approved'}
      step={step}
      onSubmit={() => step.press(moment?.toISOString() ?? 'approval')}
      isReady={isReady}
      what={`schedule in ${request.environment}`}
      kept={isPreset ? undefined : 'Your comment is kept.'}
      onClose={onClose}
    >
      {isPreset && (
        <fieldset class="checks">
          <legend class="vh">When it is applied</legend>
          {pending && pending.by.id !== me.id && (
            <p class="small">
              <PersonName person={pending.by} /> scheduled it to be applied {whenWords(pending)}. Yours replaces this.
            </p>
          )}
          {[true, false].map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="when"
                data-first
                checked={onApproval === one}
                onChange={() => setOnApproval(one)}
              />
              <span>{one ? 'As soon as it is approved' : 'At a time, once it is approved'}</span>
            </label>
          ))}
        </fieldset>
      )}
      {!onApproval && <TimeFields {...{ local, setLocal, setLater, moments, moment, now, freezes }} />}
      <TimeLine freezes={freezes} moment={moment} now={now} />
      <Runs moment={moment} onApproval={onApproval} now={now} />
      <Conditions />
      {!isPreset && (
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
      )}
    </StepDialog>
  )
}

/** The time that it has, while that is in the future; else tomorrow morning. */
function firstMoment({ request, review }: Snapshot, now: number): Date {
  const { scheduledAt = '' } = 'schedule' in request ? request.schedule : (pendingPreset(review) ?? {})
  const at = Date.parse(scheduledAt)
  if (at > now) return new Date(at)
  return choices(now).find(({ label }) => label.startsWith('Tomorrow'))?.at ?? new Date(now + 3_600_000)
}
