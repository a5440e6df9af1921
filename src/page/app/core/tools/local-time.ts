import { zone as viewerZone } from './times'

/** `2026-11-18` */
export type Day = string

export const dayMs = 86_400_000

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)
}

/** Saturday or Sunday. */
export function isWeekend(day: Day): boolean {
  return new Date(day).getUTCDay() % 6 === 0
}

/** A moment as the date and time fields of the browser have it. */
export interface LocalTime {
  readonly day: Day
  /** `07:00` */
  readonly time: string
}

type Moment = number | string | Date

const formats = new Map<string, Intl.DateTimeFormat>()

/** The moment in a zone, by default that of the viewer. */
export function toLocal(moment: Moment, zone = viewerZone): LocalTime {
  let format = formats.get(zone)
  if (format === undefined) {
    // Swedish has `2026-11-20 07:00`.
    format = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short', timeZone: zone })
    formats.set(zone, format)
  }
  const [day = '', time = ''] = format.format(new Date(moment)).split(' ')
  return { day, time }
}

/** The day of the calendar in a zone. */
export const dayIn = (zone: string, moment: Moment): Day => toLocal(moment, zone).day

/** The first millisecond of a day: midnight, where the clocks do not skip it. Days of 23 and 25 hours need no rule of their own. */
export function startOf(day: Day, zone = viewerZone): number {
  let before = Date.parse(day) - dayMs
  let since = before + 2 * dayMs
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2)
    if (dayIn(zone, middle) < day) before = middle
    else since = middle
  }
  return since
}
