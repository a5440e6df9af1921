import { hash } from 'node:crypto'
import { idempotencyCutoff } from '../../domain/instants'
import { ChangeRequestError } from '../../errors'
import type { IdempotencyKey, IdempotencyRecord } from '../../ports/storage/idempotency'
import type { Storage } from '../../ports/storage/storage'
import { withSortedKeys } from '../digest'
import { DoneElsewhere, type WriteJob } from './aggregate-writer'

export interface IdempotentCall extends IdempotencyKey {
  readonly fingerprint: string
  /** Older records have expired. */
  readonly since: string
  readonly now: string
}

/** Identifies the call by its content: bodies are compared as parsed JSON, so the order of keys does not matter. */
export function toIdempotentCall(
  now: string,
  call: IdempotencyKey & { readonly method: string; readonly path: string; readonly body: unknown },
): IdempotentCall {
  const { userId, key, method, path, body } = call
  const fingerprint = hash('sha256', JSON.stringify([method, path, withSortedKeys(body)]), 'hex')
  return { userId, key, fingerprint, since: idempotencyCutoff(now), now }
}

export function recordOf(call: IdempotentCall, kind: 'changes' | 'comment'): NonNullable<WriteJob['idempotency']> {
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

/** Runs calls once per key: a retry gets the result of the first call, a different call with that key is rejected. */
export class IdempotentRunner {
  readonly #storage: Storage
  readonly #running = new Set<string>()

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /**
   * Also returns whether an earlier call produced the result, which `replay` then makes from its record.
   * @throws ConflictError while the first call with the key is running; IdempotencyMismatchError for a different call.
   */
  async run<Result>(
    call: IdempotentCall,
    run: () => Promise<Result>,
    replay: (record: IdempotencyRecord) => Promise<Result>,
  ) {
    const name = `${call.userId} ${call.key}`
    if (this.#running.has(name)) {
      const text = 'The first call with this Idempotency-Key is still running.'
      throw new ChangeRequestError('ConflictError', text, { retryAfter: 1 })
    }
    this.#running.add(name)
    try {
      const record = (await this.#findRecord(call)) ?? (await this.#runFirst(call, run))
      if ('result' in record) return record
      return { result: await replay(record), replayed: true }
    } finally {
      this.#running.delete(name)
    }
  }

  /** Another process may run the same call concurrently: its record then replaces the result. */
  async #runFirst<Result>(call: IdempotentCall, run: () => Promise<Result>) {
    try {
      return { result: await run(), replayed: false }
    } catch (error) {
      if (error instanceof DoneElsewhere) return requireSameCall(call, error.record)
      // Another process may have run the same call, which can be the cause of this rejection.
      const record = ChangeRequestError.is(error) ? await this.#findRecord(call) : undefined
      if (record === undefined) throw error
      return record
    }
  }

  async #findRecord(call: IdempotentCall): Promise<IdempotencyRecord | undefined> {
    const record = await this.#storage.findIdempotencyRecord(call, call.since)
    return record && requireSameCall(call, record)
  }
}

function requireSameCall(call: IdempotentCall, record: IdempotencyRecord): IdempotencyRecord {
  if (record.fingerprint === call.fingerprint) return record
  const text = 'This Idempotency-Key was used for another request. Use a new key.'
  throw new ChangeRequestError('IdempotencyMismatchError', text)
}
