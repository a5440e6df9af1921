import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { useKeys } from '../../../core/tools/keys'
import { hasDays, isNarrowed, type ShownFilter, singleDay, utc, withDays } from '../search/filter'
import { type Span, spanOf } from '../search/zone'
import { Activity } from './activity'
import { addDays, type Day, type DayWindow, dayMs, toDay, windowOf } from './days'
import { useActivity } from './use-activity'

interface LogActivityProps {
  readonly filter: ShownFilter
  readonly zone: string
  /** In the zone. */
  readonly today: Day
  readonly onFilter: (filter: ShownFilter) => void
}

/** The plot of the log: it shows the days around the filter, and filters by day. `[` and `]` go from day to day. */
export function LogActivity({ filter, zone, today, onFilter }: LogActivityProps) {
  const shown = daysOf(filter, today)
  const utcToday = toDay(Date.now())
  const latest = filter.to ?? filter.from ?? utcToday
  const [looked, setLooked] = useState<Day>()
  useLayoutEffect(() => setLooked(undefined), [latest])
  const window = windowOf(looked ?? latest, utcToday)
  const days = useActivity(window, filter.values.project)
  const span = useMemo(() => knownSpan(filter, utcToday), [filter, utcToday])
  const select = (day: Day, inZone: string, last: Day) => {
    const isShown = day === singleDay(filter) && inZone === filter.zone
    if (day <= last) onFilter(isShown ? withDays(filter) : withDays(filter, day, day, inZone))
  }
  const step = (count: 1 | -1) => select(dayBeside(shown, count, today), zone, today)
  useKeys({
    '[': { label: 'day before', run: () => step(-1) },
    ']': { label: 'day after', run: () => step(1) },
  })
  return (
    <Activity
      {...{ days, window, today, utcToday, shown, span }}
      isUtc={zone === utc}
      scope={scopeWords(filter)}
      onSelect={(day) => select(day, utc, utcToday)}
      onStep={step}
      onWindow={setLooked}
    />
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
function dayBeside(shown: DayWindow | undefined, count: 1 | -1, today: Day): Day {
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
