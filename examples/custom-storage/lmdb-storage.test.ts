import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeStorage } from 'express-change-requests/testing'
import { lmdbStorage } from './lmdb-storage'

async function open() {
  const path = mkdtempSync(join(tmpdir(), 'change-requests-lmdb-'))
  const storage = lmdbStorage({ path })
  await storage.migrate()
  const close = async () => {
    await storage.close()
    rmSync(path, { recursive: true })
  }
  return { storage, close }
}

describeStorage({ describe, it, expect }, 'LMDB', open)
