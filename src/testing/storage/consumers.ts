import {
  type ConsumerPosition,
  type ConsumerStorage,
  newConsumerStatus,
  type StoredConsumer,
} from '../../ports/storage/consumers'
import type { Storage } from '../../ports/storage/storage'
import { type StorageSuite, together } from './suite'

const minute = 60_000
const start: ConsumerPosition = { position: 7, event: { id: 5, fingerprint: '1f3a09bc' } }
const failing = { ...newConsumerStatus, failures: 2, lastError: 'é "\' \\ 😀', skipped: { from: 1, to: 4 } }

/** The consumers of a storage that has them; the suite has no other tests without. */
function consumersOf(storage: Storage): ConsumerStorage {
  return storage.consumers as ConsumerStorage
}

async function findRow(consumers: ConsumerStorage, name: string): Promise<StoredConsumer> {
  return (await consumers.list()).find((row) => row.name === name) as StoredConsumer
}

/** Moves the position in the name of the owner of the row. */
function move(consumers: ConsumerStorage, before: StoredConsumer, position: number): Promise<boolean> {
  return consumers.write({ before, position, event: null, epoch: before.epoch, status: before.status })
}

/** Leases the consumer as soon as it is free, without assumptions about the speed of the machine. */
async function leaseWhenFree(consumers: ConsumerStorage, owner: string, name: string): Promise<StoredConsumer> {
  for (;;) {
    const [row] = await consumers.lease(owner, [name], minute)
    if (row !== undefined) return row
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

export function describeConsumers(suite: StorageSuite): void {
  suite.describe('consumers (optional)', () => {
    describeRows(suite)
    describeLeases(suite)
    describePositions(suite)
  })
}

function describeRows({ test, expect }: StorageSuite): void {
  const ifSupported = (title: string, body: (consumers: ConsumerStorage, storage: Storage) => Promise<void>) =>
    test(title, async (storage) => {
      if (storage.consumers !== undefined) await body(consumersOf(storage), storage)
    })

  ifSupported('have one id of the log, a UUID, also after another migrate()', async (consumers, storage) => {
    const id = await consumers.logId()
    await storage.migrate()

    expect(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)).toBe(true)
    expect(await consumers.logId()).toBe(id)
  })

  ifSupported('are listed by name, as they were created', async (consumers) => {
    for (const name of ['search', 'audit', 'audit-2']) expect(await consumers.create(name, start)).toBe(true)
    const rows = await consumers.list()

    expect(rows.map(({ name }) => name)).toEqual(['audit', 'audit-2', 'search'])
    for (const { name, leaseLeftMs, ...row } of rows) {
      expect(row).toEqual({ ...start, owner: null, epoch: 0, status: newConsumerStatus })
      expect(leaseLeftMs <= 0).toBe(true)
    }
  })

  ifSupported('are created once, also by 10 concurrent calls', async (consumers) => {
    const answers = await together(10, (index) => consumers.create('audit', { position: index, event: null }))
    const winner = answers.indexOf(true)

    expect(answers.filter((created) => created).length).toBe(1)
    expect((await findRow(consumers, 'audit')).position).toBe(winner)
    expect((await findRow(consumers, 'audit')).event).toBe(null)
  })

  ifSupported('are removed unless they are leased', async (consumers) => {
    await consumers.create('audit', start)
    await consumers.lease('one', ['audit'], minute)
    expect(await consumers.remove('audit')).toBe(false)

    await consumers.release('one', ['audit'])
    expect(await consumers.remove('audit')).toBe(true)
    expect(await consumers.remove('audit')).toBe(false)
    expect(await consumers.list()).toEqual([])
  })
}

function describeLeases({ test, expect }: StorageSuite): void {
  const ifSupported = (title: string, body: (consumers: ConsumerStorage) => Promise<void>) =>
    test(title, async (storage) => {
      if (storage.consumers === undefined) return
      for (const name of ['audit', 'search']) await storage.consumers.create(name, start)
      await body(storage.consumers)
    })

  ifSupported('are leased by one owner, with the next epoch', async (consumers) => {
    const rows = await consumers.lease('one', ['search', 'unknown', 'audit'], minute)

    expect(rows.map(({ name }) => name).sort()).toEqual(['audit', 'search'])
    expect(rows.map(({ owner, epoch }) => [owner, epoch])).toEqual([
      ['one', 1],
      ['one', 1],
    ])
    for (const { leaseLeftMs } of rows) expect(leaseLeftMs > 0 && leaseLeftMs <= minute).toBe(true)
    expect(await consumers.lease('other', ['audit', 'search'], minute)).toEqual([])
    expect((await findRow(consumers, 'audit')).owner).toBe('one')
  })

  ifSupported('are leased by one of 10 that try concurrently', async (consumers) => {
    const answers = await together(10, (index) => consumers.lease(`owner-${index}`, ['audit'], minute))

    expect(answers.filter(({ length }) => length === 1).length).toBe(1)
    expect((await findRow(consumers, 'audit')).epoch).toBe(1)
  })

  ifSupported('keep their epoch when their owner renews the lease', async (consumers) => {
    await consumers.lease('one', ['audit'], minute)
    const [renewed] = await consumers.lease('one', ['audit'], 2 * minute)

    expect(renewed?.epoch).toBe(1)
    expect((renewed?.leaseLeftMs ?? 0) > minute).toBe(true)
  })

  ifSupported('are free when the lease has ended, with the next epoch also for the same owner', async (consumers) => {
    await consumers.lease('one', ['audit', 'search'], 1)

    expect((await leaseWhenFree(consumers, 'other', 'audit')).epoch).toBe(2)
    expect((await leaseWhenFree(consumers, 'one', 'search')).epoch).toBe(2)
    expect(await consumers.lease('one', ['audit'], minute)).toEqual([])
  })

  ifSupported('are free when they were released, but only by their owner', async (consumers) => {
    await consumers.lease('one', ['audit'], minute)
    await consumers.release('other', ['audit'])
    expect(await consumers.lease('other', ['audit'], minute)).toEqual([])

    await consumers.release('one', ['audit'])
    expect((await findRow(consumers, 'audit')).leaseLeftMs <= 0).toBe(true)
    expect((await consumers.lease('other', ['audit'], minute)).length).toBe(1)
  })

  ifSupported('are free when the lease ends later than a new one would: the clock was set back', async (consumers) => {
    await consumers.lease('one', ['audit'], 2 * minute)

    expect((await consumers.lease('other', ['audit'], minute)).map(({ epoch }) => epoch)).toEqual([2])
  })
}

function describePositions({ test, expect }: StorageSuite): void {
  const ifSupported = (title: string, body: (consumers: ConsumerStorage, row: StoredConsumer) => Promise<void>) =>
    test(title, async (storage) => {
      if (storage.consumers === undefined) return
      await storage.consumers.create('audit', start)
      const [row] = await storage.consumers.lease('one', ['audit'], minute)
      await body(storage.consumers, row as StoredConsumer)
    })

  ifSupported('store position, event, epoch and status together', async (consumers, before) => {
    const next = { position: 2 ** 40, event: { id: 2 ** 40 - 1, fingerprint: '00000000' }, epoch: 9, status: failing }

    expect(await consumers.write({ before, ...next })).toBe(true)
    const { leaseLeftMs, ...row } = await findRow(consumers, 'audit')
    expect(row).toEqual({ name: 'audit', owner: 'one', ...next })
    expect(leaseLeftMs > 0).toBe(true)
  })

  ifSupported(
    'reject a write with another epoch, owner, position or name, and store nothing',
    async (consumers, row) => {
      expect(await move(consumers, { ...row, epoch: row.epoch - 1 }, 8)).toBe(false)
      expect(await move(consumers, { ...row, epoch: row.epoch + 1 }, 8)).toBe(false)
      expect(await move(consumers, { ...row, owner: 'other' }, 8)).toBe(false)
      expect(await move(consumers, { ...row, owner: null }, 8)).toBe(false)
      expect(await move(consumers, { ...row, position: 6 }, 8)).toBe(false)
      expect(await move(consumers, { ...row, name: 'other' }, 8)).toBe(false)

      expect((await findRow(consumers, 'audit')).position).toBe(7)
      expect(await move(consumers, row, 8)).toBe(true)
    },
  )

  ifSupported('reject the write of an earlier lease of the same owner', async (consumers, earlier) => {
    await consumers.release('one', ['audit'])
    await consumers.lease('one', ['audit'], minute)

    expect(await move(consumers, earlier, 8)).toBe(false)
    expect((await findRow(consumers, 'audit')).position).toBe(7)
  })

  ifSupported('accept one of 10 concurrent writes', async (consumers, row) => {
    const answers = await together(10, (index) => move(consumers, row, 100 + index))

    expect(answers.filter((written) => written).length).toBe(1)
    expect((await findRow(consumers, 'audit')).position).toBe(100 + answers.indexOf(true))
  })
}
