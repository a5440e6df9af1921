import { useLayoutEffect, useState } from 'preact/hooks'
import { useKeys } from '../../../core/tools/keys'
import { isNarrowed, type ShownFilter, singleDay, withDays } from '../search/filter'
import { Activity } from './activity'
import { addDays, type Day, type DayWindow, windowOf } from './days'
import { useActivity } from './use-activity'

interface LogActivityProps {
  readonly filter: ShownFilter
  readonly today: Day
  readonly onFilter: (filter: ShownFilter) => void
}

/** The plot of the log: it shows the days around the filter, and filters by day. `[` and `]` go from day to day. */
export function LogActivity({ filter, today, onFilter }: LogActivityProps) {
  const shown = daysOf(filter, today)
  const latest = filter.to ?? filter.from ?? today
  const [looked, setLooked] = useState<Day>()
  useLayoutEffect(() => setLooked(undefined), [latest])
  const window = windowOf(looked ?? latest, today)
  const days = useActivity(window, filter.values.project)
  const select = (day: Day) => {
    if (day <= today) onFilter(day === singleDay(filter) ? withDays(filter) : withDays(filter, day))
  }
  const step = (count: 1 | -1) => select(dayBeside(shown, count, today))
  useKeys({
    '[': { label: 'day before', run: () => step(-1) },
    ']': { label: 'day after', run: () => step(1) },
  })
  return (
    <Activity
      {...{ days, window, today, shown }}
      scope={scopeWords(filter)}
      onSelect={select}
      onStep={step}
      onWindow={setLooked}
    />
  )
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
