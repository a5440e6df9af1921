import { useRef } from 'preact/hooks'
import { counted } from '../../../words/numbers'
import { addDays, type Day, type DayCount, type DayWindow, daysBetween, dayWords, isWeekend, windowDays } from './days'
import { barHeight, type Scale } from './scale'

const [width, height] = [1200, 88]
const step = width / windowDays

interface BarsProps {
  readonly days: readonly DayCount[] | undefined
  readonly window: DayWindow
  readonly today: Day
  readonly shown: DayWindow | undefined
  readonly onSelect: (day: Day) => void
  readonly pointed: Day | undefined
  readonly scale: Scale
  readonly move: (day: Day) => void
  readonly onLeave: () => void
}

/** One tab stop: arrows move, Enter filters; a press on a bar does too. */
export function Bars({ days, window, today, shown, pointed, scale, move, onSelect, onLeave }: BarsProps) {
  const plot = useRef<HTMLDivElement>(null)
  const current = pointed ?? clamp(shown?.last, window)
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
      aria-valuetext={dayText(current, days, shown)}
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
        <Band
          class="win"
          shown={pointed ? { first: pointed, last: pointed } : shown}
          window={window}
          y={0}
          height={height}
        />
        {days?.map(({ date, total }, index) => {
          const high = barHeight(total, scale, height)
          const kind = isIn(date, shown) ? 'd sel' : isWeekend(date) ? 'd we' : 'd'
          return <rect key={date} class={kind} x={index * step + 2} y={height - high} width={step - 4} height={high} />
        })}
        <Band class="sel" shown={shown} window={window} y={height} height={3} />
      </svg>
    </div>
  )
}

interface BandProps {
  readonly class: string
  readonly shown: DayWindow | undefined
  readonly window: DayWindow
  readonly y: number
  readonly height: number
}

/** Over or below the days that are shown, as far as they lie in the window. */
function Band({ class: own, shown, window, y, height }: BandProps) {
  if (shown === undefined || shown.last < window.first || shown.first > window.last) return null
  const from = daysBetween(window.first, clamp(shown.first, window))
  const to = daysBetween(window.first, clamp(shown.last, window)) + 1
  return <rect class={own} x={from * step} y={y} width={(to - from) * step} height={height} />
}

function isIn(day: Day, shown: DayWindow | undefined): boolean {
  return shown !== undefined && day >= shown.first && day <= shown.last
}

/** The day, or the end of the window that is nearest to it. */
function clamp(day: Day | undefined, { first, last }: DayWindow): Day {
  if (day === undefined || day > last) return last
  return day < first ? first : day
}

function dayText(day: Day, days: readonly DayCount[] | undefined, shown: DayWindow | undefined): string {
  const total = days?.find(({ date }) => date === day)?.total
  const events = total === undefined ? '' : `, ${counted(total, 'event')}`
  return `${dayWords(day, { form: 'long' })}${events}${isIn(day, shown) ? ', shown below' : ''}`
}
