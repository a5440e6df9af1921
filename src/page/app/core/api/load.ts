import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isPassing, type Refusal } from './answers'
import { pause, reportAnswer, waitFor } from './network'
import { followSession, refusalOf } from './session'

export interface Loaded<T> {
  readonly data: T | undefined
  readonly etag: string | undefined
  /** Why there is nothing new; what was loaded before stays. */
  readonly error: Refusal | undefined
  readonly loading: boolean
  /** When it asks again by itself, in milliseconds since 1970. */
  readonly retryAt: number | undefined
  /** Asks again now; resolves with what is then known. */
  refresh(): Promise<T | undefined>
}

/** What the client answers. */
export interface Answer<T> {
  readonly body: T
  readonly etag?: string | null | undefined
}

type Load<T> = (ask: { readonly signal: AbortSignal }) => Promise<Answer<T>>

/** One round of asking; while it waits for an answer, further ones wait for it. */
interface Run {
  readonly own: AbortController
  asking: boolean
  done: Promise<unknown>
  next: Promise<unknown> | undefined
}

type State<T> = Omit<Loaded<T>, 'refresh'> & { readonly key: string }

/** Longer is no answer. */
const patienceMs = 20_000

const kept = new Map<string, { data: unknown; etag: string | undefined }>()

/**
 * Loads what `key` names: immediately, when `key` changes, after signing in, and when `refresh` is called. Retries with growing pauses
 * while the server is busy or unreachable. What was loaded under a key before is shown while it is loaded again.
 */
export function useLoaded<T>(key: string, load: Load<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>(() => begin(key))
  const latest = useRef(load)
  latest.current = load
  const run = useRef<Run>(undefined)
  const shownKey = useRef<string>(undefined)
  const refresh = useCallback(async (): Promise<T | undefined> => {
    // A step may end after its screen was left.
    if (shownKey.current !== key) return undefined
    const before = run.current
    const begin = () => {
      run.current?.own.abort()
      const own: Run = { own: new AbortController(), asking: false, done: Promise.resolve(), next: undefined }
      run.current = own
      const answer = keepAsking<T>(key, latest, own, setState)
      own.done = answer
      return answer
    }
    if (before === undefined || !before.asking) return begin()
    // What is being asked may be older than what the caller knows of: once more, but only once.
    before.next ??= before.done.then(() => (run.current === before ? begin() : undefined))
    return before.next as Promise<T | undefined>
  }, [key])
  useLayoutEffect(() => {
    shownKey.current = key
    void refresh()
    const unfollow = followSession((session) => session.status === 'in' && void refresh())
    return () => {
      unfollow()
      run.current?.own.abort()
      run.current = undefined
      shownKey.current = undefined
    }
  }, [refresh])
  const shown = state.key === key ? state : begin<T>(key)
  return { ...shown, refresh }
}

async function keepAsking<T>(
  key: string,
  load: { readonly current: Load<T> },
  run: Run,
  setState: (next: (state: State<T>) => State<T>) => void,
): Promise<T | undefined> {
  const { signal } = run.own
  const set = (change: Partial<State<T>>) => {
    if (!signal.aborted) setState((state) => ({ ...(state.key === key ? state : begin<T>(key)), ...change }))
  }
  for (let attempt = 1; !signal.aborted; attempt++) {
    set({ loading: true, retryAt: undefined })
    run.asking = true
    try {
      const { body, etag } = await load.current({ signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) })
      if (signal.aborted) return undefined
      reportAnswer()
      const data = keep(key, body, etag ?? undefined)
      set({ data, etag: etag ?? undefined, error: undefined, loading: false })
      run.asking = false
      return data
    } catch (error) {
      const refusal = await refusalOf(error, signal)
      if (signal.aborted) return undefined
      if (!isPassing(refusal)) {
        set({ error: refusal, loading: false })
        run.asking = false
        return undefined
      }
      const wait = waitFor(attempt, refusal.kind === 'offline')
      set({ error: refusal, loading: false, retryAt: Date.now() + wait })
      run.asking = false
      await pause(wait, signal)
    }
  }
  return undefined
}

function begin<T>(key: string): State<T> {
  const known = kept.get(key)
  return { key, data: known?.data as T, etag: known?.etag, error: undefined, loading: true, retryAt: undefined }
}

/** Equal data stays the same object, so that it is not rendered again. */
function keep<T>(key: string, body: T, etag: string | undefined): T {
  const known = kept.get(key)?.data as T | undefined
  const data = known !== undefined && JSON.stringify(known) === JSON.stringify(body) ? known : body
  kept.delete(key)
  kept.set(key, { data, etag })
  const [oldest] = kept.keys()
  if (kept.size > 50 && oldest !== undefined) kept.delete(oldest)
  return data
}

let whose: number | null | undefined

// Another user is perhaps not allowed to see it.
followSession(({ status, me }) => {
  if (status === 'unknown' || (me !== undefined && me.id === whose)) return
  kept.clear()
  whose = me?.id
})
