/** The last millisecond whose year has four digits in ISO 8601. No later time can be stored: storages compare them as texts. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The instant of a time in ISO 8601, in milliseconds. Times are compared as instants: as texts, they have the wrong order where
 * one has an offset, or a year with a sign, such as +010000.
 */
export function instantOf(time: string): number {
  return Date.parse(time)
}

export function byInstant(one: string, other: string): number {
  return instantOf(one) - instantOf(other)
}

/** Maximum difference to the clock of the storage; a process with a larger one applies nothing. */
const maxOffsetMs = 5_000

/** Maximum lag of a client's clock (contract 6.2). */
const maxClientLagMs = 60_000

/** How far the clock of this process is ahead of that of the storage. */
export function clockOffset(now: string, before: number, after: number): number {
  const theirs = Date.parse(now)
  if (theirs < before) return before - theirs
  return theirs > after ? after - theirs : 0
}

/** @param offset null if the storage has no clock, or is unreachable */
export function isClockOff(offset: number | null): boolean {
  return offset !== null && Math.abs(offset) > maxOffsetMs
}

export function canScheduleAt(scheduledAt: string, now: Date): boolean {
  return Date.parse(scheduledAt) >= now.getTime() - maxClientLagMs
}

/** How long an `Idempotency-Key` is valid for a retry (contract 2.4). */
const retentionMs = 24 * 60 * 60 * 1000

export function idempotencyCutoff(now: string): string {
  return new Date(Date.parse(now) - retentionMs).toISOString()
}
