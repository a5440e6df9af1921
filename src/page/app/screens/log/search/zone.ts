import type { EventQuery } from '../../../../../client'
import { addDays, type Day } from '../plot/days'
import { type ShownFilter, toEventQuery, utc } from './filter'

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day of the calendar in a zone. */
export function dayIn(zone: string, moment: number | string): Day {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zone })
    formats.set(zone, format)
  }
  // month/day/year
  const [month, day, year] = format.format(new Date(moment)).split('/')
  return `${year}-${month}-${day}`
}

/** From the first instant to the one after the last. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The time that the days of a filter are, in their zone; it has no end, or no beginning, where the filter has none. */
export function spanOf({ from, to, zone = utc }: ShownFilter): Span {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : startOf(from, zone),
    to: to === undefined ? Number.POSITIVE_INFINITY : startOf(addDays(to, 1), zone),
  }
}

/** The filter as the client takes it, with the instants of its days. */
export function toTimedQuery(filter: ShownFilter): EventQuery {
  const { from, to } = spanOf(filter)
  return {
    ...toEventQuery(filter),
    ...(Number.isFinite(from) && { from: new Date(from).toISOString() }),
    ...(Number.isFinite(to) && { to: new Date(to).toISOString() }),
  }
}

const hourMs = 3_600_000

/** The first millisecond of a day: midnight, where the clocks do not skip it. Days of 23 and 25 hours need no rule of their own. */
function startOf(day: Day, zone: string): number {
  let before = Date.parse(day) - 24 * hourMs
  let since = before + 48 * hourMs
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2)
    if (dayIn(zone, middle) < day) before = middle
    else since = middle
  }
  return since
}
