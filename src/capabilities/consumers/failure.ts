import { textOfThrown } from '../../kernel/host/thrown'
import { pauseAfter } from '../../pause'
import { isConsumerRetry, isConsumerStop } from '../../ports/consumers'
import type { ConsumerStatus } from '../../ports/storage/consumers'

const firstPauseMs = 1_000
/** The longest pause between two attempts. */
export const longestPauseMs = 3_600_000
const maxTextLength = 200

/** The status after progress. */
export function progressed(status: ConsumerStatus, at: Date): ConsumerStatus {
  const noFailure = { failures: 0, failingSince: null, nextAttemptAt: null, lastError: null }
  return { ...status, ...noFailure, handledAt: at.toISOString() }
}

/** The status after a failed attempt, whose handler can have thrown any value: a pause, or the end of all attempts. */
export function failed(status: ConsumerStatus, error: unknown, at: Date): ConsumerStatus {
  const failures = status.failures + 1
  const lastError = textOfThrown(error, maxTextLength)
  const failing = { ...status, failures, failingSince: status.failingSince ?? at.toISOString(), lastError }
  if (isConsumerStop(error)) return stopped(failing, lastError)
  return { ...failing, nextAttemptAt: new Date(at.getTime() + pauseOf(error, failures)).toISOString() }
}

/** The status of a consumer that is not attempted again. */
export function stopped(status: ConsumerStatus, reason: string): ConsumerStatus {
  return { ...status, reason, nextAttemptAt: null }
}

function pauseOf(error: unknown, failures: number): number {
  const afterMs = isConsumerRetry(error) ? afterMsOf(error) : undefined
  return afterMs === undefined ? pauseAfter(failures, firstPauseMs, longestPauseMs) : Math.min(afterMs, longestPauseMs)
}

/** Undefined unless it is a duration: another copy of the package may have created the error. */
function afterMsOf(error: { readonly afterMs?: unknown }): number | undefined {
  try {
    const { afterMs } = error
    return typeof afterMs === 'number' && afterMs >= 0 ? afterMs : undefined
  } catch {
    return undefined
  }
}
