import type { Knex } from 'knex'
import { knexStorage } from '../../../src/storage/knex'
import {
  allData,
  creation,
  findOpen,
  key,
  sampleChangeRequest,
  sampleEvent,
  stored,
  update,
} from '../../../src/testing/samples'
import { databases, type OpenDatabase, openAgain, postgres } from '../../support/databases'
import { connectionsInUse } from '../../support/databases/pool'

describe.each(databases)('a pool without a free connection, on $name', (database) => {
  it('fails a write within acquireTimeoutMs, and works again when the connection is back', async () => {
    const { knex, storage, place, close } = await database.open({ pool: { min: 0, max: 1 } })
    const impatient = knexStorage({ knex, ...place.storage, acquireTimeoutMs: 100 })
    try {
      const held = await knex.transaction()
      const late = { name: 'AcquireTimeoutError', message: 'No database connection became free within 100 ms.' }
      await expect(impatient.appendEvents([sampleEvent('too late')])).rejects.toMatchObject(late)
      await expect(findOpen(impatient, key)).rejects.toMatchObject(late)
      expect(await impatient.health()).toMatchObject({ reachable: false })

      await held.rollback()
      await storage.appendEvents([sampleEvent('in time')])
      expect(await allData(storage)).toEqual(['in time'])
      expect(connectionsInUse(knex)).toBe(0)
    } finally {
      await impatient.close()
      await close()
    }
  })
})

describe('a transaction of the host that recorded an event and stays open, on Postgres', () => {
  it('fails the next write with 55P03 within lockTimeoutMs, and blocks nothing after its end', async () => {
    const { knex, storage, place, close } = await postgres.open()
    const impatient = knexStorage({ knex, ...place.storage, lockTimeoutMs: 100 })
    try {
      const held = await knex.transaction()
      await storage.within(held).appendEvents([sampleEvent('held')])
      // Neither the server nor its sessions limit the wait for locks.
      await expect(impatient.appendEvents([sampleEvent('too late')])).rejects.toMatchObject({ code: '55P03' })

      await held.commit()
      await storage.appendEvents([sampleEvent('in time')])
      expect(await allData(storage)).toEqual(['held', 'in time'])
    } finally {
      await impatient.close()
      await close()
    }
  })

  it('blocks neither readers nor a store with another prefix', async () => {
    const { knex, storage, place, close } = await postgres.open()
    const other = openAgain({ ...place, storage: { ...place.storage, tablePrefix: 'other_' } })
    try {
      await other.storage.migrate()
      const first = await stored(storage)
      await storage.appendEvents([sampleEvent('before')])
      const held = await knex.transaction()
      await storage.within(held).appendEvents([sampleEvent('held')])

      expect(await findOpen(storage, key)).toEqual(first)
      expect(await allData(storage)).toEqual(['before'])
      expect((await storage.eventHead({})).total).toBe(1)
      await other.storage.appendEvents([sampleEvent('other')])
      expect(await allData(other.storage)).toEqual(['other'])
      await held.rollback()
    } finally {
      await other.close()
      await close()
    }
  })
})

describe.each(databases)('a COMMIT that fails, on $name', (database) => {
  /** Missing users fail at COMMIT, not before. */
  async function onlyKnownUsers(knex: Knex): Promise<void> {
    await knex.schema.createTable('users', (table) => table.bigInteger('id').primary())
    await knex('users').insert([{ id: 1 }, { id: 2 }])
    const reference = 'references users (id) deferrable initially deferred'
    if (database.name === 'Postgres') {
      await knex.raw(`alter table ffcr_change_requests add foreign key (created_by) ${reference}`)
      return
    }
    await knex.raw('pragma foreign_keys = on')
    await knex.raw(`create table authors (id integer ${reference})`)
    await knex.raw(
      'create trigger known after insert on ffcr_change_requests begin insert into authors values (new.created_by); end',
    )
  }

  it('rejects the write, stores nothing of it, and does not fail writes in the same commit', async () => {
    const { knex, storage, close } = await database.open()
    try {
      await onlyKnownUsers(knex)
      const ids = await storage.nextIds('changeRequest', 3)
      const users = [1, 99, 2]
      const outcomes = await Promise.all(
        users.map((userId, index) =>
          storage
            .commit(creation(sampleChangeRequest({ id: ids[index] ?? 0, userId }), [sampleEvent(userId)]))
            .catch((error: { code: string }) => error.code),
        ),
      )

      expect(outcomes).toEqual([true, expect.stringMatching(/^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/), true])
      expect(await findOpen(storage, { ...key, userId: 99 })).toBeUndefined()
      expect(await allData(storage)).toEqual([1, 2])
      expect((await storage.eventHead({})).total).toBe(2)
    } finally {
      await close()
    }
  })
})

describe.each(databases)('an integer beyond 2^53 - 1 in the database, on $name', (database) => {
  const beyond = '9007199254740993'
  let open: OpenDatabase
  beforeEach(async () => {
    open = await database.open()
    await open.storage.appendEvents([sampleEvent('a')])
  })
  afterEach(() => open.close())

  it.each(['total', 'last_id'])('is rejected as %s of a head, not rounded', async (column) => {
    await open.knex.raw(`update ffcr_event_counts set ${column} = ${beyond}`)

    await expect(open.storage.eventHead({})).rejects.toThrow(RangeError)
  })

  it('is rejected as id of an event, not rounded', async () => {
    await open.knex.raw(
      `insert into ffcr_events (id, created_at, type, body) ${database.name === 'SQLite' ? '' : 'overriding system value'}
       values (${beyond}, '2026-03-01', 'feature-updated', '{"data":1}')`,
    )

    await expect(open.storage.eventPage({}, { after: 0 }, 10)).rejects.toThrow(RangeError)
  })

  it('is rejected as a new id, not rounded', async () => {
    await open.knex.raw(
      database.name === 'SQLite'
        ? `update ffcr_ids set last = ${beyond}`
        : `select setval('ffcr_change_ids', ${beyond})`,
    )

    await expect(open.storage.nextIds('change', 1)).rejects.toThrow(RangeError)
  })
})

describe.each(databases)('a write that fails, on $name', (database) => {
  it('does not block the next write of the same change request', async () => {
    const { knex, storage, close } = await database.open({ pool: { min: 0, max: 1 } })
    try {
      const first = await stored(storage)
      await knex.schema.renameTable('ffcr_events', 'away')
      await expect(storage.commit(update(first, {}, [sampleEvent('lost')]))).rejects.toMatchObject({
        message: expect.stringContaining('ffcr_events'),
      })
      await knex.schema.renameTable('away', 'ffcr_events')

      expect(await findOpen(storage, key)).toEqual(first)
      expect(await storage.commit(update(first, {}, [sampleEvent('kept')]))).toBe(true)
      expect(await allData(storage)).toEqual(['kept'])
    } finally {
      await close()
    }
  })
})
