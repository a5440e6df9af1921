import { idempotencyCutoff } from '../../domain/idempotency'
import type { IdempotencyKey, IdempotencyRecord } from '../../ports/storage/idempotency'

/** The idempotency records of a memory storage. */
export class MemoryIdempotency {
  readonly #records = new Map<string, IdempotencyRecord>()

  find(key: IdempotencyKey, since: string): IdempotencyRecord | undefined {
    const record = this.#records.get(toText(key))
    return record !== undefined && record.createdAt >= since ? { ...record } : undefined
  }

  /** True when the key cannot be used for a new record. */
  refuses(fresh: IdempotencyRecord): boolean {
    return this.find(fresh, idempotencyCutoff(fresh.createdAt)) !== undefined
  }

  put(fresh: IdempotencyRecord): void {
    const cutoff = idempotencyCutoff(fresh.createdAt)
    for (const [key, { createdAt }] of this.#records) if (createdAt < cutoff) this.#records.delete(key)
    this.#records.set(toText(fresh), { ...fresh })
  }
}

function toText({ userId, key }: IdempotencyKey): string {
  return `${userId} ${key}`
}
