import * as times from '../../../core/tools/times'

/** A moment as the fields of the browser have it, in the zone of the viewer. */
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

/**
 * The moments that the fields name: none while they are incomplete, or where the clock skips the hour; two where the clock
 * is set back and the hour comes twice.
 */
export function momentsOf(day: string, time: string): readonly Date[] {
  const moment = new Date(`${day}T${time.slice(0, 5)}:00`)
  if (Number.isNaN(moment.getTime())) return []
  const near = [-2, -1, 0, 1, 2].map((halves) => new Date(moment.getTime() + halves * 1_800_000))
  return near.filter((at) => {
    const local = toLocal(at)
    return local.day === day && local.time === time.slice(0, 5)
  })
}

/** Times that people choose often; only those that are ahead. */
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

/** `UTC+1`; it may be another one at another time of the year. */
export function offsetWords(moment: Date): string {
  const minutes = -moment.getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
