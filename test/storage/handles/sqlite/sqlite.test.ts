import BetterSqlite from 'better-sqlite3'
import supertest from 'supertest'
import type { FlagGateway, SyncFlagGateway } from '../../../../src'
import { createChangeRequestRouter } from '../../../../src'
import { type SqliteStorage, type SqliteStorageOptions, sqliteStorage } from '../../../../src/storage/handles/sqlite'
import { isInTransaction } from '../../../../src/storage/sql/sqlite/handle'
import { creation, freshId, sampleChangeRequest, sampleEvent } from '../../../../src/testing/samples'
import { enable, noon, people, startApp, type TestApp } from '../../../support/app'
import { type OpenDatabase, sqlite } from '../../../support/databases'
import { column, describeSqlite, openSqlite, rows, type TestSqlite } from '../../../support/databases/sqlite-drivers'

describe('sqliteStorage(options) rejects, naming the option', () => {
  const database = new BetterSqlite(':memory:')
  afterAll(() => void database.close())

  /** With `inTransaction` like Bun, with `sync` like libsql, and alone like node:sqlite before Node 22.16. */
  const methods = { exec() {}, prepare() {} }

  it.each<[string, object]>([
    ['database', {}],
    ['database', { database: null }],
    ['database', { database: 'app.sqlite' }],
    ['database', { database: { ...database } }],
    ['database', { database: { ...methods, inTransaction: false } }],
    ['database', { database: { ...methods, inTransaction: false, pragma() {}, sync() {} } }],
    ['database', { database: { ...methods } }],
    ['tablePrefix', { database, tablePrefix: 'a b' }],
    ['durability', { database, durability: 'off' }],
    ['statementTimeoutMs', { database, statementTimeoutMs: 0 }],
  ])('%s: %#', (name, options) => {
    const given = () => sqliteStorage(options as SqliteStorageOptions)
    expect(given).toThrow(`sqliteStorage: option "${name}" must be`)
  })

  it.each(['knex', 'schema', 'notify'])('%s, which is unknown', (name) => {
    expect(() => sqliteStorage({ database, [name]: 'x' } as SqliteStorageOptions)).toThrow(`unknown option "${name}"`)
  })
})

describeSqlite('sqliteStorage({ database })', (driver) => {
  let opened: OpenDatabase
  let again: ReturnType<typeof openSqlite>
  let database: TestSqlite
  let storage: SqliteStorage<TestSqlite>

  beforeEach(async () => {
    opened = await sqlite.open()
    again = openSqlite(opened.place, driver)
    ;({ database, storage } = again)
    database.exec('create table flags (name text primary key)')
  })
  afterEach(async () => {
    if (isInTransaction(database)) database.exec('rollback')
    await again.close()
    await opened.close()
  })

  const flags = () => column(database, 'select name from flags order by name')
  const total = async () => (await opened.storage.eventHead({})).total

  it.each([
    ['undefined', () => undefined],
    ['null', () => null],
    ['another Database', () => driver.open(':memory:')],
    ['a Knex', () => opened.knex],
    ['its Database without an open transaction', () => database],
  ])('rejects %s in place of a transaction', (_, given) => {
    expect(() => storage.within(given() as TestSqlite)).toThrow(
      new TypeError(
        'The transaction must be the `database` of sqliteStorage, with an open transaction: run BEGIN first, and COMMIT afterwards.',
      ),
    )
  })

  it('rejects a write after the transaction has ended', async () => {
    database.exec('begin')
    const joined = storage.within(database)
    database.exec('commit')
    await expect(joined.appendEvents([sampleEvent('late')])).rejects.toThrow('with an open transaction')
    expect(await total()).toBe(0)
  })

  describe.each(['commit', 'rollback'])('while the host app holds a transaction open, until its %s', (end) => {
    const calls: readonly (readonly [string, () => Promise<unknown>, after: unknown])[] = [
      ['a write', () => storage.appendEvents([sampleEvent('a')]).then(total), 1],
      ['a proposal', async () => storage.commit(creation(sampleChangeRequest({ id: await freshId(storage) }))), true],
      ['the load of a proposal', async () => (await storage.nextIds('change', 2)).length, 2],
      ['a read', async () => (await storage.eventHead({})).total, 0],
      [
        'a synchronous transaction',
        () => storage.transactionSync(() => creation(sampleChangeRequest({ id: 77 }))),
        true,
      ],
      ['the health', async () => (await storage.health()).reachable, true],
    ]
    it.each(calls)('%s waits, joins nothing and sees nothing of it', async (_, call, after) => {
      await storage.eventHead({})
      database.exec('begin immediate')
      database.exec("insert into flags values ('checkout')")
      let isDone = false
      const running = call().finally(() => {
        isDone = true
      })
      // Longer than a few attempts.
      await new Promise((resolve) => setTimeout(resolve, 30))
      expect([isDone, isInTransaction(database)]).toEqual([false, true])
      database.exec(end)
      expect(await running).toEqual(after)
      expect(flags()).toEqual(end === 'commit' ? ['checkout'] : [])
    })
  })

  it('is busy after statementTimeoutMs, and leaves the transaction of the host app open', async () => {
    const impatient = sqliteStorage({ database, statementTimeoutMs: 20 })
    database.exec('begin')
    for (const call of [() => impatient.appendEvents([sampleEvent('a')]), () => impatient.eventHead({})]) {
      const error = await call().catch((thrown: unknown) => thrown)
      expect(impatient.failureOf(error)).toBe('busy')
    }
    expect(isInTransaction(database)).toBe(true)
    database.exec('rollback')
    expect(await total()).toBe(0)
  })

  it('restores the settings of the connection', async () => {
    database.exec('pragma synchronous = off')
    database.exec('pragma busy_timeout = 1234')
    await storage.appendEvents([sampleEvent('a')])
    await storage.eventHead({})
    expect([rows(database, 'pragma synchronous'), rows(database, 'pragma busy_timeout')]).toEqual([[[0]], [[1234]]])
  })

  describe('with a transactional gateway', () => {
    let app: TestApp
    /** What `apply` does after its write. */
    let then: () => unknown
    let time: number
    const logged: unknown[] = []

    const current: SyncFlagGateway['current'] = ({ features }) => {
      const on = new Set(flags())
      const state = (name: string) => [name, { archived: false, enabled: on.has(name) }] as const
      return { features: new Map(features.map(state)), segments: new Map() }
    }
    const gateway: SyncFlagGateway<TestSqlite> = {
      transactional: true,
      actions: ['updateEnabled'],
      current,
      apply(changes, { transaction }) {
        const write = transaction.prepare('insert or ignore into flags values (?)')
        for (const { feature } of changes) write.run(feature)
        const result = then()
        if (result !== undefined) return result as never
        return changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature ?? '' }))
      },
    }

    beforeEach(async () => {
      then = () => undefined
      time = Date.parse(noon)
      logged.length = 0
      const logger = { debug() {}, info() {}, warn() {}, error: (details: object) => void logged.push(details) }
      app = await startApp({
        storage,
        flags: gateway as SyncFlagGateway,
        adminSelfApproval: true,
        schedule: 'elsewhere',
        logger,
        clock: () => new Date(time),
      })
    })
    afterEach(() => app.close())

    const put = async (id: number, body: object) => {
      const path = `/api/admin/projects/shop/change-requests/${id}/state`
      const { status, body: answer } = await supertest(app.server)
        .put(path)
        .set('Authorization', people.ann.key)
        .send(body)
      return { status, message: answer.message, details: answer.details }
    }
    const apply = (id: number) => put(id, { state: 'Applied' })

    async function approved(feature = 'checkout'): Promise<number> {
      const { id } = (await app.propose(enable(feature))).body
      for (const state of ['In review', 'Approved']) expect((await put(id, { state })).status).toBe(200)
      return id
    }
    const state = async (id: number) => (await storage.find({ project: 'shop' }, id))?.changeRequest.state
    it('applies a scheduled change request', async () => {
      const id = await approved()
      const scheduledAt = new Date(time + 60_000).toISOString()
      expect(await put(id, { state: 'Scheduled', scheduledAt })).toMatchObject({ status: 200 })
      time += 60_000
      expect(await app.router.runDue()).toMatchObject({ applied: 1 })
      expect([flags(), await state(id)]).toEqual([['checkout'], 'Applied'])
    })

    it('rolls back everything when the gateway returns a promise, with the reason', async () => {
      const id = await approved()
      then = () => Promise.reject(new Error('nobody waits for this'))
      const { status, message } = await apply(id)
      expect(status).toBe(500)
      expect(message).toContain('flags.apply returned a promise, and the apply was rolled back.')
      expect(message).toContain('use a SyncFlagGateway')
      expect(logged).toHaveLength(1)
      expect([flags(), await state(id), isInTransaction(database)]).toEqual([[], 'Approved', false])
    })

    it('rolls back nothing and stores nothing when the gateway completes the transaction itself', async () => {
      const id = await approved()
      then = () => database.exec('commit') && undefined
      expect((await apply(id)).status).toBe(500)
      expect([await state(id), isInTransaction(database)]).toEqual(['Approved', false])
    })

    it('lets a gateway that is not transactional be asynchronous', async () => {
      const plain: FlagGateway = {
        actions: ['updateEnabled'],
        current: async (...args) => current(...args),
        apply: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          return []
        },
        outcome: async () => null,
      }
      const other = await startApp({ storage, flags: plain, adminSelfApproval: true })
      const id = await approved()
      const path = `/api/admin/projects/shop/change-requests/${id}/state`
      const send = supertest(other.server).put(path).set('Authorization', people.ann.key)
      expect((await send.send({ state: 'Applied' })).status).toBe(200)
      await other.close()
    })

    it('is rejected at construction if its methods are asynchronous', () => {
      const flags = { ...gateway, apply: async () => [] } as unknown as SyncFlagGateway
      expect(() => createChangeRequestRouter({ storage, flags, authenticate: () => null })).toThrow(
        'must be a SyncFlagGateway, or without transactional: nothing may wait in a transaction of this storage.',
      )
    })
  })
})
