import BetterSqlite from 'better-sqlite3'
import { ChangeRequestError, type FlagEvent } from '../../../../src'
import {
  type ApplyRecordsOptions,
  applyRecords,
  type PlainFlagsOptions,
  plainFlags,
  type SyncApplyRecords,
} from '../../../../src/storage/handles/sqlite'
import { isInTransaction } from '../../../../src/storage/sql/sqlite/handle'
import { column, describeSqlite, type TestSqlite } from '../../../support/databases/sqlite-drivers'

const events: readonly FlagEvent[] = [
  { type: 'feature-environment-enabled', featureName: 'checkout', changeId: 7, data: { text: 'a\u0000 ü "' } },
]

describe('the options of a gateway on SQLite', () => {
  const database = new BetterSqlite(':memory:')
  afterAll(() => void database.close())
  const columns = { name: 'name', enabled: 'enabled' }
  const options = { database, table: 'flags', columns, project: 'default', environment: 'production' }

  it.each([undefined, null, {}, 'app.sqlite', { ...database }])('must have a Database: %#', (given) => {
    const wrong = { ...options, database: given } as unknown as PlainFlagsOptions
    const message =
      'option "database" must be a Database of better-sqlite3, or a DatabaseSync of node:sqlite (Node 22.16 or later).'
    expect(() => plainFlags(wrong)).toThrow(new TypeError(`plainFlags: ${message}`))
    expect(() => applyRecords({ database: given } as unknown as ApplyRecordsOptions)).toThrow(
      new TypeError(`applyRecords: ${message}`),
    )
  })

  it('have no others', () => {
    const knex = { knex: database } as object
    expect(() => plainFlags({ ...options, ...knex })).toThrow(
      'plainFlags: unknown option "knex". Known options: database, table, columns, project, environment.',
    )
    expect(() => applyRecords({ database, ...knex })).toThrow(
      'applyRecords: unknown option "knex". Known options: database, table.',
    )
    expect(() => applyRecords({ database, table: 'a b' })).toThrow('applyRecords: option "table" must be')
    expect(() => plainFlags({ ...options, table: 'a b' })).toThrow('plainFlags: option "table" must be')
  })
})

describeSqlite('applyRecords({ database })', (driver) => {
  let database: TestSqlite
  let records: SyncApplyRecords<TestSqlite>

  beforeEach(async () => {
    database = driver.open(':memory:')
    database.exec('create table flags (name text primary key)')
    records = applyRecords({ database })
    await records.migrate()
  })
  afterEach(() => void database.close())

  const flags = () => column(database, 'select name from flags order by name')
  const work = jest.fn((transaction: TestSqlite) => {
    expect(isInTransaction(transaction)).toBe(true)
    transaction.exec("insert into flags values ('checkout')")
    return events
  })
  beforeEach(() => work.mockClear())

  it('runs the work once, in a transaction of the Database, and returns its events again', async () => {
    expect([await records.run('a1', work), await records.run('a1', work)]).toEqual([events, events])
    expect([await records.outcome('a1'), flags(), work.mock.calls.length]).toEqual([events, ['checkout'], 1])
    expect(isInTransaction(database)).toBe(false)
  })

  it('leaves nothing of work that failed, which can run again', async () => {
    const error = new ChangeRequestError('ConflictError', 'The flag was altered.')
    const failing = records.run('a1', (transaction) => {
      work(transaction)
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect([flags(), isInTransaction(database)]).toEqual([[], false])
    expect(await records.run('a1', work)).toEqual(events)
  })

  it('rejects an id permanently after it was reported as not applied', async () => {
    expect(await records.outcome('a1')).toBe(null)
    await expect(records.run('a1', work)).rejects.toMatchObject({ name: 'ConflictError' })
    expect([await records.outcome('a1'), flags(), work.mock.calls.length]).toEqual([null, [], 0])
  })

  it.each([
    ['resolves', () => Promise.resolve(events)],
    ['rejects', () => Promise.reject(new Error('nobody waits for this'))],
  ])('rolls back work that returns a promise, which %s', async (_, promise) => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    const asynchronous = ((transaction: TestSqlite) => {
      work(transaction)
      return promise()
    }) as never
    await expect(records.run('a1', asynchronous)).rejects.toThrow(
      'applyRecords: work must return a list of flag events.',
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', listener)
    expect([flags(), unhandled, isInTransaction(database), await records.outcome('a1')]).toEqual([[], [], false, null])
  })

  it.each([
    ['commit', ['checkout'], events],
    ['rollback', [], null],
  ] as const)('knows the outcome of work that ran %s itself', async (end, written, outcome) => {
    const wrong = records.run('a1', (transaction) => {
      const result = work(transaction)
      transaction.exec(end)
      return result
    })
    // Not toThrow: errors of the driver are of another realm under Jest.
    await expect(wrong).rejects.toMatchObject({ message: expect.stringContaining('no transaction is active') })
    expect([flags(), await records.outcome('a1')]).toEqual([written, outcome])
  })

  it('waits for a transaction of the host app, and joins it neither in run, nor in outcome, nor in migrate', async () => {
    const other = applyRecords({ database, table: 'other_records' })
    database.exec('begin')
    const running = [records.run('a1', work), records.outcome('a2'), other.migrate()]
    let done = 0
    for (const one of running) void one.then(() => (done += 1))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([done, work.mock.calls.length, isInTransaction(database)]).toEqual([0, 0, true])
    database.exec('rollback')
    expect(await Promise.all(running)).toEqual([events, null, undefined])
    expect([await other.outcome('a1'), flags()]).toEqual([null, ['checkout']])
  })

  it('creates its table once, under the name that is given', async () => {
    const all = Array.from({ length: 3 }, () => applyRecords({ database, table: 'records_of_ours' }))
    await Promise.all(all.map((one) => one.migrate()))
    await all[0]?.run('a1', () => events)
    expect(column(database, 'select apply_id from records_of_ours')).toEqual(['a1'])
    const again = () => database.exec("insert into records_of_ours values ('a1', null, null, 'now')")
    expect(again).toThrow(expect.objectContaining({ message: expect.stringContaining('UNIQUE constraint failed') }))
  })

  it('reports a table of another shape', async () => {
    database.exec('create table theirs (apply_id text)')
    const message = expect.stringContaining('no such column')
    await expect(applyRecords({ database, table: 'theirs' }).migrate()).rejects.toMatchObject({ message })
  })
})
