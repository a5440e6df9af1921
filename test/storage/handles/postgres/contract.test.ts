import type { Pool } from 'pg'
import { describeStorage } from '../../../../src/testing/index'
import { reusedPostgres } from '../../../support/databases'
import { openPgPool, openPool, withHandle } from '../../../support/databases/handles'

const { open, drop } = reusedPostgres()
let pool: Pool | undefined
afterAll(async () => {
  if (pool?.ended === false) await pool.end()
  await drop()
})

describeStorage({ describe, it, expect }, 'pg.Pool', async () => {
  const database = await open()
  if (pool?.ended !== false) pool = openPgPool(database.place)
  const { storage, breakConnection } = openPool(database.place, {}, pool)
  return withHandle(database, { storage, breakConnection, close: () => storage.close() })
})
