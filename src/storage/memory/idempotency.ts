import { idempotencyCutoff } from '../../domain/instants'
import type { IdempotencyKey, IdempotencyRecord } from '../../ports/storage/idempotency'

export class MemoryIdempotency {
  readonly #records = new Map<string, IdempotencyRecord>()

  find(key: IdempotencyKey, since: string): IdempotencyRecord | undefined {
    const record = this.#records.get(toText(key))
    return record !== undefined && record.createdAt >= since ? { ...record } : undefined
  }

  /** Whether the key already has a record that has not expired. */
  isUsed(fresh: IdempotencyRecord): boolean {
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
