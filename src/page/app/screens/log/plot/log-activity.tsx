import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useQuery } from '../../../core/api/query'
import { client } from '../../../core/api/session'
import { useKeys } from '../../../core/tools/keys'
import { addDays, type Day, dayMs, isWeekend } from '../../../core/tools/local-time'
import { Button } from '../../../parts/controls/button'
import { Icon } from '../../../parts/marks/icon'
import { count, counted } from '../../../words/numbers'
import { useLiveCount } from '../list/use-following'
import { hasDays, isNarrowed, type ShownFilter, singleDay, utc, withDays } from '../search/filter'
import { type Span, spanOf } from '../search/zone'
import {
  barHeight,
  type DayCount,
  type DayWindow,
  daysBetween,
  dayWords,
  fillDays,
  type Scale,
  scaleFor,
  toDay,
  windowDays,
  windowOf,
} from './days'

interface LogActivityProps {
  readonly filter: ShownFilter
  readonly zone: string
  /** In the zone. */
  readonly today: Day
  readonly onFilter: (filter: ShownFilter) => void
}

/**
 * The plot of the log: events per day as bars around the days of the filter. It filters by day, and `[` and `]` go from day to day.
 */
export function LogActivity({ filter, zone, today, onFilter }: LogActivityProps) {
  const shown = daysOf(filter, today)
  const utcToday = toDay(Date.now())
  const latest = filter.to ?? filter.from ?? utcToday
  const [looked, setLooked] = useState<Day>()
  useLayoutEffect(() => setLooked(undefined), [latest])
  const [pointed, setPointed] = useState<Day>()
  const window = windowOf(looked ?? latest, utcToday)
  const days = useActivity(window, filter.values.project)
  const span = useMemo(() => knownSpan(filter, utcToday), [filter, utcToday])
  const scale = scaleFor(Math.max(0, ...(days ?? []).map(({ total }) => total)))
  const select = (day: Day, inZone: string, last: Day) => {
    const isShown = day === singleDay(filter) && inZone === filter.zone
    if (day <= last) onFilter(isShown ? withDays(filter) : withDays(filter, day, day, inZone))
  }
  const step = (count: 1 | -1) => select(neighborOf(shown, count, today), zone, today)
  const move = (day: Day) => {
    const next = day > utcToday ? utcToday : day
    if (next < window.first || next > window.last) setLooked(next)
    setPointed(next)
  }
  useKeys({
    '[': { label: 'previous day', run: () => step(-1) },
    ']': { label: 'next day', run: () => step(1) },
  })
  const isUtc = zone === utc
  return (
    <section class="panel plot edge" aria-labelledby="activity">
      <div class="plot-head flow">
        <h2 class="small" id="activity">
          Events per day
        </h2>
        <span class="muted small">
          {windowDays} UTC days{scopeWords(filter)} · {scale.lines.length === 1 ? 'line' : 'lines'} at{' '}
          {scale.lines.map(count).join(' and ')}
        </span>
        <div class="end flow">
          <Button kind="quiet" class="icon-btn" aria-label="Previous day" onClick={() => step(-1)}>
            <Icon name="chevronLeft" />
          </Button>
          <b class="small shown-day">
            {pointed
              ? daysWords({ first: pointed, last: pointed }, days, isUtc ? '' : ' UTC')
              : daysWords(shown, isUtc ? days : undefined)}
          </b>
          <Button
            kind="quiet"
            class="icon-btn"
            aria-label="Next day"
            off={shown === undefined || shown.last >= today}
            onClick={() => step(1)}
          >
            <Icon name="chevronRight" />
          </Button>
        </div>
      </div>
      <Bars
        {...{ days, window, span, pointed, scale, move }}
        onSelect={(day) => day <= utcToday && select(day, utc, utcToday)}
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

/** The time of the filter, up to the end of today. */
function knownSpan(filter: ShownFilter, today: Day): Span | undefined {
  const { from, to } = spanOf(filter)
  return hasDays(filter) ? { from, to: Math.min(to, Date.parse(today) + dayMs) } : undefined
}

/** The days of the filter; one without an end ends today, one without a beginning begins with all that is. */
function daysOf({ from, to }: ShownFilter, today: Day): DayWindow | undefined {
  return from === undefined && to === undefined ? undefined : { first: from ?? '1970-01-01', last: to ?? today }
}

/** The day before or after those that are shown; of all days, the one before is today. */
function neighborOf(shown: DayWindow | undefined, count: 1 | -1, today: Day): Day {
  if (shown === undefined) return count === -1 ? today : addDays(today, 1)
  return addDays(count === 1 ? shown.last : shown.first, count)
}

/** The plot filters by project alone: if the list has other filters, a note explains that. */
function scopeWords(filter: ShownFilter): string {
  const { project, ...others } = filter.values
  const where = project === undefined ? '' : `, in ${project.join(' or ')}`
  return isNarrowed({ values: others, ...(filter.query && { query: filter.query }) })
    ? `${where}, not narrowed by the other filters`
    : where
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

const [width, height] = [1200, 88]
const step = width / windowDays

interface BarsProps {
  readonly days: readonly DayCount[] | undefined
  readonly window: DayWindow
  /** The time that is shown below. */
  readonly span: Span | undefined
  readonly onSelect: (day: Day) => void
  readonly pointed: Day | undefined
  readonly scale: Scale
  readonly move: (day: Day) => void
  readonly onLeave: () => void
}

/** One tab stop: arrows move, Enter filters; a press on a bar does too. */
function Bars({ days, window, span, pointed, scale, move, onSelect, onLeave }: BarsProps) {
  const plot = useRef<HTMLDivElement>(null)
  const current = pointed ?? clamp(span && toDay(span.to - 1), window)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(addDays(current, -1)),
    ArrowRight: () => move(addDays(current, 1)),
    PageUp: () => move(addDays(current, -windowDays)),
    PageDown: () => move(addDays(current, windowDays)),
    Home: () => move(window.first),
    End: () => move(window.last),
    Enter: () => onSelect(current),
    ' ': () => onSelect(current),
  }
  const dayAt = ({ clientX }: MouseEvent): Day | undefined => {
    const { left, width: wide } = plot.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return days?.[Math.floor(((clientX - left) / wide) * windowDays)]?.date
  }
  return (
    <div
      ref={plot}
      class="days-box"
      role="slider"
      tabIndex={0}
      aria-label="Day"
      aria-valuemin={0}
      aria-valuemax={windowDays - 1}
      aria-valuenow={daysBetween(window.first, current)}
      aria-valuetext={dayText(current, days, span)}
      onKeyDown={(event) => {
        const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
        if (run === undefined) return
        event.preventDefault()
        run()
      }}
      onBlur={onLeave}
      onMouseLeave={() => document.activeElement !== plot.current && onLeave()}
      onMouseMove={(event) => {
        const day = dayAt(event)
        if (day !== undefined && day !== pointed) move(day)
      }}
      onClick={(event) => {
        const day = dayAt(event)
        if (day !== undefined) onSelect(day)
      }}
    >
      <svg
        class={isFew(days) ? 'days few' : 'days'}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {scale.lines.map((line) => {
          const y = height - (line / scale.top) * height
          return <line key={line} x1="0" x2={width} y1={y} y2={y} stroke-dasharray="2 4" />
        })}
        <line x1="0" x2={width} y1={height} y2={height} />
        <Band class="win" span={pointed ? spanOfDay(pointed) : span} window={window} y={0} height={height} />
        {days?.map(({ date, total }, index) => {
          const high = barHeight(total, scale, height)
          const kind = partIn(date, span) === 'all' ? 'd sel' : isWeekend(date) ? 'd we' : 'd'
          return <rect key={date} class={kind} x={index * step + 2} y={height - high} width={step - 4} height={high} />
        })}
        <Band class="sel" span={span} window={window} y={height} height={3} />
      </svg>
    </div>
  )
}

/** A few bars need no room to compare them. */
const isFew = (days: readonly DayCount[] = []) => days.filter(({ total }) => total > 0).length < 8

interface BandProps {
  readonly class: string
  readonly span: Span | undefined
  readonly window: DayWindow
  readonly y: number
  readonly height: number
}

/** Over or below the time that is shown, clipped to the window. Days of another zone begin within a bar. */
function Band({ class: own, span, window, y, height }: BandProps) {
  if (span === undefined) return null
  const [from = 0, to = 0] = [span.from, span.to].map((moment) =>
    Math.min(Math.max((moment - Date.parse(window.first)) / dayMs, 0), windowDays),
  )
  return from < to ? <rect class={own} x={from * step} y={y} width={(to - from) * step} height={height} /> : null
}

function spanOfDay(day: Day): Span {
  return { from: Date.parse(day), to: Date.parse(day) + dayMs }
}

/** How much of a day is shown below. */
function partIn(day: Day, span: Span | undefined): 'all' | 'part' | 'none' {
  const { from, to } = spanOfDay(day)
  if (span === undefined || from >= span.to || to <= span.from) return 'none'
  return from >= span.from && to <= span.to ? 'all' : 'part'
}

/** The day, or the end of the window that is nearest to it. */
function clamp(day: Day | undefined, { first, last }: DayWindow): Day {
  if (day === undefined || day > last) return last
  return day < first ? first : day
}

function dayText(day: Day, days: readonly DayCount[] | undefined, span: Span | undefined): string {
  const total = days?.find(({ date }) => date === day)?.total
  const events = total === undefined ? '' : `, ${counted(total, 'event')}`
  const below = { all: ', shown below', part: ', partly shown below', none: '' }[partIn(day, span)]
  return `${dayWords(day, { form: 'long' })} UTC${events}${below}`
}

/** Events of each day of a window in all projects, or in some; live. */
function useActivity(window: DayWindow, projects: readonly string[] | undefined): readonly DayCount[] | undefined {
  const { first: from, last: to } = window
  const { data, refresh } = useQuery(['activity', from, to, projects], async ({ signal }) => {
    const asked = (projects ?? [undefined]).map((project) => client.activity({ from, to, project }, { signal }))
    const answers = await Promise.all(asked)
    return { body: answers.flatMap(({ body }) => body.days) }
  })
  useLiveCount(refresh, ({ project, createdAt }) => {
    const day = toDay(createdAt)
    return day >= from && day <= to && (projects === undefined || (project != null && projects.includes(project)))
  })
  return useMemo(() => data && fillDays({ first: from, last: to }, data), [data, from, to])
}
