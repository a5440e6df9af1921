/** Maximum difference to the clock of the storage; a process with a larger one applies nothing. */
const maxOffsetMs = 5_000

/** Maximum lag of a client's clock (contract 6.2). */
const maxClientLagMs = 60_000

/**
 * How far the clock of this process is ahead of that of the storage.
 *
 * @param now the time of the storage, read between `before` and `after`
 */
export function clockOffset(now: string, before: number, after: number): number {
  const theirs = Date.parse(now)
  if (theirs < before) return before - theirs
  return theirs > after ? after - theirs : 0
}

/** @param offset null if the storage has no clock, or is unreachable */
export function isClockOff(offset: number | null): boolean {
  return offset !== null && Math.abs(offset) > maxOffsetMs
}

/** True if a client can schedule a change request for this time. */
export function canScheduleAt(scheduledAt: string, now: Date): boolean {
  return Date.parse(scheduledAt) >= now.getTime() - maxClientLagMs
}
