import type { RecordedEvent } from '../../../../src'
import type { EventView } from '../../../../src/generated'
import { isInTransaction } from '../../../../src/storage/sql/sqlite/handle'
import { startApp, type TestApp } from '../../../support/app'
import { type OpenDatabase, sqlite } from '../../../support/databases'
import { column, describeSqlite, openSqlite, type TestSqlite } from '../../../support/databases/sqlite-drivers'

const archived: RecordedEvent = { type: 'feature-archived', project: 'shop', featureName: 'search' }

describeSqlite('a transaction of the host app that is open across an await, with sqliteStorage', (driver) => {
  let opened: OpenDatabase
  let again: ReturnType<typeof openSqlite>
  let database: TestSqlite
  let app: TestApp
  const controller = { current: new AbortController() }

  beforeEach(async () => {
    opened = await sqlite.open()
    again = openSqlite(opened.place, driver)
    database = again.database
    database.exec('create table flags (name text primary key)')
    app = await startApp({ storage: again.storage })
    controller.current = new AbortController()
  })
  afterEach(async () => {
    if (isInTransaction(database)) database.exec('rollback')
    controller.current.abort()
    await app.close()
    await again.close()
    await opened.close()
  })

  const flags = () => column(database, 'select name from flags')
  const types = (events: readonly EventView[]) => events.map(({ type }) => type)

  function follow(): EventView[] {
    const seen: EventView[] = []
    const run = async () => {
      for await (const event of app.router.events.follow({ after: 0, signal: controller.current.signal }))
        seen.push(event)
    }
    void run()
    return seen
  }

  async function seenBy(seen: readonly EventView[], count: number): Promise<void> {
    while (seen.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  it('delivers its recorded events to followers by their next poll after its commit', async () => {
    await app.router.events.record({ ...archived, type: 'feature-created' })
    const seen = follow()
    await seenBy(seen, 1)
    database.exec('begin immediate')
    await app.router.events.record(archived, { transaction: database })
    database.exec('commit')
    await seenBy(seen, 2)

    expect(types(seen)).toEqual(['feature-created', 'feature-archived'])
  })

  it('rolls back only to its savepoint when a record of the host app fails', async () => {
    const refuse = `create trigger trap before insert on ffcr_events when new.type = 'feature-revived'
      begin select raise(abort, 'trap'); end`
    database.exec(refuse)
    database.exec('begin immediate')
    database.exec("insert into flags values ('checkout')")
    await app.router.events.record(archived, { transaction: database })
    const pair = [{ ...archived, type: 'feature-created' } as const, { ...archived, type: 'feature-revived' } as const]
    // Not toThrow: errors of the driver are of another realm under Jest.
    const message = expect.stringContaining('trap')
    await expect(app.router.events.record(pair, { transaction: database })).rejects.toMatchObject({ message })
    expect(isInTransaction(database)).toBe(true)
    database.exec('commit')

    const { events } = (await app.events()).body
    expect([flags(), types(events)]).toEqual([['checkout'], ['feature-archived']])
  })
})
