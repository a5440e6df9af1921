import { createStore, useStore } from '../tools/store'

/** Since when nothing is reachable; undefined while all is well. */
const offline = createStore<number | undefined>(undefined)

export const useOffline = (): number | undefined => useStore(offline)

/** What is shown was true until then. */
export function reportOffline(): void {
  if (offline.get() === undefined) offline.set(Date.now())
}

export function reportAnswer(): void {
  offline.set(undefined)
}

/** Calls back when something is reachable again. */
export function followOnline(listener: () => void): void {
  offline.follow((since) => since === undefined && listener())
}

/** Resolves after the pause, immediately when the network is back, or when it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

/** How long to wait before asking again: 8 s without a network, else 1 s, 2 s, 4 s up to 8 s, a little apart. */
export function waitFor(attempt: number, noNetwork: boolean): number {
  if (noNetwork) return 8_000
  return Math.min(8_000, 1_000 * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)
}
