import type { Day } from '../../../core/tools/local-time'
import { toDay } from '../plot/days'

/** Days of the calendar, the first and the last one included. */
interface Period {
  readonly label: string
  readonly first: Day
  readonly last: Day
}

/** The months and the quarter that an auditor needs, seen from a day. */
export function periodsOf(today: Day): readonly Period[] {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const period = (label: string, since: number, months = 1) => ({
    label,
    first: toDay(Date.UTC(year, since, 1)),
    last: toDay(Date.UTC(year, since + months, 0)),
  })
  const now = month - 1
  return [period('This month', now), period('Last month', now - 1), period('This quarter', now - (now % 3), 3)]
}
