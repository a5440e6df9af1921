import { randomBytes } from 'node:crypto'
import { sampleEvent } from '../../../src/testing/samples'
import { until } from '../../faults/support/server'
import { databases, type OpenDatabase, openAgain, postgres, sqlite } from '../../support/databases'
import { wrongCounts } from '../../support/databases/stored-counts'
import { randomEvents, randomOf } from '../../support/processes/mixed-writers'

describe.each(databases)('recountEvents() on $name', ({ open }) => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await open({ pool: { min: 0, max: 1 } })
    const random = randomOf(7)
    for (let count = 0; count < 40; count += 1) await database.storage.appendEvents(randomEvents(random))
  })
  afterEach(() => database.close())

  it('is right after the removal of the oldest, of some in the middle, and of all events of a project', async () => {
    const { knex, storage } = database
    await knex('ffcr_events').where('id', '<', 31).orWhereIn('id', [40, 41, 50]).orWhere({ project: 'wiki' }).del()
    expect(await wrongCounts(knex)).not.toEqual([])
    await storage.recountEvents?.()

    expect(await wrongCounts(knex, { shrunk: true })).toEqual([])
    expect(await storage.eventHead({ projects: ['wiki'] })).toMatchObject({ lastId: 0, total: 0 })
    await storage.appendEvents(randomEvents(randomOf(8)))
    expect(await wrongCounts(knex)).toEqual([])
  })

  it('repairs counts that an older release did not store, or that are wrong', async () => {
    const { knex, storage } = database
    await knex('ffcr_event_tallies').whereLike('term', 'day:%').del()
    await knex('ffcr_event_tallies').update({ total: 99, last_id: 1 })
    await knex('ffcr_event_counts').where({ project: 'shop' }).del()
    await knex('ffcr_event_counts').insert({ project: 'none', total: 3, last_id: 3 })
    await storage.recountEvents?.()
    expect(await wrongCounts(knex)).toEqual([])
  })
})

describe('recountEvents() on SQLite', () => {
  it('lets other work run between slices of events and of counts', async () => {
    const { knex, storage, close } = await sqlite.open()
    try {
      const events = Array.from({ length: 5_000 }, (_, id) => ({ ...sampleEvent(id), createdByUserId: id }))
      await storage.appendEvents(events)
      await knex('ffcr_events').where('id', '<=', 2_500).del()
      let turns = 0
      let turn = setImmediate(function count() {
        turns += 1
        turn = setImmediate(count)
      })
      await storage.recountEvents?.()
      clearImmediate(turn)

      // 3 slices of events, 6 of new counts, 11 of old ones.
      expect(turns).toBeGreaterThanOrEqual(15)
      expect(await wrongCounts(knex)).toEqual([])
    } finally {
      await close()
    }
  })
})

describe('recountEvents() on a Postgres whose host', () => {
  it.each([
    ['makes every transaction serializable', { default_transaction_isolation: 'serializable' }],
    ['limits statements and waits', { statement_timeout: '1234567', lock_timeout: '1234567' }],
  ])('%s waits for writers without a limit and misses none of their events', async (_, settings) => {
    const database = await postgres.open()
    const options = Object.entries({ application_name: 'host', ...settings }).map(
      ([name, value]) => `-c ${name}=${value}`,
    )
    const url = new URL((database.place.knex as { connection: string }).connection)
    url.searchParams.set('options', options.join(' '))
    const host = openAgain(database.place, { connection: url.href })
    try {
      await database.storage.appendEvents([sampleEvent('before')])
      await database.knex.raw('create table limits (name text, setting text)')
      await database.knex.raw(
        `create function note_limits() returns trigger language plpgsql as $$ begin
           insert into limits select name, setting from pg_settings
             where name in ('statement_timeout', 'lock_timeout') and current_setting('application_name') = 'host';
           return null; end $$`,
      )
      await database.knex.raw(
        'create trigger note_limits after delete on ffcr_event_tallies execute function note_limits()',
      )
      const writing = await database.knex.transaction()
      await database.storage.within(writing).appendEvents([sampleEvent('meanwhile')])
      const recounted = host.storage.recountEvents?.()
      await until(() => somebodyWaits(database.knex)).catch((error) =>
        writing.rollback(error).then(() => Promise.reject(error)),
      )
      await writing.commit()
      await recounted

      expect(await database.knex('limits').distinct('name', 'setting').orderBy('name')).toEqual([
        { name: 'lock_timeout', setting: '0' },
        { name: 'statement_timeout', setting: '0' },
      ])
      expect((await database.storage.eventHead({})).total).toBe(2)
      expect(await wrongCounts(database.knex)).toEqual([])
    } finally {
      await host.close()
      await database.close()
    }
  })

  it('grants only reading and writing needs no other privilege, such as temporary tables', async () => {
    const database = await postgres.open()
    const { knex, place } = database
    const role = `writer_${randomBytes(8).toString('hex')}`
    const { schema } = place.storage
    await knex.raw(`create role ${role} login password 'writer'`)
    await knex.raw(`grant usage on schema ${schema} to ${role}`)
    await knex.raw(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
    const url = new URL((place.knex as { connection: string }).connection)
    Object.assign(url, { username: role, password: 'writer' })
    const writer = openAgain(place, { connection: url.href })
    try {
      await database.storage.appendEvents([sampleEvent('a'), sampleEvent('b')])
      await knex('ffcr_events').where({ id: 1 }).del()
      await writer.storage.recountEvents?.()
      expect(await wrongCounts(knex)).toEqual([])
    } finally {
      await writer.close()
      await knex.raw(`drop owned by ${role}`)
      await knex.raw(`drop role ${role}`)
      await database.close()
    }
  })
})

async function somebodyWaits(knex: OpenDatabase['knex']): Promise<boolean> {
  const text = `select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  return (await knex.raw(text)).rows.length > 0
}
