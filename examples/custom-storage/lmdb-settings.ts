import type { IdempotencyRecord, SettingsPlace, SettingsStorage, StoredSettings } from 'express-change-requests'
import { append } from './lmdb-events'
import { last, part, type Store } from './lmdb-store'

const day = 24 * 60 * 60 * 1000

/** Settings and idempotency records. */
export function lmdbSettings(store: Store): SettingsStorage {
  const { read, write, settings, rows, idempotency } = store
  return {
    findSettings: (place) => read(() => settings.get(settingsPlace(place))),
    settings: (project) =>
      read(() => {
        const all = new Map<string, StoredSettings>()
        for (const { value } of rows.getRange({})) {
          const { environment } = value.summary
          if (value.summary.project === project) all.set(environment, { environment, settings: null, version: 0 })
        }
        const stored = settings.getRange({ start: [part(project)], end: [part(project), last] })
        for (const { value } of stored) all.set(value.environment, value)
        return [...all.values()].sort((a, b) => (a.environment < b.environment ? -1 : 1))
      }),
    commitSettings: (change) =>
      write(() => {
        const { environment, expectedVersion } = change
        const place = settingsPlace(change)
        if ((settings.get(place)?.version ?? 0) !== expectedVersion) return false
        settings.putSync(place, { environment, settings: change.settings, version: expectedVersion + 1 })
        return append(store, change.events)
      }),
    findIdempotencyRecord: ({ userId, key }, since) =>
      read(() => {
        const record = idempotency.get([userId, part(key)])
        return record !== undefined && record.createdAt >= since ? record : undefined
      }),
  }
}

export function settingsPlace({ project, environment }: SettingsPlace): [string, string] {
  return [part(project), part(environment)]
}

/** Returns false if the key has a record. Deletes all that are older than a day first. Call inside a write. */
export function putRecord({ idempotency }: Store, record: IdempotencyRecord): boolean {
  const cutoff = new Date(Date.parse(record.createdAt) - day).toISOString()
  for (const { key, value } of [...idempotency.getRange({})]) if (value.createdAt < cutoff) idempotency.removeSync(key)
  const place: [number, string] = [record.userId, part(record.key)]
  if (idempotency.get(place) !== undefined) return false
  idempotency.putSync(place, record)
  return true
}
