import { useEffect, useState } from 'preact/hooks'
import { client, useMe } from '../../../core/api/session'
import { useDraft } from '../../../core/tools/drafts'
import * as times from '../../../core/tools/times'
import { TextField } from '../../../parts/controls/field'
import { list } from '../../../parts/marks/from'
import { Icon } from '../../../parts/marks/icon'
import { nameOf, PersonName } from '../../../parts/marks/person'
import type { TargetItem } from '../../../words/content/items'
import { digestOf, pendingPreset, presetsSchedules, whenWords } from '../review'
import type { RequestProps } from '../use-request'
import { useStep } from '../use-step'
import { commentIn } from '../vote'
import { TimeFields, TimeLine, useFreezes } from './schedule-fields'
import { choices, freezesAt, momentsOf, toLocal } from './schedule-times'
import { About, type DialogProps, StepDialog } from './step-dialog'

/** Schedules, in the time zone of the viewer and in UTC. Before the last approval also: as soon as it is approved. */
export function ScheduleDialog({ request, review, targets, actions, onClose }: DialogProps) {
  const me = useMe()
  const pending = pendingPreset(review)
  // An approval while the dialog is open changes nothing: the same request then schedules it immediately.
  const [isPreset] = useState(() => presetsSchedules(review))
  const [onApproval, setOnApproval] = useState(isPreset && (pending?.scheduledAt ?? 'approval') === 'approval')
  const [now, setNow] = useState(Date.now())
  const [local, setLocal] = useState(() => toLocal(firstMoment(request, review, now)))
  const [later, setLater] = useState(false)
  const [comment, setComment, clear] = useDraft(`schedule ${request.project} ${request.id}`)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const moments = momentsOf(local.day, local.time)
  const moment = onApproval ? null : ((later ? moments[1] : undefined) ?? moments[0] ?? null)
  const freezes = useFreezes(request)
  const future = moment !== null && moment.getTime() > now ? moment : null
  const step = useStep<[scheduledAt: string]>(actions, {
    run: (write, scheduledAt) => {
      const seen = digestOf(review)
      if (isPreset) return client.presetSchedule(request, { scheduledAt, ...seen }, write)
      return client.setState(request, { state: 'Scheduled', scheduledAt, ...seen, ...commentIn(comment) }, write)
    },
    doneMessage: 'It is scheduled.',
    isDone: (latest, _before, scheduledAt) => {
      const preset = pendingPreset(latest.review)
      if ('schedule' in latest.request) return latest.request.schedule.scheduledAt === scheduledAt
      return preset?.by.id === me.id && preset.scheduledAt === scheduledAt
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
      submitLabel={
        onApproval ? 'Apply once approved' : future ? `Schedule for ${times.dayAndTime(future)}` : 'Schedule…'
      }
      busyLabel="Scheduling…"
      icon="scheduled"
      cancelLabel={isPreset || review.state === 'Scheduled' ? 'Leave it as it is' : 'Keep as approved'}
      step={{ ...step, press: () => step.press(moment?.toISOString() ?? 'approval') }}
      isReady={onApproval || (future !== null && freezesAt(freezes, future).length === 0)}
      verb={`schedule in ${request.environment}`}
      keptMessage={isPreset ? undefined : 'Your comment is kept.'}
      {...{ request, actions, onClose }}
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
      <TimeLine {...{ review, freezes, moment, now }} />
      <dl class="run-at" id="runs" aria-live="polite">
        <dt class="muted small">Runs</dt>
        <dd>
          {onApproval ? (
            <b>With the last approval</b>
          ) : future ? (
            <>
              <b>{times.dayAndTime(future)}</b> · in {times.until(future, now)}
            </>
          ) : (
            <b class="stop-words">{moment ? 'That time has passed' : 'Choose a day and a time'}</b>
          )}
        </dd>
        <dt class="muted small">UTC</dt>
        <dd>{moment ? times.dayAndTime(moment, 'UTC') : '–'}</dd>
        <dt class="muted small">As</dt>
        <dd>
          you, <bdi>{nameOf(me)}</bdi>
        </dd>
      </dl>
      <Conditions targets={targets} />
      {!isPreset && <TextField label="Comment (optional)" maxLength={10_000} value={comment} onText={setComment} />}
    </StepDialog>
  )
}

/** The scheduled time while it is in the future; else tomorrow morning. */
function firstMoment(request: RequestProps['request'], review: RequestProps['review'], now: number): Date {
  const { scheduledAt = '' } = 'schedule' in request ? request.schedule : (pendingPreset(review) ?? {})
  const at = Date.parse(scheduledAt)
  if (at > now) return new Date(at)
  return choices(now).find(({ label }) => label.startsWith('Tomorrow'))?.at ?? new Date(now + 3_600_000)
}

/** What would suspend the schedule. */
function Conditions({ targets }: { readonly targets: readonly TargetItem[] }) {
  const names = targets.slice(0, 3).map(({ name }) => <bdi class="flag">{name}</bdi>)
  return (
    <ul class="checks">
      <li>
        <Icon name="paused" />
        <span>
          If {list(names, 'or')}
          {targets.length > 3 && ' or another of its flags'} is changed by any user before that, this is suspended and
          not applied.
        </span>
      </li>
    </ul>
  )
}
