import { addDays, type Day, dayMs } from '../../../core/tools/local-time'
import * as times from '../../../core/tools/times'

/** The day in UTC: the log is counted by these. */
export function toDay(moment: number | string | Date): Day {
  return new Date(moment).toISOString().slice(0, 10)
}

/** How many days lie between two; negative if the second is the earlier one. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

interface DayForm {
  /** `long` is `Wednesday 18 November`, `short` is `Wed 18 Nov`, `date` is `18 Nov`. */
  readonly form?: 'long' | 'short' | 'date'
  /** The year is named where it is another than this day's. */
  readonly today?: Day
}

export function dayWords(day: Day, { form = 'short', today = toDay(Date.now()) }: DayForm = {}): string {
  const width = form === 'long' ? form : 'short'
  const date = { day: 'numeric', month: width, timeZone: 'UTC' } as const
  return times.dated(day, form === 'date' ? date : { ...date, weekday: width }, today)
}

/** As many days as one plot shows. */
export const windowDays = 60

export interface DayWindow {
  readonly first: Day
  readonly last: Day
}

/** The window in which a day lies. Windows end today, 60 days ago and so on: they do not move with the day. */
export function windowOf(day: Day, today: Day): DayWindow {
  const back = Math.floor(Math.max(0, daysBetween(day, today)) / windowDays)
  const last = addDays(today, -back * windowDays)
  return { first: addDays(last, 1 - windowDays), last }
}

export interface DayCount {
  readonly date: Day
  readonly total: number
}

/** Every day of a window with its count; a day has one for each project, and none without events. */
export function fillDays({ first, last }: DayWindow, counted: readonly DayCount[]): DayCount[] {
  const totals = new Map<Day, number>()
  for (const { date, total } of counted) totals.set(date, (totals.get(date) ?? 0) + total)
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => {
    const date = addDays(first, index)
    return { date, total: totals.get(date) ?? 0 }
  })
}

/** Where the plot ends, and the counts at which it has a line. */
export interface Scale {
  readonly top: number
  readonly lines: readonly number[]
}

/** Two lines at round numbers, the upper one at or above the most. */
export function scaleFor(most: number): Scale {
  if (most <= 1) return { top: 1, lines: [1] }
  const power = 10 ** Math.floor(Math.log10(most))
  const upper = [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= most) ?? 10 * power
  return { top: upper, lines: upper % 2 === 0 ? [upper / 2, upper] : [upper] }
}

/** The height of a bar out of `height`: at least a pixel and a half for one event, so that it is seen. */
export function barHeight(total: number, { top }: Scale, height: number): number {
  return total === 0 ? 0 : Math.max(1.5, (total / top) * height)
}
