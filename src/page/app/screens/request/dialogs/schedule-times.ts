import { matchesName } from '../../../../../domain/content/name-pattern'
import type { FreezeView } from '../../../../../generated'
import * as times from '../../../core/tools/times'
import { isEnforced } from '../../../words/waits'

/** A moment as the date and time fields of the browser have it, in the zone of the viewer. */
export interface LocalTime {
  readonly day: string
  readonly time: string
}

export function toLocal(moment: Date): LocalTime {
  const two = (value: number) => String(value).padStart(2, '0')
  const year = String(moment.getFullYear()).padStart(4, '0')
  return {
    day: `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    time: `${two(moment.getHours())}:${two(moment.getMinutes())}`,
  }
}

/** The moments of these fields: none while they are incomplete or in a skipped hour, two when the clocks go back. */
export function momentsOf(day: string, time: string): readonly Date[] {
  const moment = new Date(`${day}T${time.slice(0, 5)}:00`)
  if (Number.isNaN(moment.getTime())) return []
  const near = [-2, -1, 0, 1, 2].map((halves) => new Date(moment.getTime() + halves * 1_800_000))
  return near.filter((at) => {
    const local = toLocal(at)
    return local.day === day && local.time === time.slice(0, 5)
  })
}

/** Times that users choose often; only those in the future. */
export function choices(now: number): readonly { readonly label: string; readonly at: Date }[] {
  const at = (days: number, hour: number) => {
    const moment = new Date(now)
    moment.setDate(moment.getDate() + days)
    moment.setHours(hour, 0, 0, 0)
    return moment
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  const all = [
    { day: 'Tonight', at: at(0, 22) },
    { day: 'Tomorrow', at: at(1, 7) },
    { day: 'Monday', at: at(toMonday, 9) },
  ]
  return all.filter((one) => one.at.getTime() > now).map(({ day, at }) => ({ label: `${day} ${times.time(at)}`, at }))
}

/** `Europe/Oslo, UTC+1` */
export function zoneWords(zone: string, moment: Date): string {
  const offset = offsetWords(moment)
  return zone === offset ? zone : `${zone}, ${offset}`
}

/** `UTC+1`; it depends on the time of the year. */
export function offsetWords(moment: Date): string {
  const minutes = -moment.getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** The flags and segments of a change request. */
interface Content {
  readonly features: readonly { readonly name: string }[]
  readonly segments: readonly object[]
}

/** The freezes that match a change request of their environment. */
export function matchingFreezes(freezes: readonly FreezeView[], content: Content): readonly FreezeView[] {
  return freezes.filter(({ when }) => {
    const { features, segments } = when ?? {}
    if (features === undefined && segments === undefined) return true
    const ids = content.segments.flatMap((one) => ('id' in one && typeof one.id === 'number' ? one.id : []))
    return (
      content.features.some(({ name }) => features?.some((pattern) => matchesName(pattern, name))) ||
      ids.some((id) => segments === true || segments?.includes(id))
    )
  })
}

/** The freezes that block at the time; those on trial do not. */
export function freezesAt(freezes: readonly FreezeView[], moment: Date): readonly FreezeView[] {
  const at = moment.getTime()
  const isInForce = ({ from, until }: FreezeView) => {
    return Date.parse(from) <= at && (until === null || at < Date.parse(until))
  }
  return freezes.filter((one) => isEnforced(one) && isInForce(one))
}

/** The days that a time line shows, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

const minDays = 7

/** Whole days from today: a week, or more up to the chosen time. */
export function timeSpan(now: number, moment: Date | null): TimeSpan {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  const from = day.getTime()
  for (let count = 0; count < minDays || day.getTime() <= (moment?.getTime() ?? 0); count++)
    day.setDate(day.getDate() + 1)
  return { from, to: day.getTime() }
}

/** The position of a moment in percent: 0 for all before the time line, 100 for all after it. */
export function percentAt({ from, to }: TimeSpan, moment: number): number {
  return Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100))
}
