import { isPassing, type Refusal } from './answers'
import { pause, reportAnswer, waitFor } from './network'
import { refusalOf } from './session'

/** Why a request failed, and when it is sent again, in milliseconds since 1970. */
export type Failure = Refusal & { readonly retryAt?: number }

/** A request without a response after this time has failed. */
const timeoutMs = 20_000

/**
 * Sends a request until the server accepts or rejects it. While the server is busy or unreachable, it is repeated, immediately
 * when the network is back. Throws a `Refusal`.
 */
export async function retry<T>(
  send: (options: { readonly signal: AbortSignal }, attempt: number) => Promise<T>,
  signal: AbortSignal,
  /** `sendNow` ends the pause before the next attempt. */
  onWait: (failure: Failure & { readonly retryAt: number }, sendNow: () => void) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await send({ signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }, attempt)
      reportAnswer()
      return result
    } catch (error) {
      const refusal = await refusalOf(error, signal)
      if (signal.aborted || !isPassing(refusal)) throw refusal
      const ms = waitFor(attempt, refusal.kind === 'offline')
      const pausing = new AbortController()
      onWait({ ...refusal, retryAt: Date.now() + ms }, () => pausing.abort())
      await pause(ms, AbortSignal.any([signal, pausing.signal]))
      if (signal.aborted) throw refusal
    }
  }
}
