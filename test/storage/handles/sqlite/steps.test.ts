import { setTimeout as pause } from 'node:timers/promises'
import supertest from 'supertest'
import type { SyncFlagGateway } from '../../../../src'
import { isInTransaction } from '../../../../src/storage/sql/sqlite/handle'
import { enable, people, startApp, type TestApp } from '../../../support/app'
import { type OpenDatabase, sqlite } from '../../../support/databases'
import { describeSqlite, openSqlite, rows, type TestSqlite } from '../../../support/databases/sqlite-drivers'

describeSqlite('a synchronous gateway on the Database of sqliteStorage', (driver) => {
  let opened: OpenDatabase
  let again: ReturnType<typeof openSqlite>
  let database: TestSqlite
  let app: TestApp
  /** A test can replace its methods. */
  let gateway: { -readonly [Name in keyof SyncFlagGateway]: SyncFlagGateway[Name] }
  /** Called in the transaction, after the write of `apply`. */
  let afterWrite: () => void
  /** Called in the transaction, instead of `current`. */
  let insteadOfCurrent: (() => unknown) | undefined
  const logged: string[] = []

  const state = (name: string) => {
    const [flag] = database.prepare('select enabled from flags where name = ?').all(name)
    return [name, { archived: false, enabled: flag?.enabled === 1 }] as const
  }
  const synchronous: SyncFlagGateway = {
    transactional: true,
    actions: ['updateEnabled'],
    current({ features }, options) {
      if (options !== undefined && insteadOfCurrent !== undefined) return insteadOfCurrent() as never
      return { features: new Map(features.map(state)), segments: new Map() }
    },
    apply(changes, { transaction }) {
      const write = (transaction as TestSqlite).prepare('insert or replace into flags values (?, ?)')
      return changes.map((change) => {
        const { enabled } = change.payload as { enabled: boolean }
        write.run(change.feature, Number(enabled))
        afterWrite()
        return { type: `feature-environment-${enabled ? 'enabled' : 'disabled'}`, featureName: change.feature ?? '' }
      })
    },
  }

  beforeEach(async () => {
    opened = await sqlite.open()
    again = openSqlite(opened.place, driver)
    database = again.database
    database.exec('create table flags (name text primary key, enabled integer not null)')
    gateway = { ...synchronous }
    afterWrite = () => undefined
    insteadOfCurrent = undefined
    logged.length = 0
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (facts: object) => void logged.push(String((facts as { err?: unknown }).err)),
    }
    app = await startApp({ storage: again.storage, flags: gateway, adminSelfApproval: true, logger })
  })
  afterEach(async () => {
    await app.close()
    await again.close()
    await opened.close()
  })

  const to = (id: number, step: string) =>
    supertest(app.server)
      .put(`/api/admin/projects/shop/change-requests/${id}/state`)
      .set('Authorization', people.ann.key)
      .send({ state: step })
  const stateRows = () => rows(database, 'select name, enabled from flags order by name')
  const stored = async (id: number) => (await again.storage.find({ project: 'shop' }, id))?.changeRequest.state
  async function approved(): Promise<number> {
    const { id } = (await app.propose([enable('checkout'), enable('search')])).body
    for (const step of ['In review', 'Approved']) expect((await to(id, step)).status).toBe(200)
    return id
  }

  it('rolls back an apply whose state cannot be stored', async () => {
    const id = await approved()
    const { totalEvents } = (await app.events()).body
    database.exec(`create trigger trap before insert on ffcr_events when new.type = 'change-request-applied'
      begin select raise(abort, 'trap'); end`)
    expect((await to(id, 'Applied')).status).toBe(500)
    expect([stateRows(), await stored(id), (await app.events()).body.totalEvents]).toEqual([
      [],
      'Approved',
      totalEvents,
    ])
  })

  it('rolls back an apply whose result is invalid', async () => {
    const id = await approved()
    gateway.apply = (...values) => {
      synchronous.apply(...values)
      return [{ type: 'no such type' as 'feature-archived' }]
    }
    expect((await to(id, 'Applied')).status).toBe(500)
    expect([stateRows(), await stored(id), isInTransaction(database)]).toEqual([[], 'Approved', false])
  })

  it.each([
    ['that resolves', () => Promise.resolve({ features: new Map(), segments: new Map() })],
    ['that rejects', () => Promise.reject(new Error('nobody waits for this'))],
    ['that never settles', () => new Promise(() => {})],
  ])('rolls back when current returns a promise in the transaction %s, and logs why', async (_, result) => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    try {
      const id = await approved()
      insteadOfCurrent = result
      expect((await to(id, 'Applied')).status).toBe(500)
      await pause(20)
      expect(logged.join()).toContain('flags.current returned a promise, and the apply was rolled back.')
      expect([stateRows(), await stored(id), isInTransaction(database), unhandled]).toEqual([[], 'Approved', false, []])
    } finally {
      process.off('unhandledRejection', listener)
    }
  })

  it('decides again on the flags that another process wrote after the decision', async () => {
    const id = await approved()
    const other = driver.open(again.file)
    let calls = 0
    gateway.current = (subjects, options) => {
      const found = synchronous.current(subjects, options)
      if (options === undefined && calls === 0) other.exec("insert into flags values ('checkout', 1)")
      calls += 1
      return found
    }
    const { status } = await to(id, 'Applied')
    other.close()
    expect(status).toBe(200)
    expect([stateRows(), await stored(id)]).toEqual([
      [
        ['checkout', 1],
        ['search', 1],
      ],
      'Applied',
    ])
    // Once for the decision, once in the transaction that was rolled back, and both again.
    expect(calls).toBeGreaterThanOrEqual(4)
    const found = await again.storage.find({ project: 'shop' }, id)
    const snapshots = found?.changeRequest.changes.map(({ feature, snapshot }) => [feature, snapshot])
    expect(snapshots).toEqual([
      ['checkout', { enabled: true }],
      ['search', { enabled: false }],
    ])
  })
})
