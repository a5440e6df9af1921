/** A process whose clock differs by more from that of the storage applies nothing. */
const maxOffsetMs = 5_000

/** How far the clock of a client may be behind (contract 6.2). */
const maxClientLagMs = 60_000

/**
 * How far the clock of this process is ahead of that of the storage.
 *
 * @param now of the storage, which answered at some time between `before` and `after`
 */
export function clockOffset(now: string, before: number, after: number): number {
  const theirs = Date.parse(now)
  if (theirs < before) return before - theirs
  return theirs > after ? after - theirs : 0
}

/** @param offset null where the storage has no clock, or is out of reach */
export function isClockOff(offset: number | null): boolean {
  return offset !== null && Math.abs(offset) > maxOffsetMs
}

/** True if a client may still schedule something for this time. */
export function canScheduleAt(scheduledAt: string, now: Date): boolean {
  return Date.parse(scheduledAt) >= now.getTime() - maxClientLagMs
}
