import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeStorage, type OpenStorage } from 'express-change-requests/testing'
import { lmdbStorage } from './lmdb-storage'
import { openStore } from './lmdb-store'

/** A store for one test of the suite. */
async function open(): Promise<OpenStorage> {
  const path = mkdtempSync(join(tmpdir(), 'change-requests-lmdb-'))
  const storage = lmdbStorage({ path })
  await storage.migrate()
  return {
    storage,
    breakConnection: () => storage.close(),
    // As an operator would, without the storage.
    async removeEvents(upToId) {
      const { events, write, close } = openStore(path)
      await write(() => {
        for (const id of [...events.getKeys({ end: upToId + 1 })]) events.removeSync(id)
      })
      await close()
    },
    async close() {
      await storage.close()
      rmSync(path, { recursive: true })
    },
  }
}

describeStorage({ describe, it, expect }, 'LMDB', open)
