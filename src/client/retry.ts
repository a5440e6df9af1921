import { ClientError } from './client-error'

const firstPauseMs = 500

/** Repeats a call that fails temporarily, until the next try would be later than `maxMs` from now. @throws ClientError */
export async function retry<Value>(
  maxMs: number,
  call: (isRepeat: boolean) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const end = Date.now() + maxMs
  for (let pauseMs = firstPauseMs, isRepeat = false; ; pauseMs *= 2, isRepeat = true) {
    try {
      return await call(isRepeat)
    } catch (error) {
      if (!(error instanceof ClientError) || !error.isTemporary) throw error
      const waitMs = Math.max(pauseMs, (error.retryAfter ?? 0) * 1_000)
      if (Date.now() + waitMs > end) throw error
      await pause(waitMs, signal)
      signal?.throwIfAborted()
    }
  }
}

/** Resolves after this time, or when the signal aborts. */
export function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, durationMs)
    signal?.addEventListener('abort', end)
  })
}
