import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStorage } from 'express-change-requests/testing'
import { lmdbStorage } from './lmdb-storage'
import { openTables } from './lmdb-tables'

/** Opens a store for one test of the suite. */
export async function openStore(): Promise<OpenStorage> {
  const path = mkdtempSync(join(tmpdir(), 'change-requests-lmdb-'))
  const storage = lmdbStorage({ path })
  await storage.migrate()
  return {
    storage,
    breakConnection: () => storage.close(),
    removeEvents: (upToId) => removeEvents(path, upToId),
    close: async () => {
      await storage.close()
      rmSync(path, { recursive: true })
    },
  }
}

/** Changes the store directly, as an operator would, without the storage. */
async function removeEvents(path: string, upToId: number): Promise<void> {
  const { root, events, log } = openTables(path)
  await root.childTransaction(() => {
    for (const key of [...log.getKeys()]) if (key[1] <= upToId) log.removeSync(key)
    for (const id of [...events.getKeys({ end: upToId + 1 })]) events.removeSync(id)
    return true
  })
  await root.close()
}
