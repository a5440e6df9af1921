import type { Knex } from 'knex'
import { knexStorage } from '../../../src/storage/knex'
import {
  allData,
  brokenEvent,
  creation,
  findOpen,
  key,
  sampleChangeRequest,
  sampleEvent,
} from '../../../src/testing/samples'
import { databases, type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { changeRequest, event, eventTypes, record, write } from '../fixtures'

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

describe.each(databases)('storage.within(transaction) on $name', (database) => {
  let open: OpenDatabase
  beforeEach(async () => {
    open = await database.open({ pool: { min: 0, max: 1 } })
    await open.knex.schema.createTable('flags', (table) => table.string('name'))
  })
  afterEach(() => open.close())

  const creationOf = (id: number) => creation(sampleChangeRequest({ id }), [sampleEvent('of the change request')])
  const flags = () => open.knex('flags').pluck('name')

  it('is rolled back with a nested transaction, and does not affect the outer one', async () => {
    const [id = 0] = await open.storage.nextIds('changeRequest', 1)
    await open.knex.transaction(async (outer) => {
      await open.storage.within(outer).appendEvents([sampleEvent('outer')])
      const inner = outer.transaction(async (nested) => {
        await nested('flags').insert({ name: 'checkout' })
        expect(await open.storage.within(nested).commit(creationOf(id))).toBe(true)
        throw new Error('only the inner one')
      })
      await expect(inner).rejects.toThrow('only the inner one')
    })

    expect(await flags()).toEqual([])
    expect(await findOpen(open.storage, key)).toBeUndefined()
    expect(await allData(open.storage)).toEqual(['outer'])
    expect((await open.storage.eventHead({})).total).toBe(1)
  })

  it('stores nothing of a rejected write, even if the host app continues', async () => {
    const [id = 0] = await open.storage.nextIds('changeRequest', 1)
    const broken = { ...creationOf(id), events: [sampleEvent('good'), brokenEvent] }
    await open.knex.transaction(async (transaction) => {
      await expect(open.storage.within(transaction).commit(broken)).rejects.toHaveProperty('code')
    })

    expect(await findOpen(open.storage, key)).toBeUndefined()
    expect(await allData(open.storage)).toEqual([])
    expect((await open.storage.eventHead({})).total).toBe(0)
  })

  it('rejects a completed transaction', async () => {
    const transaction = await open.knex.transaction()
    const joined = open.storage.within(transaction)
    await transaction.commit()

    await expect(joined.appendEvents([sampleEvent('late')])).rejects.toThrow(TypeError)
    await expect(joined.commit(creationOf(1))).rejects.toThrow('The transaction is already completed.')
    expect(await allData(open.storage)).toEqual([])
  })

  it.each([
    ['undefined', () => undefined],
    ['null', () => null],
    ['an object', () => ({ isTransaction: true })],
    ['the Knex itself', () => open.knex],
  ])('rejects %s', (_, given) => {
    expect(() => open.storage.within(given() as Knex.Transaction)).toThrow(
      new TypeError('The transaction must be one that knex.transaction() provides.'),
    )
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
