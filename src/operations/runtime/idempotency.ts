import { createHash } from 'node:crypto'
import { ChangeRequestError } from '../../errors'
import type { IdempotencyKey, IdempotencyRecord } from '../../ports/storage'
import { type Command, DoneElsewhere } from './aggregate-writer'
import { now, type Services } from './services'
import { withSortedKeys } from './sorted-keys'

/** How long a record is good for a retry (contract 2.4). */
const keptMs = 24 * 60 * 60 * 1000

/** A call that carries an `Idempotency-Key`. */
export interface KeyedCall extends IdempotencyKey {
  readonly fingerprint: string
  /** Records made before this are forgotten. */
  readonly since: string
  readonly now: string
}

/** Names the call by what it asks for: bodies are compared as parsed JSON, the order of keys does not matter. */
export function toKeyedCall(
  services: Services,
  call: IdempotencyKey & { readonly method: string; readonly path: string; readonly body: unknown },
): KeyedCall {
  const { userId, key, method, path, body } = call
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([method, path, withSortedKeys(body)]))
    .digest('hex')
  const since = new Date(services.clock().getTime() - keptMs).toISOString()
  return { userId, key, fingerprint, since, now: now(services) }
}

/** What a write stores for the retry of the call. */
export function recordOf(call: KeyedCall, kind: 'changes' | 'comment'): NonNullable<Command['idempotency']> {
  const { userId, key, fingerprint, since } = call
  return {
    key: { userId, key },
    since,
    record: ({ changeRequest: { id, project, comments } }) => ({
      userId,
      key,
      createdAt: call.now,
      fingerprint,
      project,
      changeRequestId: id,
      commentId: kind === 'comment' ? (comments.at(-1)?.id ?? null) : null,
    }),
  }
}

/** Runs a call once for its key: a retry is answered from what the first call did, another call is refused. */
export function createOnce({ storage }: Services) {
  const running = new Set<string>()

  async function findRecord(call: KeyedCall): Promise<IdempotencyRecord | undefined> {
    const record = await storage.findIdempotencyRecord(call, call.since)
    return record && sameCall(call, record)
  }

  async function first<Answer>(
    call: KeyedCall,
    run: () => Promise<Answer>,
    replay: (record: IdempotencyRecord) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await run()
    } catch (error) {
      if (error instanceof DoneElsewhere) return replay(sameCall(call, error.record))
      if (!ChangeRequestError.is(error)) throw error
      // The reason may be what the same call did in another process meanwhile.
      const record = await findRecord(call)
      if (record === undefined) throw error
      return replay(record)
    }
  }

  return async <Answer>(
    call: KeyedCall,
    run: () => Promise<Answer>,
    replay: (record: IdempotencyRecord) => Promise<Answer>,
  ): Promise<Answer> => {
    const name = `${call.userId} ${call.key}`
    if (running.has(name)) {
      throw new ChangeRequestError('ConflictError', 'The first call with this Idempotency-Key is still running.', {
        retryAfter: 1,
      })
    }
    running.add(name)
    try {
      const earlier = await findRecord(call)
      return await (earlier === undefined ? first(call, run, replay) : replay(earlier))
    } finally {
      running.delete(name)
    }
  }
}

function sameCall(call: KeyedCall, record: IdempotencyRecord): IdempotencyRecord {
  if (record.fingerprint === call.fingerprint) return record
  throw new ChangeRequestError(
    'IdempotencyMismatchError',
    'This Idempotency-Key was used for another request. Take a new key.',
  )
}
