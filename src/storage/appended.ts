/** Those who want to know when events were appended. */
export interface Appended {
  subscribe(listener: () => void): () => void
  tell(): void
}

export function createAppended(): Appended {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    tell() {
      for (const listener of listeners) listener()
    },
  }
}
