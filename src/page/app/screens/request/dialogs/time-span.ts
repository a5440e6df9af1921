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

/** Where a moment stands, in percent: 0 for all before the time line, 100 for all after it. */
export function percentAt({ from, to }: TimeSpan, moment: number): number {
  return Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100))
}
