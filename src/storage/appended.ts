/** Listeners that are notified when events were appended. */
export interface Appended {
  subscribe(listener: () => void): () => void
  notify(): void
}

export function createAppended(): Appended {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    notify() {
      for (const listener of listeners) listener()
    },
  }
}
