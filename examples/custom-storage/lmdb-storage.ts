import { constants } from 'node:os'
import type { Storage, StorageFailure, StorageHealth } from 'express-change-requests'
import { lmdbChangeRequests } from './lmdb-change-requests'
import { lastEventId, lmdbEvents } from './lmdb-events'
import { lmdbSettings } from './lmdb-settings'
import { openStore } from './lmdb-store'

const schemaVersion = 1

/** A storage in an LMDB folder, for any number of processes on one machine. */
export function lmdbStorage({ path }: { readonly path: string }): Storage {
  const store = openStore(path)
  const { numbers, read, write, close } = store
  return {
    portVersion: 1,
    migrate: () =>
      write(() => {
        const stored = numbers.get('schemaVersion') ?? schemaVersion
        if (stored > schemaVersion) {
          const message = `The folder has schema version ${stored}; this release supports ${schemaVersion}.`
          throw Object.assign(new Error(message), { code: 'unsupported-schema' })
        }
        numbers.putSync('schemaVersion', schemaVersion)
      }),
    health: () =>
      read(() => {
        const stored = numbers.get('schemaVersion') ?? 0
        const compatible = stored === schemaVersion
        return { ...health, reachable: true, schemaVersion: stored, compatible, lastEventId: lastEventId(store) }
      }).catch(() => health),
    close,
    failureOf,
    ...lmdbChangeRequests(store),
    ...lmdbSettings(store),
    ...lmdbEvents(store),
  }
}

/** Of a store that does not respond. */
const health: StorageHealth = {
  ...{ reachable: false, schemaVersion: 0, compatible: false, lastEventId: 0 },
  durability: 'flushed to the disk at every commit',
}

/** By the codes of LMDB (map full, too many readers, key or value too long), of the system and of `migrate`. */
const failures = new Map<unknown, StorageFailure>([
  [-30792, 'full'],
  [constants.errno.ENOSPC, 'full'],
  [-30790, 'busy'],
  [-30781, 'refused-data'],
  [constants.errno.EROFS, 'read-only'],
  [constants.errno.EACCES, 'not-allowed'],
  ['unsupported-schema', 'unsupported-schema'],
])

function failureOf(error: unknown): StorageFailure | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  // These errors have no code.
  if (/closed database|Database is closed/.test(String(message))) return 'unreachable'
  return failures.get(code)
}
