import { dayMs, type LocalTime, toLocal } from './local-time'
import { zone as viewerZone } from './times'

type Moment = number | string | Date

/**
 * The moments that a user can mean by these fields, in order: one; two if the time occurs twice because the clocks go back, or if
 * it does not exist because they go forward, then as far before and after the change; none while the fields are incomplete.
 */
export function momentsOf({ day, time }: LocalTime, zone = viewerZone): readonly Date[] {
  const minute = time.slice(0, 5)
  const wall = Date.parse(`${day}T${minute}Z`)
  if (Number.isNaN(wall)) return []
  // The clocks change at most once in these two days, and no zone is as far from UTC.
  const [before = 0, after = 0] = [wall - dayMs, wall + dayMs].map((moment) => offsetOf(moment, zone))
  const moments = [...new Set([before, after])].map((offset) => new Date(wall - offset * minuteMs))
  const exact = moments.filter((moment) => isSameMinute(toLocal(moment, zone), { day, time: minute }))
  return (exact.length === 0 ? moments : exact).sort((one, other) => one.getTime() - other.getTime())
}

const minuteMs = 60_000

const isSameMinute = (one: LocalTime, other: LocalTime) => one.day === other.day && one.time === other.time

/** How many minutes the clocks are ahead of UTC. */
function offsetOf(moment: Moment, zone: string): number {
  const { day, time } = toLocal(moment, zone)
  return Date.parse(`${day}T${time}Z`) / minuteMs - Math.floor(new Date(moment).getTime() / minuteMs)
}

/** `UTC+1`; it depends on the time of the year. */
export function offsetWords(moment: Moment, zone = viewerZone): string {
  const minutes = offsetOf(moment, zone)
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** `Europe/Oslo, UTC+1` */
export function zoneWords(moment: Moment, zone = viewerZone): string {
  const offset = offsetWords(moment, zone)
  return zone === offset ? zone : `${zone}, ${offset}`
}

/** Whole days on a time line, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** The position of a moment in percent: 0 for all before the time line, 100 for all after it. */
export function percentAt({ from, to }: TimeSpan, moment: number): number {
  return Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100))
}
