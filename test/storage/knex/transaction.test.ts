import { knexStorage } from '../../../src/storage/knex'
import { memoryStorage } from '../../../src/storage/memory'
import { type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { all, changeRequest, event, eventTypes, idsOf, noon, record, write } from '../fixtures'

const shop = { project: 'shop' }

describe.each([sqlite, postgres])('storage.transaction() on $name', (database) => {
  let opened: OpenDatabase
  const flags = () => opened.knex('host_flags')
  const flagNames = () => flags().orderBy('name').pluck('name')

  beforeEach(async () => {
    opened = await database.open()
    await opened.knex.schema.createTable('host_flags', (table) => {
      table.string('name').primary()
    })
  })
  afterEach(() => opened.close())

  it('commits rows of the host, change requests, idempotency records and events, and returns the result of work', async () => {
    const { storage } = opened
    const value = await storage.transaction(async (trx, inside) => {
      await trx('host_flags').insert({ name: 'checkout' })
      expect(
        await inside.commit(write(changeRequest(1), { idempotency: record('k'), events: [event('applied')] })),
      ).toBe(true)
      await inside.appendEvents([event('flag-changed')])
      return 'done'
    })
    expect(value).toBe('done')
    expect(await flagNames()).toEqual(['checkout'])
    expect(await storage.find(shop, 1)).toBeDefined()
    expect(await storage.findIdempotencyRecord({ userId: 1, key: 'k' }, noon)).toEqual(record('k'))
    expect(await eventTypes(storage)).toEqual(['applied', 'flag-changed'])
  })

  it('rolls back when work throws, and rejects with its error', async () => {
    const { storage } = opened
    const failed = storage.transaction(async (trx, inside) => {
      await trx('host_flags').insert({ name: 'checkout' })
      await inside.commit(write(changeRequest(1), { idempotency: record('k'), events: [event()] }))
      throw new Error('the host app failed')
    })
    await expect(failed).rejects.toThrow('the host app failed')
    expect(await flagNames()).toEqual([])
    expect(await storage.find(shop, 1)).toBeUndefined()
    expect(await storage.findIdempotencyRecord({ userId: 1, key: 'k' }, noon)).toBeUndefined()
    expect(await eventTypes(storage)).toEqual([])
    expect(await storage.commit(write(changeRequest(1)))).toBe(true)
  })

  it('continues after a commit that lost a race for its version or idempotency key', async () => {
    const { storage } = opened
    await storage.commit(write(changeRequest(1), { idempotency: record('k') }))
    await storage.transaction(async (trx, inside) => {
      expect(await inside.commit(write(changeRequest(1), { expectedVersion: 5, events: [event()] }))).toBe(false)
      const late = write(changeRequest(2), { idempotency: record('k'), events: [event()] })
      expect(await inside.commit(late)).toBe(false)
      await trx('host_flags').insert({ name: 'checkout' })
    })
    expect(await flagNames()).toEqual(['checkout'])
    expect(await storage.find(shop, 2)).toBeUndefined()
    expect(await eventTypes(storage)).toEqual([])
  })

  it('stores no part of a write whose error the host catches', async () => {
    const { storage } = opened
    const broken = { ...event(), type: null as unknown as string }
    const running = storage.transaction(async (_, inside) => {
      await inside.commit(write(changeRequest(1), { subjects: ['feature:a'], events: [broken] })).catch(() => undefined)
    })
    await running.catch(() => undefined)
    expect(await storage.find(shop, 1)).toBeUndefined()
    expect(await idsOf(storage.list({ viewer: null, subjects: ['feature:a'] }, all))).toEqual([])
  })

  it('rejects when the transaction cannot be committed', async () => {
    const { storage, knex } = opened
    const deferred = 'references host_flags (name) deferrable initially deferred'
    await knex.raw(`create table host_uses (flag varchar(255) ${deferred})`)
    if (database === sqlite) await knex.raw('pragma foreign_keys = on')
    const running = storage.transaction(async (trx, inside) => {
      await inside.commit(write(changeRequest(1)))
      await trx('host_uses').insert({ flag: 'missing' })
    })
    await expect(running).rejects.toMatchObject({
      code: expect.stringMatching(/^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/),
    })
    expect(await storage.find(shop, 1)).toBeUndefined()
    expect(await storage.commit(write(changeRequest(1)))).toBe(true)
  })

  it('waits for a connection at most acquireTimeoutMs', async () => {
    const busy = openAgain(opened.place, { pool: { min: 0, max: 1 } })
    const limited = knexStorage({ knex: busy.knex, ...opened.place.storage, acquireTimeoutMs: 50 })
    try {
      await busy.storage.transaction(async () => {
        const second = limited.transaction(async () => 'never')
        await expect(second).rejects.toMatchObject({ message: 'No database connection became free within 50 ms.' })
      })
      expect(await busy.storage.transaction(async () => 'now')).toBe('now')
    } finally {
      await busy.close()
    }
  })

  it('can write although another process wrote after it began', async () => {
    const { storage } = opened
    const other = openAgain(opened.place)
    const order: string[] = []
    try {
      let theirs: Promise<unknown> = Promise.resolve()
      await storage.transaction(async (trx, inside) => {
        await trx('host_flags').select()
        theirs = other.storage.appendEvents([event('theirs')]).then(() => order.push('theirs'))
        await new Promise(setImmediate)
        if (database === postgres) await theirs
        expect(await inside.commit(write(changeRequest(1), { events: [event('ours')] }))).toBe(true)
        order.push('ours')
      })
      await theirs
      // SQLite has one writer at a time, and this transaction was first.
      expect(order).toEqual(database === postgres ? ['theirs', 'ours'] : ['ours', 'theirs'])
      expect(await eventTypes(storage)).toEqual(order)
    } finally {
      await other.close()
    }
  })

  it('calls work once, even if it waited for the lock', async () => {
    const other = openAgain(opened.place)
    const connected = new Promise((resolve) => other.knex.client.pool.on('acquireSuccess', resolve))
    let calls = 0
    try {
      let waiting: Promise<unknown> = Promise.resolve()
      await opened.storage.transaction(async (_, inside) => {
        await inside.appendEvents([event('first')])
        waiting = other.storage.transaction((_, late) => {
          calls += 1
          return late.commit(write(changeRequest(2), { events: [event('second')] }))
        })
        await connected
        await new Promise(setImmediate)
      })
      expect(await waiting).toBe(true)
      expect(calls).toBe(1)
      expect(await eventTypes(opened.storage)).toEqual(['first', 'second'])
    } finally {
      await other.close()
    }
  })

  it('is not repeated for an error of work that looks like a lock error', async () => {
    let calls = 0
    const running = opened.storage.transaction(async () => {
      calls += 1
      throw Object.assign(new Error('busy elsewhere'), { code: 'SQLITE_BUSY' })
    })
    await expect(running).rejects.toThrow('busy elsewhere')
    expect(calls).toBe(1)
  })

  it('is awaited by close()', async () => {
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const running = opened.storage.transaction(async (_, inside) => {
      await gate
      await inside.commit(write(changeRequest(1)))
    })
    const closed = opened.storage.close()
    goOn()
    await closed
    expect(await opened.storage.find(shop, 1)).toBeDefined()
    await running
  })
})

describe('storage.transaction() on Postgres', () => {
  it('limits the time of a statement and of a wait for a lock, only in this transaction', async () => {
    const { storage, knex, close } = await postgres.open({ lockTimeoutMs: 1234, statementTimeoutMs: 4321 })
    const limits = `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`
    try {
      const before = (await knex.raw(limits)).rows
      const during = await storage.transaction(async (trx) => (await trx.raw(limits)).rows)
      expect(during).toEqual([{ lock: '1234ms', statement: '4321ms' }])
      expect((await knex.raw(limits)).rows).toEqual(before)
    } finally {
      await close()
    }
  })

  it('rejects when work caught an error that rolled everything back', async () => {
    const { storage, close } = await postgres.open()
    try {
      const running = storage.transaction(async (trx, inside) => {
        await inside.commit(write(changeRequest(1)))
        await trx('no_such_table')
          .insert({ name: 'x' })
          .catch(() => undefined)
      })
      await expect(running).rejects.toMatchObject({ code: '25P02' })
      expect(await storage.find(shop, 1)).toBeUndefined()
    } finally {
      await close()
    }
  })
})

it('memoryStorage() has no transactions to share', () => {
  const storage = memoryStorage()
  expect(storage.transaction).toBeUndefined()
  expect(storage.within).toBeUndefined()
})
