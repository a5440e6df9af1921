import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { currentLocation } from '../places/navigation'
import { currentTitle } from '../places/title'
import type { Outcome, Refusal } from './answers'
import { followLeft, type Press } from './left-actions'
import { type Failure, retry } from './retry'
import { currentUser, isReachable } from './session'

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
    running.current?.stop.abort()
    running.current = undefined
    setState(idle)
  }, [])
  const retryNow = useCallback(() => running.current?.sendNow?.(), [])
  useLayoutEffect(
    () => () => {
      const left = running.current
      if (left) left.report = followLeft(left, () => left.stop.abort())
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
  sendNow?: () => void
  report: (state: ActionState) => void
}

const idle: ActionState = { busy: false, outcome: undefined }

async function attempt(own: Run, run: (attempt: Attempt) => Promise<unknown>): Promise<Outcome> {
  const idempotencyKey = createKey()
  let failure: Failure | undefined
  try {
    await retry(
      async ({ signal }, count) => {
        // Another user may have signed in, here or in another tab.
        if (count > 1) await isReachable(signal)
        if (currentUser() !== own.user) throw new Error('Another user signed in.')
        await run({ idempotencyKey, signal })
      },
      own.stop.signal,
      (waiting, sendNow) => {
        failure = waiting
        own.sendNow = sendNow
        const because = waiting.kind === 'offline' ? 'offline' : 'busy'
        own.report({ busy: true, outcome: { kind: 'waiting', because, retryAt: waiting.retryAt } })
      },
    )
    return { kind: 'done' }
  } catch (refusal) {
    if (failure === undefined) return refusal as Refusal
    return ofRepeat(currentUser() === own.user ? (refusal as Refusal) : failure)
  }
}

function ofRepeat(refusal: Refusal): Outcome {
  return refusal.kind === 'changed' ? { kind: 'unsure' } : { ...refusal, isRepeat: true }
}

/** `crypto.randomUUID` is not there on hosts without TLS. */
function createKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
