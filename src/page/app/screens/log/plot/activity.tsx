import { useState } from 'preact/hooks'
import { Button } from '../../../parts/controls/button'
import { Icon } from '../../../parts/marks/icon'
import { count } from '../../../words/numbers'
import type { Span } from '../search/zone'
import { Bars } from './bars'
import { addDays, type Day, type DayCount, type DayWindow, dayWords, windowDays } from './days'
import { scaleFor } from './scale'

interface ActivityProps {
  /** Every day of the window; undefined while it is loaded. */
  readonly days: readonly DayCount[] | undefined
  readonly window: DayWindow
  /** In the zone of the filter, and in that of the plot. */
  readonly today: Day
  readonly utcToday: Day
  /** The days of the filter; undefined for all. */
  readonly shown: DayWindow | undefined
  /** The time of these days. */
  readonly span: Span | undefined
  /** Whether the days of the filter are those of the plot. */
  readonly isUtc: boolean
  /** What the plot counts, such as `in shop`; it knows no other filter. */
  readonly scope: string
  readonly onSelect: (day: Day) => void
  /** Goes to the day before or after. */
  readonly onStep: (count: 1 | -1) => void
  /** Shows another window, with this day in it. */
  readonly onWindow: (day: Day) => void
}

/** Events per day as bars. One tab stop: arrows move, Enter filters. */
export function Activity(props: ActivityProps) {
  const { days, window, utcToday, span, scope, onSelect, onWindow } = props
  const [pointed, setPointed] = useState<Day>()
  const scale = scaleFor(Math.max(0, ...(days ?? []).map(({ total }) => total)))
  const move = (day: Day) => {
    const next = day > utcToday ? utcToday : day
    if (next < window.first || next > window.last) onWindow(next)
    setPointed(next)
  }
  return (
    <section class="panel plot edge" aria-labelledby="activity">
      <div class="plot-head">
        <h2 class="small" id="activity">
          Events per day
        </h2>
        <span class="muted small">
          {windowDays} UTC days{scope} · {scale.lines.length === 1 ? 'line' : 'lines'} at{' '}
          {scale.lines.map(count).join(' and ')}
        </span>
        <DayButtons {...props} pointed={pointed} />
      </div>
      <Bars
        {...{ days, window, span, pointed, scale, move, onSelect }}
        today={utcToday}
        onLeave={() => setPointed(undefined)}
      />
      <ol class="axis" aria-hidden="true">
        {axisDays(window).map((day) => (
          <li key={day}>{dayWords(day, { form: 'date' })}</li>
        ))}
      </ol>
    </section>
  )
}

function DayButtons(props: ActivityProps & { readonly pointed: Day | undefined }) {
  const { days, today, shown, isUtc, pointed, onStep } = props
  const words = pointed
    ? daysWords({ first: pointed, last: pointed }, days, isUtc ? '' : ' UTC')
    : daysWords(shown, isUtc ? days : undefined)
  return (
    <div class="end">
      <Button kind="quiet" class="icon-btn" aria-label="Day before" onClick={() => onStep(-1)}>
        <Icon name="chevronLeft" />
      </Button>
      <b class="small shown-day">{words}</b>
      <Button
        kind="quiet"
        class="icon-btn"
        aria-label="Day after"
        off={shown === undefined || shown.last >= today}
        onClick={() => onStep(1)}
      >
        <Icon name="chevronRight" />
      </Button>
    </div>
  )
}

/** `Wed 18 Nov · 4,812`, or several days from the first to the last one. */
function daysWords(shown: DayWindow | undefined, days: readonly DayCount[] | undefined, zone = ''): string {
  if (shown === undefined) return 'All days'
  const { first, last } = shown
  if (first !== last)
    return `${first < '1971' ? 'Until' : `${dayWords(first, { form: 'date' })} to`} ${dayWords(last, { form: 'date' })}`
  const total = days?.find(({ date }) => date === first)?.total
  return `${dayWords(first)}${zone}${total === undefined ? '' : ` · ${count(total)}`}`
}

/** Six days at equal distances, the last one at the end. */
function axisDays({ first, last }: DayWindow): Day[] {
  return [0, 12, 24, 36, 48].map((count) => addDays(first, count)).concat(last)
}
