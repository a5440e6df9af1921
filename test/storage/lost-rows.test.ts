import {
  allData,
  creation,
  findOpen,
  key,
  sampleChangeRequest,
  sampleEvent,
  sampleRecord,
  stored,
  update,
} from '../../src/testing/samples'
import { databases, type OpenDatabase } from '../support/databases'

describe.each(databases)('a trigger that skips rows without an error, on $name', (database) => {
  let open: OpenDatabase
  beforeEach(async () => {
    open = await database.open({ pool: { min: 0, max: 2 } })
  })
  afterEach(() => open.close())

  /** From here on the rows for which the condition holds are not written. */
  async function skip(table: string, operation: 'insert' | 'update', condition = 'true'): Promise<void> {
    const { knex } = open
    if (database.name === 'SQLite') {
      const when = `when ${condition} begin select raise(ignore); end`
      await knex.raw(`create trigger skip_${table} before ${operation} on ${table} ${when}`)
      return
    }
    await knex.raw(`create function skip_${table}() returns trigger language plpgsql as $$ begin return null; end $$`)
    await knex.raw(`create trigger skip before ${operation} on ${table} for each row when (${condition})
      execute function skip_${table}()`)
  }
  const isSkipped = "new.type = 'skipped'"
  const skipped = { ...sampleEvent('skipped'), type: 'skipped' }
  const lost = { name: 'LostRowsError', message: expect.stringContaining('ffcr_') }

  it('fails an event alone, and no other event of the same commit', async () => {
    await skip('ffcr_events', 'insert', isSkipped)
    const outcomes = await Promise.allSettled([
      open.storage.appendEvents([sampleEvent('first')]),
      open.storage.appendEvents([sampleEvent('with it'), skipped]),
      open.storage.appendEvents([sampleEvent('second')]),
    ])

    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: lost },
      { status: 'fulfilled' },
    ])
    expect(await allData(open.storage)).toEqual(['first', 'second'])
    expect((await open.storage.eventHead({})).total).toBe(2)
  })

  it('fails a change request together with its event', async () => {
    const first = await stored(open.storage)
    await skip('ffcr_events', 'insert', isSkipped)

    await expect(open.storage.commit(update(first, {}, [skipped]))).rejects.toMatchObject(lost)
    expect(await findOpen(open.storage, key)).toEqual(first)
    expect(await open.storage.commit(update(first, {}, [sampleEvent('kept')]))).toBe(true)
  })

  it('fails settings together with their event', async () => {
    await skip('ffcr_events', 'insert', isSkipped)
    const place = { project: 'shop', environment: 'production', expectedVersion: 0 }
    const settings = { changeRequestsEnabled: true, requiredApprovals: 2 }

    const write = { ...place, settings, events: [skipped] }
    await expect(open.storage.commitSettings(write)).rejects.toMatchObject(lost)
    expect(await open.storage.findSettings(place)).toBeUndefined()
  })

  it('fails a write whose idempotency record is skipped', async () => {
    await skip('ffcr_idempotency', 'insert')
    const write = creation(sampleChangeRequest({ id: 1 }), [sampleEvent('lost')])

    await expect(open.storage.commit({ ...write, idempotency: sampleRecord('key') })).rejects.toMatchObject(lost)
    expect([await findOpen(open.storage, key), await allData(open.storage)]).toEqual([undefined, []])
    expect(await open.storage.commit(write)).toBe(true)
  })

  it('fails a write in a transaction of the host app, which cannot be committed by mistake', async () => {
    await skip('ffcr_events', 'insert', isSkipped)
    await open.knex.raw('create table flags (name text primary key)')
    const running = open.knex.transaction(async (transaction) => {
      await transaction('flags').insert({ name: 'checkout' })
      await open.storage.within(transaction).appendEvents([skipped])
    })

    await expect(running).rejects.toMatchObject(lost)
    expect(await open.knex('flags').pluck('name')).toEqual([])
    expect(await allData(open.storage)).toEqual([])
  })

  it.each([
    ['insert', async () => creation(sampleChangeRequest({ id: 1 }), [sampleEvent('lost')])],
    ['update', async () => update(await stored(open.storage), {}, [sampleEvent('lost')])],
  ] as const)('makes the %s of a change request lose, without its event', async (operation, prepare) => {
    const write = await prepare()
    await skip('ffcr_change_requests', operation)

    expect(await open.storage.commit(write)).toBe(false)
    expect(await allData(open.storage)).toEqual([])
  })

  it('makes settings lose, without their event', async () => {
    await skip('ffcr_settings', 'insert')
    const place = { project: 'shop', environment: 'production', expectedVersion: 0 }
    const settings = { changeRequestsEnabled: true, requiredApprovals: 2 }

    expect(await open.storage.commitSettings({ ...place, settings, events: [sampleEvent('lost')] })).toBe(false)
    expect(await allData(open.storage)).toEqual([])
  })
})
