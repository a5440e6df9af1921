import { useRef } from 'preact/hooks'
import { counted } from '../../../words/numbers'
import type { Span } from '../search/zone'
import {
  addDays,
  type Day,
  type DayCount,
  type DayWindow,
  dayMs,
  daysBetween,
  dayWords,
  isWeekend,
  toDay,
  windowDays,
} from './days'
import { barHeight, type Scale } from './scale'

const [width, height] = [1200, 88]
const step = width / windowDays

interface BarsProps {
  readonly days: readonly DayCount[] | undefined
  readonly window: DayWindow
  readonly today: Day
  /** The time that is shown below. */
  readonly span: Span | undefined
  readonly onSelect: (day: Day) => void
  readonly pointed: Day | undefined
  readonly scale: Scale
  readonly move: (day: Day) => void
  readonly onLeave: () => void
}

/** One tab stop: arrows move, Enter filters; a press on a bar does too. */
export function Bars({ days, window, today, span, pointed, scale, move, onSelect, onLeave }: BarsProps) {
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
        if (day !== undefined && day <= today) onSelect(day)
      }}
    >
      <svg class="days" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
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

interface BandProps {
  readonly class: string
  readonly span: Span | undefined
  readonly window: DayWindow
  readonly y: number
  readonly height: number
}

/** Over or below the time that is shown, as far as it lies in the window. Days of another zone begin within a bar. */
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
