import type { Knex } from 'knex'
import { openMemory } from '../../src/storage/memory'
import { consumerApp, until } from '../support/consumers/consumer-app'
import { type OpenDatabase, oneDatabase, postgres } from '../support/databases'

const tables = ['events', 'event_counts', 'event_tallies'] as const
const restoredError = 'A consumer was stopped: the event log does not have the event at its position,'

/** Copies tables, and puts the rows back later like a restore of the database under running processes. */
async function backupOf(knex: Knex, names: readonly string[]): Promise<() => Promise<void>> {
  for (const name of names) await knex.raw(`create table copy_${name} as select * from ffcr_${name}`)
  const isPostgres = knex.client.config.client === 'pg'
  return () =>
    knex.transaction(async (transaction) => {
      for (const name of names) {
        await transaction.raw(`delete from ffcr_${name}`)
        const overriding = isPostgres && name === 'events' ? 'overriding system value' : ''
        await transaction.raw(`insert into ffcr_${name} ${overriding} select * from copy_${name}`)
      }
      if (isPostgres) {
        await transaction.raw(
          "select setval(pg_get_serial_sequence('ffcr_events', 'id'), coalesce(max(id), 1)) from ffcr_events",
        )
      } else {
        await transaction.raw(
          "update sqlite_sequence set seq = (select max(id) from ffcr_events) where name = 'ffcr_events'",
        )
      }
    })
}

describe.each(oneDatabase)('the position of a consumer on $name', ({ open }) => {
  let store: OpenDatabase
  const apps: ReturnType<typeof consumerApp>[] = []
  const start = (...given: Parameters<typeof consumerApp>) => {
    const app = consumerApp(...given)
    apps.push(app)
    return app
  }

  beforeEach(async () => {
    store = await open()
  })
  afterEach(async () => {
    await Promise.all(apps.splice(0).map(({ router }) => router.close()))
    await store.close()
  })

  /** A consumer that has handled the first events, and was closed. */
  async function consumedBefore(count: number): Promise<void> {
    const app = start(store.storage)
    await app.record(count)
    app.consume()
    app.router.start()
    await until(async () => (await app.view())?.position === count)
    await app.router.close()
  }

  const restarted = () => {
    const app = start(store.storage)
    const consumed = app.consume()
    app.router.start()
    return { app, consumed }
  }

  it('continues with each new event, in batches, while others write', async () => {
    const app = start(store.storage)
    const consumed = app.consume({ batchSize: 7 })
    app.router.start()
    await Promise.all(Array.from({ length: 20 }, (_, index) => app.record(3, index * 3)))
    await until(() => consumed.ids().length === 60)
    expect(consumed.ids()).toEqual(consumed.ids().toSorted((one, other) => one - other))
    expect(new Set(consumed.ids()).size).toBe(60)
    expect(app.lines).toEqual([])
  })

  it('is lost when the log was cut without it, and stops the consumer', async () => {
    await consumedBefore(5)
    await store.knex('ffcr_events').where('id', '>', 3).delete()
    await store.storage.recountEvents?.()
    const { app, consumed } = restarted()
    await until(async () => (await app.view()).state === 'stopped')
    expect(await app.view()).toMatchObject({ reason: 'position-lost', position: 5 })
    expect(app.messages('error').map((message) => message.slice(0, restoredError.length))).toEqual([restoredError])
    expect(consumed.calls).toEqual([])
    await app.router.events.seek('audit', 'beginning')
    await until(() => consumed.ids().length === 3)
  })

  it('is lost when its event is another one now', async () => {
    await consumedBefore(3)
    await store.knex('ffcr_events').where('id', 3).update({ body: '{"type":"other"}' })
    const { app, consumed } = restarted()
    await app.record(1)
    await until(async () => (await app.view()).state === 'stopped')
    expect((await app.view()).reason).toBe('position-lost')
    expect(consumed.calls).toEqual([])
  })

  it('is lost under a running consumer whose log was restored to an earlier state', async () => {
    const app = start(store.storage)
    await app.record(3)
    const restore = await backupOf(store.knex, tables)
    const consumed = app.consume()
    app.router.start()
    await app.record(3)
    await until(async () => consumed.ids().length === 6 && (await app.view()).position === 6)
    await restore()
    await app.record(2, 50)
    await until(async () => (await app.view()).state === 'stopped')
    expect((await app.view()).reason).toBe('position-lost')
    expect(consumed.ids()).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('is restored with the log: a running consumer continues from the restored position, and logs that', async () => {
    const app = start(store.storage)
    await app.record(3)
    const consumed = app.consume()
    app.router.start()
    await until(async () => consumed.ids().length === 3 && (await app.view()).position === 3)
    const restore = await backupOf(store.knex, [...tables, 'consumers'])
    await app.record(3)
    await until(async () => consumed.ids().length === 6 && (await app.view()).position === 6)
    await restore()
    await app.record(2, 50)
    await until(async () => consumed.ids().length >= 8 && (await app.view()).position === 5)
    expect(consumed.ids()).toEqual([1, 2, 3, 4, 5, 6, 4, 5])
    expect(consumed.calls.at(-1)?.events.at(-1)?.featureName).toBe('flag-51')
    expect(app.messages('error')).toEqual([
      'The stored position of a consumer is behind what it has handled, as after a failover. Events may come again.',
    ])
  })

  it('continues with the oldest event after retention, without a word if it had read all that is gone', async () => {
    await consumedBefore(4)
    await store.knex('ffcr_events').where('id', '<=', 4).delete()
    await store.storage.recountEvents?.()
    const { app, consumed } = restarted()
    await app.record(2)
    await until(() => consumed.ids().length === 2)
    expect(consumed.ids()).toEqual([5, 6])
    expect(app.lines).toEqual([])
    expect((await app.view()).skipped).toBe(null)
  })

  it('reports events that were removed before it read them, until seek()', async () => {
    await consumedBefore(2)
    const app = start(store.storage)
    await app.record(5)
    await store.knex('ffcr_events').where('id', '<=', 5).delete()
    await app.router.events.recount()
    expect(app.lines.map(({ level, facts, message }) => [level, facts, message])).toEqual([
      [
        'warn',
        { consumer: 'audit', position: 2, oldest: 6 },
        'Events were removed from the log that a consumer has not read.',
      ],
    ])
    const later = restarted()
    await until(async () => later.consumed.ids().length === 2 && (await later.app.view()).position === 7)
    expect(later.consumed.ids()).toEqual([6, 7])
    expect(later.app.messages('warn')).toEqual(['Events were removed from the log before a consumer read them.'])
    expect((await later.app.view()).skipped).toEqual({ from: 3, to: 5 })
    await later.app.router.events.seek('audit', 'now')
    expect((await later.app.view()).skipped).toBe(null)
  })

  it('reports events that were removed before a consumer from the beginning read any', async () => {
    const app = start(store.storage)
    await app.record(5)
    const consumers = store.storage.consumers as NonNullable<typeof store.storage.consumers>
    await consumers.create('audit', { position: 0, event: null })
    await store.knex('ffcr_events').where('id', '<=', 2).delete()
    await store.storage.recountEvents?.()
    const later = restarted()
    await until(() => later.consumed.ids().length === 3)
    expect(later.app.messages('warn')).toEqual(['Events were removed from the log before a consumer read them.'])
  })

  it('is moved by seek() to an id, to the end or to the beginning; other positions are rejected', async () => {
    await consumedBefore(4)
    const { events } = start(store.storage).router
    await events.seek('audit', 2)
    expect(await apps.at(-1)?.view()).toMatchObject({ position: 2, lag: 2, state: 'waiting' })
    await events.seek('audit', 'now')
    expect(await apps.at(-1)?.view()).toMatchObject({ position: 4, lag: 0, delay: 0 })
    await events.seek('audit', 'beginning')
    expect(await apps.at(-1)?.view()).toMatchObject({ position: 0, lag: 4 })
    await expect(events.seek('audit', 5)).rejects.toMatchObject({ name: 'BadDataError' })
    await expect(events.seek('unknown', 1)).rejects.toMatchObject({ name: 'NotFoundError' })
    await expect(events.seek('audit', 'end' as never)).rejects.toThrow(TypeError)
  })

  it('is removed by removeConsumer(), but not while a process runs the consumer', async () => {
    const { app } = restarted()
    await until(async () => (await app.view())?.state === 'running')
    await expect(app.router.events.removeConsumer('audit')).rejects.toMatchObject({ name: 'ConflictError' })
    await app.router.close()
    await app.router.events.removeConsumer('audit')
    await expect(app.router.events.removeConsumer('audit')).rejects.toMatchObject({ name: 'NotFoundError' })
    expect((await app.router.health()).consumers).toEqual({ lowestPosition: null, items: [] })
  })

  it('is in health() with the age of the first event after it', async () => {
    await consumedBefore(2)
    const app = start(store.storage, {}, { clock: () => new Date(Date.now() + 3_600_000) })
    await start(store.storage).record(3)
    const { lowestPosition, items } = (await app.router.health()).consumers
    expect(lowestPosition).toBe(2)
    expect(items[0]).toMatchObject({ lag: 3, state: 'waiting' })
    expect(items[0]?.delay).toBeGreaterThanOrEqual(3_600_000)
  })
})

describe('a lease on Postgres', () => {
  it('begins when its row is written, also after waiting for a lock', async () => {
    const store = await postgres.open()
    const consumers = store.storage.consumers as NonNullable<typeof store.storage.consumers>
    await consumers.create('audit', { position: 0, event: null })
    const transaction = await store.knex.transaction()
    await transaction.raw('update ffcr_consumers set position = position')
    const leasing = consumers.lease('one', ['audit'], 60_000)
    await until(async () => {
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%lease_until%'`
      return (await store.knex.raw(waiting)).rows.length > 0
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    const clock = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now'
    const [{ now }] = (await transaction.raw(clock)).rows
    await transaction.commit()
    await leasing
    const [{ lease_until }] = await store.knex('ffcr_consumers')
    expect(Number(lease_until)).toBeGreaterThanOrEqual(Number(now) + 60_000)
    await store.close()
  })
})

describe('a log that was emptied', () => {
  it('by retention is no other log: the consumer waits for the next event', async () => {
    const { storage, removeEvents } = openMemory()
    const app = consumerApp(storage)
    await app.record(3)
    const consumed = app.consume()
    app.router.start()
    await until(async () => (await app.view())?.position === 3)
    await removeEvents(3)
    await app.record(1)
    await until(() => consumed.ids().length === 4)
    expect(consumed.ids()).toEqual([1, 2, 3, 4])
    expect(app.lines).toEqual([])
    await app.router.close()
  })
})

describe('a database that is read-only', () => {
  it('lets consumers wait, with one line in the log', async () => {
    const { storage } = openMemory()
    const consumers = storage.consumers as NonNullable<typeof storage.consumers>
    let isReadOnly = true
    let tries = 0
    const failing = {
      ...storage,
      failureOf: () => 'read-only' as const,
      consumers: {
        ...consumers,
        lease: async (...given: Parameters<typeof consumers.lease>) => {
          tries += 1
          if (isReadOnly) throw new Error('read-only transaction')
          return consumers.lease(...given)
        },
      },
    }
    const app = consumerApp(failing, { consumerLeaseMs: 1_000 })
    await app.record(1)
    const consumed = app.consume()
    app.router.start()
    await until(() => tries > 2)
    expect(app.lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', expect.stringMatching(/^The database accepts no writes.*consumers and schedules wait/)],
    ])
    expect((await app.view()).state).toBe('waiting')
    isReadOnly = false
    await until(() => consumed.ids().length === 1)
    await app.router.close()
  })
})
