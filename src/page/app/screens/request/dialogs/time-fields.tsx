import type { FreezeView } from '../../../../../generated'
import * as times from '../../../core/tools/times'
import { freezesAt } from '../model/freezes'
import { choices, type LocalTime, offsetWords, toLocal, zoneWords } from './local-time'

interface TimeFieldsProps {
  readonly local: LocalTime
  readonly setLocal: (local: LocalTime) => void
  /** Chooses the second of two moments. */
  readonly setLater: (later: boolean) => void
  /** What the fields name. */
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
            {freezesAt(freezes, at).length > 0 && ' (freeze)'}
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
            aria-describedby="zone runs time-line"
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
    </>
  )
}
