import type { Services } from './services'

/** A clock that is further off than this carries nothing out. */
const tolerableMs = 5_000

/** How far the clock of this process is ahead of that of the storage; null where the storage has none, or is out of reach. */
export async function clockOffset({ storage, clock }: Pick<Services, 'storage' | 'clock'>): Promise<number | null> {
  const before = clock().getTime()
  const { now } = await storage.health()
  const after = clock().getTime()
  return now === undefined ? null : offsetOf(now, before, after)
}

/** The answer was given at some time between the two. */
export function offsetOf(now: string, before: number, after: number): number {
  const theirs = Date.parse(now)
  if (theirs < before) return before - theirs
  return theirs > after ? after - theirs : 0
}

function isOff(offset: number | null): boolean {
  return offset !== null && Math.abs(offset) > tolerableMs
}

/**
 * Checks whether the clock of this process agrees with that of the database.
 *
 * @param message Logged as an error when it stops agreeing, not at every check.
 */
export function createClockCheck(services: Pick<Services, 'storage' | 'clock' | 'logger'>, message: string) {
  let wasOff = false
  return async function isRight(): Promise<boolean> {
    const clockOffMs = await clockOffset(services)
    const off = isOff(clockOffMs)
    if (off && !wasOff) services.logger.error({ clockOffMs }, message)
    wasOff = off
    return !off
  }
}
