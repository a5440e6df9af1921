import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { currentLocation } from '../places/navigation'
import { currentTitle } from '../places/title'
import { isPassing, type Outcome, type Refusal } from './answers'
import { followLeft, type Press } from './left-actions'
import { pause, reportAnswer, waitFor } from './network'
import { currentUser, isReachable, refusalOf } from './session'

export type { Outcome }

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

/** Reads what became of a step; returns the outcome, or what is so instead. */
type Verify<A extends readonly unknown[]> = (outcome: Outcome, ...args: A) => Promise<Outcome>

/**
 * A step that a user takes: busy immediately, repeated safely while there is no response, and with its outcome. If its part of the
 * page is closed meanwhile, it goes on, and the outcome is shown above whichever screen there is.
 */
export function useAction<A extends readonly unknown[]>(
  run: (attempt: Attempt, ...args: A) => Promise<unknown>,
  verify?: Verify<A>,
): Action<A> {
  const [state, setState] = useState<ActionState>(idle)
  const latest = useRef({ run, verify })
  latest.current = { run, verify }
  const running = useRef<Run>(undefined)
  const start = useCallback(async (...args: A) => {
    if (running.current !== undefined) return undefined
    const own: Run = {
      user: currentUser(),
      path: currentLocation().path,
      title: currentTitle(),
      stop: new AbortController(),
      wake: new AbortController(),
      report: setState,
    }
    running.current = own
    own.report({ busy: true, outcome: undefined })
    const { verify } = latest.current
    const first = await attempt(own, (one) => latest.current.run(one, ...args))
    const outcome = own.stop.signal.aborted || !verify ? first : await verify(first, ...args)
    if (running.current === own) running.current = undefined
    if (own.stop.signal.aborted) return undefined
    own.report({ busy: false, outcome })
    // It is none of the user who signed in meanwhile.
    return currentUser() === own.user ? outcome : undefined
  }, [])
  const stop = useCallback(() => {
    if (running.current) stopRun(running.current)
    running.current = undefined
    setState(idle)
  }, [])
  const retryNow = useCallback(() => running.current?.wake.abort(), [])
  useLayoutEffect(
    () => () => {
      const left = running.current
      if (left) left.report = followLeft(left, () => stopRun(left))
    },
    [],
  )
  return { ...state, start, retryNow, stop }
}

interface ActionState {
  readonly busy: boolean
  readonly outcome: Outcome | undefined
}

/** One press, with all its tries. */
interface Run extends Press {
  readonly stop: AbortController
  /** Ends the pause before the next try. */
  wake: AbortController
  report: (state: ActionState) => void
}

const idle: ActionState = { busy: false, outcome: undefined }

function stopRun({ stop, wake }: Run): void {
  stop.abort()
  wake.abort()
}

async function attempt(own: Run, run: (attempt: Attempt) => Promise<unknown>): Promise<Outcome> {
  const { signal } = own.stop
  const idempotencyKey = createKey()
  for (let count = 1; ; count++) {
    try {
      await run({ idempotencyKey, signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]) })
      reportAnswer()
      return { kind: 'done' }
    } catch (error) {
      const refusal = await refusalOf(error, signal)
      if (signal.aborted) return refusal
      if (!isPassing(refusal)) return count > 1 ? ofRepeat(refusal) : refusal
      const because = refusal.kind === 'offline' ? 'offline' : 'busy'
      const wait = waitFor(count, because === 'offline')
      own.wake = new AbortController()
      own.report({ busy: true, outcome: { kind: 'waiting', because, retryAt: Date.now() + wait } })
      await pause(wait, own.wake.signal)
      // Another user may have signed in, here or in another tab.
      await isReachable(signal)
      if (signal.aborted || currentUser() !== own.user) return ofRepeat(refusal)
    }
  }
}

function ofRepeat(refusal: Refusal): Outcome {
  return refusal.kind === 'changed' ? { kind: 'unsure' } : { ...refusal, isRepeat: true }
}

/** `crypto.randomUUID` is not there on hosts without TLS. */
function createKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
