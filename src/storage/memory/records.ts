import type { Settings } from '../../domain/decisions/settings'
import { idempotencyCutoff } from '../../domain/instants'
import type { IdempotencyKey, IdempotencyRecord } from '../../ports/storage/idempotency'
import type { SettingsPlace, SettingsWrite, StoredSettings } from '../../ports/storage/settings'

export class MemorySettings {
  readonly #projects = new Map<string, Map<string, { readonly settings: Settings; readonly version: number }>>()

  /** The settings of the project, and the other given environments without settings, sorted by name. */
  of(project: string, environments: Iterable<string>): StoredSettings[] {
    const set = this.#projects.get(project)
    return [...new Set([...environments, ...(set?.keys() ?? [])])].sort().map((environment) => {
      const { settings, version } = set?.get(environment) ?? { settings: null, version: 0 }
      return { environment, settings: settings && { ...settings }, version }
    })
  }

  find({ project, environment }: SettingsPlace): StoredSettings | undefined {
    return this.of(project, []).find((one) => one.environment === environment)
  }

  version({ project, environment }: SettingsWrite): number {
    return this.#projects.get(project)?.get(environment)?.version ?? 0
  }

  put({ project, environment, settings, expectedVersion }: SettingsWrite): void {
    const set = this.#projects.get(project) ?? new Map()
    set.set(environment, { settings: { ...settings }, version: expectedVersion + 1 })
    this.#projects.set(project, set)
  }
}

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
