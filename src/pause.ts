/** A random pause of at most `firstMs` after the first failure, twice that after each further one, and at most `maxMs`. */
export function pauseAfter(failures: number, firstMs: number, maxMs: number): number {
  return Math.random() * Math.min(maxMs, firstMs * 2 ** (failures - 1))
}

/** Resolves after the time, or when the signal aborts. A pause with a signal does not keep the process running. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    if (signal === undefined) return
    timer.unref()
    signal.addEventListener('abort', end)
  })
}
