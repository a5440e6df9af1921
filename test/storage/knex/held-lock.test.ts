import type SqliteDatabase from 'better-sqlite3'
import type { Storage } from '../../../src/ports/storage/storage'
import type { KnexStorage } from '../../../src/storage/knex'
import { allData, creation, findOpen, key, sampleChangeRequest, sampleEvent } from '../../../src/testing/samples'
import { type OpenDatabase, type OpenOptions, sqlite } from '../../support/databases'
import { LockWatch, otherConnection } from '../../support/databases/held-lock'

let open: OpenDatabase
let other: SqliteDatabase.Database
let watch: LockWatch

async function start(options: OpenOptions = {}): Promise<void> {
  watch = new LockWatch()
  open = await sqlite.open({ statementTimeoutMs: 100, ...options, host: { pool: watch.pool } })
  other = otherConnection(open.place)
}
afterEach(async () => {
  other.close()
  watch.stop()
  await open.close()
})

const settings = {
  ...key,
  settings: { changeRequestsEnabled: true, requiredApprovals: 2 },
  expectedVersion: 0,
  events: [],
}

const writes: readonly (readonly [string, (storage: KnexStorage) => Promise<unknown>])[] = [
  ['commit', (storage) => storage.commit(creation(sampleChangeRequest({ id: 1 }), [sampleEvent('a')]))],
  ['commitSettings', (storage) => storage.commitSettings(settings)],
  ['appendEvents', (storage) => storage.appendEvents([sampleEvent('a')])],
  ['nextIds', (storage) => storage.nextIds('change', 1)],
  ['transaction', (storage) => storage.transaction((_, inside) => inside.appendEvents([sampleEvent('a')]))],
  [
    'within a transaction of the host',
    (storage) => open.knex.transaction((transaction) => storage.within(transaction).appendEvents([sampleEvent('a')])),
  ],
  ['recountEvents', async (storage) => storage.recountEvents?.()],
]

describe('a lock that another process holds on the SQLite file', () => {
  it.each(writes)('lets %s fail after statementTimeoutMs, and the event loop run meanwhile', async (_, write) => {
    await start()
    other.exec('begin immediate')
    const error = await write(open.storage).catch((thrown: unknown) => thrown)

    expect([error, open.storage.failureOf(error)]).toEqual([expect.objectContaining({ code: 'SQLITE_BUSY' }), 'busy'])

    expect(watch.attempts.length).toBeGreaterThan(1)
    expect([watch.longestBlock, watch.withoutYield]).toEqual([0, 0])
  })

  it.each(writes)('lets %s through when it is released in time', async (_, write) => {
    await start({ statementTimeoutMs: 30_000 })
    other.exec('begin immediate')
    const written = write(open.storage)
    await watch.seen(3)
    other.exec('commit')

    await written
    expect([watch.longestBlock, watch.withoutYield]).toEqual([0, 0])
  })

  it('is waited for by all writes together: a later write makes one attempt', async () => {
    await start()
    other.exec('begin immediate')
    const { storage } = open
    await expect(storage.nextIds('change', 1)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    const before = watch.attempts.length
    for (const [, write] of writes) await expect(write(storage)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })

    expect(watch.attempts.length - before).toBe(writes.length)
    other.exec('commit')
    for (const [, write] of writes) await write(storage)
  })

  it('starts a new timeout if it was free in between', async () => {
    await start()
    other.exec('begin immediate')
    await expect(open.storage.nextIds('change', 1)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    other.exec('commit')
    await open.storage.nextIds('change', 1)
    other.exec('begin immediate')
    const before = watch.attempts.length
    const waiting = open.storage.nextIds('change', 1)
    await watch.seen(before + 3)
    other.exec('commit')

    expect(await waiting).toEqual([2])
  })

  it('does not block readers', async () => {
    await start()
    other.exec('begin immediate')

    expect(await allData(open.storage)).toEqual([])
    expect(await open.storage.health()).toMatchObject({ reachable: true })
    expect(watch.attempts).toEqual([])
  })

  it('is waited for by migrate(), for longer than a write would', async () => {
    await start({ migrate: false, statementTimeoutMs: 1 })
    other.exec('begin immediate')
    const migrated = open.storage.migrate()
    await watch.seen(8)
    other.exec('commit')

    await migrated
    expect([watch.longestBlock, watch.withoutYield]).toEqual([0, 0])
    await open.storage.appendEvents([sampleEvent('a')])
  })
})

describe('a SQLite file without WAL', () => {
  const withoutWal: OpenOptions = { durability: 'host' }

  const reads: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
    ['find', (storage) => storage.find(key, 1)],
    ['findOpen', (storage) => findOpen(storage, key)],
    ['eventHead', (storage) => storage.eventHead({})],
    ['eventPage', (storage) => storage.eventPage({}, { after: 0 }, 10)],
  ]

  it.each(reads)(
    'lets %s fail while another process writes for long, and does not block the event loop',
    async (_, read) => {
      await start(withoutWal)
      other.exec('begin exclusive')

      await expect(read(open.storage)).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
      expect(watch.attempts.length).toBeGreaterThan(1)
      expect([watch.longestBlock, watch.withoutYield]).toEqual([0, 0])
      expect(await open.storage.health()).toMatchObject({ reachable: false })
      other.exec('commit')
      await read(open.storage)
    },
  )

  // The host itself commits its transaction.
  const ours = writes.filter(([name]) => name !== 'within a transaction of the host')

  it.each(ours)('lets %s wait for readers, without blocking the event loop', async (_, write) => {
    await start({ ...withoutWal, statementTimeoutMs: 30_000 })
    other.exec('begin')
    other.prepare('select count(*) from ffcr_events').get()
    let settled = false
    const written = write(open.storage).finally(() => {
      settled = true
    })
    await watch.seen(3)
    expect(settled).toBe(false)
    other.exec('commit')

    await written
    expect([watch.longestBlock, watch.withoutYield]).toEqual([0, 0])
  })
})

describe.each(['full', 'normal', 'host'] as const)('a SQLite connection of the host, durability %s', (durability) => {
  const pragmas = async () =>
    Promise.all(
      ['busy_timeout', 'synchronous', 'foreign_keys', 'locking_mode', 'read_uncommitted'].map((name) =>
        open.knex.raw(`pragma ${name}`),
      ),
    )
  const broken = { ...sampleEvent('a'), type: null as unknown as string }
  const uses: readonly (readonly [string, (storage: KnexStorage) => Promise<unknown>])[] = [
    ...writes,
    ['a refused write', (storage) => storage.appendEvents([broken])],
    ['a refused transaction', (storage) => storage.transaction((_, inside) => inside.appendEvents([broken]))],
    ['a transaction whose work throws', (storage) => storage.transaction(() => Promise.reject(new Error('no')))],
    ['find', (storage) => storage.find(key, 1)],
    ['eventPage', (storage) => storage.eventPage({}, { after: 0 }, 10)],
    ['migrate', (storage) => storage.migrate()],
    ['health', (storage) => storage.health()],
  ]

  it('is unchanged after each use, whether that succeeded or the file was locked', async () => {
    await start({ durability, statementTimeoutMs: 20 })
    for (const [busyTimeout, synchronous] of [
      [5_000, 1],
      [1_234, 3],
      [0, 0],
    ]) {
      await open.knex.raw(`pragma busy_timeout = ${busyTimeout}`)
      await open.knex.raw(`pragma synchronous = ${synchronous}`)
      const before = await pragmas()
      for (const [name, use] of uses) {
        await use(open.storage).catch(() => undefined)
        expect([name, await pragmas()]).toEqual([name, before])
        other.exec('begin immediate')
        await use(open.storage).catch(() => undefined)
        other.exec('commit')
        expect([name, await pragmas()]).toEqual([name, before])
      }
    }
  })

  it('keeps the busy_timeout that the driver set', async () => {
    await start({ durability })
    expect(await open.knex.raw('pragma busy_timeout')).toEqual([{ timeout: 5_000 }])
  })

  it('has its own busy_timeout inside storage.transaction(), where work can change it', async () => {
    await start({ durability })
    await open.knex.raw('pragma busy_timeout = 1234')
    const during = await open.storage.transaction(async (transaction, inside) => {
      await inside.appendEvents([sampleEvent('a')])
      const found = await transaction.raw('pragma busy_timeout')
      await transaction.raw('pragma busy_timeout = 77')
      return found
    })

    expect(during).toEqual([{ timeout: 1_234 }])
    expect(await open.knex.raw('pragma busy_timeout')).toEqual([{ timeout: 77 }])
  })
})
