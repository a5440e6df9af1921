import { addDays, type Day, type LocalTime, startOf, toLocal } from '../../../core/tools/local-time'
import { momentsOf, type TimeSpan } from '../../../core/tools/moments'
import * as times from '../../../core/tools/times'

/** Times that users choose often; only those in the future. */
export function choices(
  now: number,
  zone = times.zone,
): readonly { readonly label: string; readonly local: LocalTime }[] {
  const today = toLocal(now, zone).day
  const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7
  const all: readonly [label: string, day: Day, time: string][] = [
    ['Tonight', today, '22:00'],
    ['Tomorrow', addDays(today, 1), '07:00'],
    ['Monday', addDays(today, toMonday), '09:00'],
  ]
  return all.flatMap(([label, day, time]) => {
    const [at] = momentsOf({ day, time }, zone)
    if (at === undefined || at.getTime() <= now) return []
    return { label: `${label} ${times.time(at, zone)}`, local: { day, time } }
  })
}

const minDays = 7

/** Whole days from today: a week, or more up to the chosen time. */
export function timeSpan(now: number, moment: Date | null, zone = times.zone): TimeSpan {
  const days = [addDays(toLocal(now, zone).day, minDays), addDays(toLocal(moment ?? now, zone).day, 1)]
  return { from: startOf(toLocal(now, zone).day, zone), to: Math.max(...days.map((day) => startOf(day, zone))) }
}
