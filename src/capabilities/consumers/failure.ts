import { pauseAfter } from '../../kernel/pause'
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

/** The status after a failed attempt: a pause, or the end of all attempts. */
export function failed(status: ConsumerStatus, error: unknown, at: Date): ConsumerStatus {
  const failures = status.failures + 1
  const failing = {
    ...status,
    failures,
    failingSince: status.failingSince ?? at.toISOString(),
    lastError: textOf(error),
  }
  if (nameOf(error) === 'ConsumerStop') return stopped(failing, textOf(error))
  return { ...failing, nextAttemptAt: new Date(at.getTime() + pauseOf(error, failures)).toISOString() }
}

/** The status of a consumer that is not attempted again. */
export function stopped(status: ConsumerStatus, reason: string): ConsumerStatus {
  return { ...status, reason, nextAttemptAt: null }
}

function pauseOf(error: unknown, failures: number): number {
  const afterMs = (error as { readonly afterMs?: unknown } | null)?.afterMs
  const isChosen = nameOf(error) === 'ConsumerRetry' && typeof afterMs === 'number' && afterMs >= 0
  return isChosen ? Math.min(afterMs, longestPauseMs) : pauseAfter(failures, firstPauseMs, longestPauseMs)
}

/** Compared by name, because the error may be from another installed copy of this package. */
function nameOf(error: unknown): unknown {
  return (error as { readonly name?: unknown } | null)?.name
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.slice(0, maxTextLength)
}
