import type { StorageProblem } from '../ports/storage/storage'

/** Maximum number of problems stored for the first listener. Problems repeat, so a few are enough. */
const maxWaiting = 10

/** Passes the problems of a storage to its listeners. */
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
