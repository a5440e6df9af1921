import { pauseAfter } from '../../pause'

const firstMs = 1_000
const maxMs = 30_000

/** Pauses between attempts, per key. */
export class Pauses<Key> {
  readonly #pauses = new Map<Key, { readonly failures: number; readonly until: number }>()
  #prunedAt = performance.now()

  extend(key: Key): number {
    this.#prune()
    const failures = (this.#pauses.get(key)?.failures ?? 0) + 1
    const ms = Math.ceil(pauseAfter(failures, firstMs, maxMs))
    this.#pauses.set(key, { failures, until: performance.now() + ms })
    return ms
  }

  isPaused(key: Key): boolean {
    return (this.#pauses.get(key)?.until ?? 0) > performance.now()
  }

  end(key: Key): void {
    this.#pauses.delete(key)
  }

  endAll(): void {
    this.#pauses.clear()
  }

  /** Removes pauses that ended long ago. */
  #prune(): void {
    const past = performance.now() - maxMs
    if (this.#prunedAt > past) return
    this.#prunedAt = performance.now()
    for (const [key, { until }] of this.#pauses) if (until < past) this.#pauses.delete(key)
  }
}
