import type { StorageProblem } from '../ports/storage/storage'

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

/** Listens to other processes only while there is a subscriber. */
export function listenWhileSubscribed(
  { listen }: { listen?(notify: () => void): () => Promise<void> },
  appended: Appended,
) {
  let subscribers = 0
  let end: (() => Promise<void>) | undefined
  let ended: Promise<void> | undefined
  const stop = () => {
    ended = end?.() ?? ended
    end = undefined
    return ended
  }
  return {
    stop,
    subscribe(listener: () => void): () => void {
      const unsubscribe = appended.subscribe(listener)
      if (subscribers === 0) end = listen?.(appended.notify)
      subscribers += 1
      return () => {
        unsubscribe()
        subscribers -= 1
        if (subscribers === 0) void stop()
      }
    },
  }
}

/** Maximum number of problems stored for the first listener. Problems repeat, so a few are enough. */
const maxWaiting = 10

export interface Problems {
  report(problem: StorageProblem): void
  subscribe(listener: (problem: StorageProblem) => void): () => void
}

export function createProblems(): Problems {
  const listeners = new Set<{ readonly listener: (problem: StorageProblem) => void }>()
  const waiting: StorageProblem[] = []
  return {
    report(problem) {
      for (const { listener } of listeners) listener(problem)
      if (listeners.size === 0 && waiting.length < maxWaiting) waiting.push(problem)
    },
    subscribe(listener) {
      const own = { listener }
      listeners.add(own)
      for (const problem of waiting.splice(0)) listener(problem)
      return () => void listeners.delete(own)
    },
  }
}
