import { createHash } from 'node:crypto'
import { ChangeRequestError } from '../errors'
import type { AnswerKey, KeyedAnswer } from '../ports/storage'
import { now, type Services } from './services'
import { withSortedKeys } from './sorted-keys'
import { AnsweredElsewhere } from './write'

/** How long an answer is kept for a retry (contract 2.4). */
const keptMs = 24 * 60 * 60 * 1000

/** A call that carries an `Idempotency-Key`. */
export interface KeyedCall extends AnswerKey {
  readonly fingerprint: string
  /** Answers made before this are forgotten. */
  readonly since: string
  readonly now: string
}

/** Names the call by what it asks for: bodies are compared as parsed JSON, the order of keys does not matter. */
export function toKeyedCall(
  services: Services,
  call: AnswerKey & { readonly method: string; readonly path: string; readonly body: unknown },
): KeyedCall {
  const { userId, key, method, path, body } = call
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([method, path, withSortedKeys(body)]))
    .digest('hex')
  const since = new Date(services.clock().getTime() - keptMs).toISOString()
  return { userId, key, fingerprint, since, now: now(services) }
}

/** Runs a call once for its key: a retry gets the answer of the first, other calls with the key are refused. */
export function createOnce(services: Services) {
  const running = new Set<string>()

  return async <Answer>(
    call: KeyedCall,
    run: () => Promise<Answer>,
    replay: (kept: KeyedAnswer) => Answer,
  ): Promise<Answer> => {
    const name = `${call.userId} ${call.key}`
    if (running.has(name)) {
      throw new ChangeRequestError('ConflictError', 'The first call with this Idempotency-Key is still running.', {
        retryAfter: 1,
      })
    }
    running.add(name)
    try {
      const kept = await services.storage.findAnswer(call, call.since)
      return kept === undefined ? await run() : replay(sameCall(call, kept))
    } catch (error) {
      if (error instanceof AnsweredElsewhere) return replay(sameCall(call, error.answer))
      if (!ChangeRequestError.is(error)) throw error
      // The reason may be what the same call did in another process meanwhile.
      const kept = await services.storage.findAnswer(call, call.since)
      if (kept === undefined) throw error
      return replay(sameCall(call, kept))
    } finally {
      running.delete(name)
    }
  }
}

function sameCall(call: KeyedCall, kept: KeyedAnswer): KeyedAnswer {
  if (kept.fingerprint === call.fingerprint) return kept
  throw new ChangeRequestError(
    'IdempotencyMismatchError',
    'This Idempotency-Key was used for another request. Take a new key.',
  )
}
