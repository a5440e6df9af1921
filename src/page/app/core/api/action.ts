import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isPassing, type Refusal, toRefusal } from './answers'
import { pause, reportAnswer, reportOffline, waitFor } from './network'

export type Outcome =
  | { readonly kind: 'done' }
  /** The same request is repeated at `retryAt`, with the same key, so that it cannot take effect twice. */
  | { readonly kind: 'waiting'; readonly because: 'busy' | 'offline'; readonly retryAt: number }
  /** A repeat found that something changed: perhaps the first try did it. Read first. */
  | { readonly kind: 'unsure' }
  | Refusal

export interface Attempt {
  /** The same for all tries of one press. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
}

export interface Action<A extends readonly unknown[]> {
  readonly busy: boolean
  readonly outcome: Outcome | undefined
  /** Resolves with the outcome; while one runs, a further press does nothing. */
  start(...args: A): Promise<Outcome | undefined>
  /** Does not wait for the pause before the next try. */
  retryNow(): void
  /** Stops asking, and forgets the outcome. */
  stop(): void
}

/** A step that a user takes: busy immediately, repeated safely while there is no response, and with its outcome. */
export function useAction<A extends readonly unknown[]>(
  run: (attempt: Attempt, ...args: A) => Promise<unknown>,
  onDone?: () => unknown,
): Action<A> {
  const [state, setState] = useState<{ busy: boolean; outcome: Outcome | undefined }>(idle)
  const latest = useRef({ run, onDone })
  latest.current = { run, onDone }
  const running = useRef<AbortController>(undefined)
  const wake = useRef<AbortController>(undefined)
  const start = useCallback(async (...args: A) => {
    if (running.current !== undefined) return undefined
    const own = new AbortController()
    running.current = own
    setState({ busy: true, outcome: undefined })
    const outcome = await attempt(own, wake, (one) => latest.current.run(one, ...args), setState)
    if (running.current === own) running.current = undefined
    if (own.signal.aborted) return undefined
    if (outcome.kind === 'done') await latest.current.onDone?.()
    setState({ busy: false, outcome })
    return outcome
  }, [])
  const stop = useCallback(() => {
    running.current?.abort()
    wake.current?.abort()
    running.current = undefined
    setState(idle)
  }, [])
  const retryNow = useCallback(() => wake.current?.abort(), [])
  useLayoutEffect(() => () => running.current?.abort(), [])
  return { ...state, start, retryNow, stop }
}

const idle = { busy: false, outcome: undefined }

async function attempt(
  own: AbortController,
  wake: { current: AbortController | undefined },
  run: (attempt: Attempt) => Promise<unknown>,
  setState: (state: { busy: boolean; outcome: Outcome }) => void,
): Promise<Outcome> {
  const idempotencyKey = createKey()
  for (let count = 1; ; count++) {
    try {
      await run({ idempotencyKey, signal: AbortSignal.any([own.signal, AbortSignal.timeout(20_000)]) })
      reportAnswer()
      return { kind: 'done' }
    } catch (error) {
      const refusal = toRefusal(error)
      if (own.signal.aborted) return refusal
      if (!isPassing(refusal)) return refusal.kind === 'changed' && count > 1 ? { kind: 'unsure' } : refusal
      const because = refusal.kind === 'offline' ? 'offline' : 'busy'
      if (because === 'offline') reportOffline()
      const wait = waitFor(count, because === 'offline')
      wake.current = new AbortController()
      setState({ busy: true, outcome: { kind: 'waiting', because, retryAt: Date.now() + wait } })
      await pause(wait, wake.current.signal)
      if (own.signal.aborted) return refusal
    }
  }
}

/** `crypto.randomUUID` is not there on hosts without TLS. */
function createKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
