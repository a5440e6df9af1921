import { describeStorage } from '../../../../src/testing/index'
import { sqlite } from '../../../support/databases'
import { withHandle } from '../../../support/databases/handles'
import { describeSqlite, openSqlite } from '../../../support/databases/sqlite-drivers'

describeSqlite('the contract', (driver) => {
  describeStorage({ describe, it, expect }, driver.name, async () => {
    const database = await sqlite.open({ durability: 'normal' })
    return withHandle(database, openSqlite(database.place, driver))
  })
})
