import { addDays, type Day, dayIn, isWeekend, startOf } from '../../core/tools/local-time'
import { percentAt, type TimeSpan } from '../../core/tools/moments'
import * as times from '../../core/tools/times'

/** As many days as the screen shows. */
const shownDays = 28

/** Four weeks: from midnight to midnight in a zone. */
export interface Weeks extends TimeSpan {
  readonly first: Day
  readonly last: Day
  /** The first days of the weeks, by their position in percent. */
  readonly starts: readonly Band[]
  readonly weekends: readonly Band[]
}

/** A part of the time line, in percent. */
interface Band {
  readonly day: Day
  readonly left: number
  readonly width: number
}

/** Days of 23 and 25 hours are as long as they are. */
export function weeksFrom(first: Day, zone = times.zone): Weeks {
  const days = Array.from({ length: shownDays + 1 }, (_, index) => addDays(first, index))
  const moments = days.map((day) => startOf(day, zone))
  const span = { from: moments[0] ?? 0, to: moments[shownDays] ?? 0 }
  const bands = days.slice(0, -1).map((day, index) => {
    const [left, right] = [moments[index], moments[index + 1]].map((moment) => percentAt(span, moment ?? 0)) as [
      number,
      number,
    ]
    return { day, left, width: right - left }
  })
  return {
    ...span,
    first,
    last: addDays(first, shownDays - 1),
    starts: bands.filter((_, index) => index % 7 === 0),
    weekends: bands.filter(({ day }) => isWeekend(day)),
  }
}

/** The day of the address, or else today. */
export function firstDay(query: URLSearchParams, now: number, zone = times.zone): Day {
  const day = query.get('from') ?? ''
  const isDay = day.length === 10 && !Number.isNaN(Date.parse(day))
  return isDay ? day : dayIn(zone, now)
}
