import { describeStorage } from '../../../../src/testing/index'
import { sqlite } from '../../../support/databases'
import { openSqlite, withHandle } from '../../../support/databases/handles'

describeStorage({ describe, it, expect }, 'a Database of better-sqlite3', async () => {
  const database = await sqlite.open({ durability: 'normal' })
  return withHandle(database, openSqlite(database.place))
})
