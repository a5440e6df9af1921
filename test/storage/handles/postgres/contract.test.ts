import { describeStorage } from '../../../../src/testing/index'
import { reusedPostgres } from '../../../support/databases'
import { openPool, withHandle } from '../../../support/databases/handles'

const { open, drop } = reusedPostgres()
afterAll(drop)

describeStorage({ describe, it, expect }, 'pg.Pool', async () => {
  const database = await open()
  return withHandle(database, openPool(database.place))
})
