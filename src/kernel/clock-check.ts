import { clockOffset, isClockOff } from '../domain/schedule/clock'
import type { Services } from './services'

/**
 * Checks whether the clock of this process agrees with that of the database.
 *
 * @param message Logged as an error when the clocks begin to differ, not at every check.
 */
export function createClockCheck(
  { storage, clock, logger }: Pick<Services, 'storage' | 'clock' | 'logger'>,
  message: string,
) {
  let wasOff = false
  return async function isRight(): Promise<boolean> {
    const before = clock().getTime()
    const { now } = await storage.health()
    const clockOffMs = now === undefined ? null : clockOffset(now, before, clock().getTime())
    const off = isClockOff(clockOffMs)
    if (off && !wasOff) logger.error({ clockOffMs }, message)
    wasOff = off
    return !off
  }
}
