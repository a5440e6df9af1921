import { clockOffset, isClockOff } from '../../domain/schedule/clock'
import type { HostServices } from '../host-services'
import type { Outage } from './outage'

/**
 * Checks whether this process can decide for users who are not there: the database is no standby, and its clock agrees with the
 * clock of this process.
 *
 * @param message Logged as an error when the clocks begin to differ, not at every check.
 */
export function createClockCheck(
  { storage, clock, logger, outage }: Pick<HostServices, 'storage' | 'clock' | 'logger'> & { readonly outage: Outage },
  message: string,
) {
  let wasOff = false
  return async function isRight(): Promise<boolean> {
    const before = clock().getTime()
    const { now, recovery } = await storage.health()
    if (recovery === true) {
      outage.standby()
      return false
    }
    const clockOffMs = now === undefined ? null : clockOffset(now, before, clock().getTime())
    const off = isClockOff(clockOffMs)
    if (off && !wasOff) logger.error({ clockOffMs }, message)
    wasOff = off
    return !off
  }
}
