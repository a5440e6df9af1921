import { UsageError } from '../../command'

/** Whole days of a time zone. */
export interface Period {
  /** The first day: `2026-07-01`. */
  readonly from: string
  /** The last day. */
  readonly to: string
  /** The name of the time zone: `Europe/Berlin`. */
  readonly zone: string
  /** The first instant of the first day: UTC, ISO 8601 with milliseconds, as in events. */
  readonly start: string
  /** The first instant after the last day. */
  readonly end: string
}

const dayMs = 86_400_000
/** No zone is further from UTC. */
const maxOffsetMs = dayMs

/** @throws UsageError for a date or a zone that does not exist */
export function toPeriod(from: string, to: string, zone: string): Period {
  for (const [option, day] of Object.entries({ '--from': from, '--to': to })) {
    if (!isDay(day)) throw new UsageError(`${option} must be a date such as 2026-07-01.`)
  }
  const zoned = clockOf(zone)
  const [start, end] = [firstInstant(from, zoned), firstInstant(dayAfter(to), zoned)]
  if (Date.parse(end) <= Date.parse(start)) throw new UsageError('--to must not be before --from.')
  return { from, to, zone, start, end }
}

export function isWithin({ start, end }: Period, instant: string): boolean {
  const at = Date.parse(instant)
  return at >= Date.parse(start) && at < Date.parse(end)
}

/** The instant that lies this many days before or after another one. */
export function shifted(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * dayMs).toISOString()
}

/** The date of the Monday on or before a day. */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return dayAfter(day, -((date.getUTCDay() + 6) % 7))
}

/** The Mondays of the weeks that a period touches. */
export function weeksOf({ from, to }: Pick<Period, 'from' | 'to'>): string[] {
  const weeks: string[] = []
  for (let week = mondayOf(from); week <= to; week = dayAfter(week, 7)) weeks.push(week)
  return weeks
}

/** Shows instants as the clocks of a zone do. */
export interface ZonedClock {
  /** `2026-07-01` */
  day(instant: string): string
  /** `2026-07-01 09:30:00` */
  time(instant: string): string
}

/** @throws UsageError for an unknown zone */
export function clockOf(zone: string): ZonedClock {
  let format: Intl.DateTimeFormat
  try {
    const [numeric, digits] = ['numeric', '2-digit'] as const
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
      ...{ year: numeric, month: digits, day: digits, hour: digits, minute: digits, second: digits },
    })
  } catch {
    throw new UsageError(`--zone must be the name of a time zone such as Europe/Berlin, not ${zone}.`)
  }
  const partsOf = (instant: string) =>
    Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
  const dayOf = ({ year = '', month, day }: Record<string, string>) => `${year.padStart(4, '0')}-${month}-${day}`
  return {
    day: (instant) => dayOf(partsOf(instant)),
    time(instant) {
      const parts = partsOf(instant)
      return `${dayOf(parts)} ${parts.hour}:${parts.minute}:${parts.second}`
    },
  }
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function dayAfter(day: string, days = 1): string {
  return shifted(`${day}T00:00:00Z`, days).slice(0, 'yyyy-mm-dd'.length)
}

/** Days of 23 and 25 hours, and days that do not begin at midnight, need no case of their own. */
function firstInstant(day: string, clock: ZonedClock): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  let [before, after] = [midnight - maxOffsetMs, midnight + maxOffsetMs]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (clock.day(new Date(middle).toISOString()) < day) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}
