import { useLayoutEffect, useState } from 'preact/hooks'

/** One value that several parts of the page follow. */
export interface Store<T> {
  get(): T
  set(value: T): void
  /** Calls back with each new value, until the returned function is called. */
  follow(listener: (value: T) => void): () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<(value: T) => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener(next)
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A choice that stays in the browser of the viewer. Without a storage it lasts as long as the tab. */
export function createKeptStore<T extends string>(key: string, choices: readonly [T, ...T[]]): Store<T> {
  const stored = attempt(() => localStorage.getItem(key))
  const store = createStore(choices.find((one) => one === stored) ?? choices[0])
  store.follow((value) => attempt(() => localStorage.setItem(key, value)))
  return store
}

/** Uses a storage, which the browser can forbid. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

export function useStore<T>(store: Store<T>): T {
  const [, setDrawn] = useState(() => store.get())
  useLayoutEffect(() => {
    const draw = () => setDrawn(() => store.get())
    draw()
    return store.follow(draw)
  }, [store])
  // Not what was rendered last: that may be of another store.
  return store.get()
}
