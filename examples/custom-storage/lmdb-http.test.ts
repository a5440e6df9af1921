import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeHttp } from 'express-change-requests/testing'
import { startContractApp } from '../../test/support/contract-app'
import { lmdbStorage } from './lmdb-storage'

const path = mkdtempSync(join(tmpdir(), 'change-requests-lmdb-'))
let app: Awaited<ReturnType<typeof startContractApp>>

beforeAll(async () => {
  const storage = lmdbStorage({ path })
  await storage.migrate()
  app = await startContractApp(storage, { recordOnly: true })
})
afterAll(async () => {
  await app.close()
  rmSync(path, { recursive: true })
})

// The same host for every rule: none may rely on an empty store.
describeHttp({ describe, it, expect }, async () => app.host)
