const minMs = 1_000
const maxMs = 30_000

interface Pause {
  readonly ms: number
  readonly until: number
}

/** Pauses between attempts: exponential backoff with jitter, per key. */
export class Pauses<Key> {
  readonly #pauses = new Map<Key, Pause>()
  #prunedAt = performance.now()

  /** Returns the length of the pause that begins now. */
  extend(key: Key): number {
    this.#prune()
    const ms = Math.min(maxMs, (this.#pauses.get(key)?.ms ?? minMs / 2) * 2)
    this.#pauses.set(key, { ms, until: performance.now() + ms * (0.75 + Math.random() / 4) })
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
