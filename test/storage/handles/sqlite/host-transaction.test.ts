import type Database from 'better-sqlite3'
import supertest from 'supertest'
import type { RecordedEvent } from '../../../../src'
import type { EventView } from '../../../../src/generated'
import { sqliteStorage } from '../../../../src/storage/handles/sqlite'
import { enable, people, startApp, type TestApp } from '../../../support/app'
import { type OpenDatabase, sqlite } from '../../../support/databases'
import { openSqlite } from '../../../support/databases/handles'

const archived: RecordedEvent = { type: 'feature-archived', project: 'shop', featureName: 'search' }

describe('a transaction of the host app that is open across an await, with sqliteStorage', () => {
  let opened: OpenDatabase
  let again: ReturnType<typeof openSqlite>
  let database: Database.Database
  let app: TestApp
  const controller = { current: new AbortController() }

  beforeEach(async () => {
    opened = await sqlite.open()
    again = openSqlite(opened.place)
    database = again.database
    database.exec('create table flags (name text primary key)')
    app = await startApp({ storage: again.storage })
    controller.current = new AbortController()
  })
  afterEach(async () => {
    if (database.inTransaction) database.exec('rollback')
    controller.current.abort()
    await app.close()
    await again.close()
    await opened.close()
  })

  const flags = () => database.prepare('select name from flags').pluck().all()
  /** Longer than many attempts of what waits. */
  const whileItIsOpen = () => new Promise((resolve) => setTimeout(resolve, 300))
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

  it.each([
    ['commit', ['checkout'], ['feature-archived']],
    ['rollback', [], []],
  ] as const)('is joined by no request and shown to nobody before its %s', async (end, written, recorded) => {
    const seen = follow()
    database.exec('begin immediate')
    database.exec("insert into flags values ('checkout')")
    await app.router.events.record(archived, { transaction: database })

    const done: string[] = []
    const waits = [
      ['propose', app.propose(enable()).then(({ status }) => status)],
      [
        'list',
        supertest(app.server)
          .get('/api/admin/projects/shop/change-requests')
          .set('Authorization', people.ann.key)
          .then(({ status }) => status),
      ],
      ['events', app.events().then(({ status }) => status)],
      ['record', app.router.events.record({ ...archived, type: 'feature-revived' }).then(() => 200)],
      ['read', app.router.events.read().then(() => 200)],
    ] as const
    for (const [name, call] of waits) void call.then(() => done.push(name))
    await whileItIsOpen()

    expect([done, seen, database.inTransaction, flags()]).toEqual([[], [], true, ['checkout']])
    database.exec(end)
    expect(await Promise.all(waits.map(([, call]) => call))).toEqual([200, 200, 200, 200, 200])

    const own = ['change-request-created', 'change-added', 'feature-revived']
    await seenBy(seen, recorded.length + own.length)
    expect(types(seen).toSorted()).toEqual([...recorded, ...own].toSorted())
    const { body } = await app.events()
    expect([flags(), body.totalEvents]).toEqual([written, recorded.length + own.length])
  })

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

  it('makes reads and writes 503 after statementTimeoutMs, and stays open', async () => {
    const impatient = await startApp({ storage: sqliteStorage({ database, statementTimeoutMs: 20 }) })
    try {
      database.exec('begin')
      database.exec("insert into flags values ('checkout')")
      for (const call of [() => impatient.propose(enable()), () => impatient.events()]) {
        const { status, body } = await call()
        expect([status, body.name]).toEqual([503, 'UnavailableError'])
      }
      expect([database.inTransaction, flags()]).toEqual([true, ['checkout']])
      database.exec('commit')
      expect((await impatient.events()).body.totalEvents).toBe(0)
    } finally {
      await impatient.close()
    }
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
    expect(database.inTransaction).toBe(true)
    database.exec('commit')

    const { events } = (await app.events()).body
    expect([flags(), types(events)]).toEqual([['checkout'], ['feature-archived']])
  })

  it('is needed by a record with `transaction`', async () => {
    const message = 'The transaction must be the `database` of sqliteStorage, with an open transaction'
    await expect(app.router.events.record(archived, { transaction: database })).rejects.toThrow(message)
    await expect(app.router.events.record(archived, { transaction: opened.knex })).rejects.toThrow(message)
    expect((await app.events()).body.totalEvents).toBe(0)
  })
})
