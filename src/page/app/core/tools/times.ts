import { isolated } from '../../words/isolated'

/** The zone of the viewer, such as `Europe/Oslo`. */
export const zone: string = Intl.DateTimeFormat().resolvedOptions().timeZone

type Moment = string | number | Date

type Form = Intl.DateTimeFormatOptions

const formats = new Map<string, Intl.DateTimeFormat>()

const date = { weekday: 'short', day: 'numeric', month: 'short' } as const
const clock = { hour: '2-digit', minute: '2-digit' } as const

/** `Fri 20 Nov, 07:00`; with the year if it is not the current one. */
export function dayAndTime(moment: Moment, timeZone = zone): string {
  return dated(moment, { ...date, ...clock, timeZone })
}

/** `Fri 20 Nov` */
export function day(moment: Moment, timeZone = zone): string {
  return dated(moment, { ...date, timeZone })
}

/** `07:00` */
export function time(moment: Moment, timeZone = zone): string {
  return written(moment, { ...clock, timeZone })
}

/** The parts of a date, and the year where it is not that of `now`. */
export function dated(moment: Moment, form: Form, now: Moment = Date.now()): string {
  const year = { year: 'numeric', timeZone: form.timeZone } as const
  return written(moment, written(moment, year) === written(now, year) ? form : { ...form, ...year })
}

/** How long ago, as short as it gets: `6 min`, `3 h`, `2 d`. */
export function age(moment: Moment, now: number = Date.now()): string {
  return duration(Math.max(0, now - new Date(moment).getTime()))
}

/** How long until then, in two units: `16 h 28 min`. */
export function until(moment: Moment, now: number = Date.now()): string {
  const minutes = Math.max(0, Math.ceil((new Date(moment).getTime() - now) / 60_000))
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (days > 0) return join([days, 'd'], [hours, 'h'])
  return join([hours, 'h'], [rest, 'min'])
}

/** `just now`, `6 min ago`, and the day where it is more than a day. */
export function ago(moment: Moment, now: number = Date.now()): string {
  const passed = now - new Date(moment).getTime()
  if (passed < 60_000) return 'just now'
  return passed < 86_400_000 ? `${duration(passed)} ago` : dayAndTime(moment)
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / 1440)} d`
}

function join(...parts: readonly (readonly [amount: number, unit: string])[]): string {
  const shown = parts.filter(([amount]) => amount > 0)
  return shown.length === 0 ? '0 min' : shown.map(([amount, unit]) => `${amount} ${unit}`).join(' ')
}

/** As the locale of the browser writes it; in the zone of the viewer, unless the form has another one. */
function written(moment: Moment, form: Form): string {
  const key = JSON.stringify(form)
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(undefined, form)
    formats.set(key, format)
  }
  return isolated(format.format(new Date(moment)))
}
