import { ClientError } from './client-error'

/** Repeats a call that fails temporarily or with an unknown result, until the next try would be later than `maxMs` from now. @throws ClientError */
export async function retry<Value>(
  maxMs: number,
  call: (isRepeat: boolean) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const end = Date.now() + maxMs
  for (let pauseMs = 500, isRepeat = false; ; pauseMs *= 2, isRepeat = true) {
    try {
      return await call(isRepeat)
    } catch (error) {
      if (!(error instanceof ClientError) || !(error.isTemporary || error.name === 'UnknownResult')) throw error
      const waitMs = Math.max(pauseMs, (error.retryAfter ?? 0) * 1_000)
      if (Date.now() + waitMs > end) throw error
      await pause(waitMs, signal)
      signal?.throwIfAborted()
    }
  }
}

/**
 * Checks a duration in milliseconds; Infinity is one. @throws TypeError for anything else: with NaN, retries would never end, and
 * connections would be closed immediately
 */
export function requireDuration(name: string, value: number): number {
  if (typeof value === 'number' && value >= 0) return value
  throw new TypeError(`${name} must be a number of milliseconds from 0, got ${String(value)}.`)
}

/** The longest duration of a timer in milliseconds: 24 days. Node and browsers wait only 1 ms for a longer one. */
export const maxTimerMs = 2 ** 31 - 1

/** Resolves after this time, at most {@link maxTimerMs}, or when the signal aborts. */
export function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(durationMs, maxTimerMs))
    signal?.addEventListener('abort', end)
  })
}
