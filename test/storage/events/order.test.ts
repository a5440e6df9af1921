import type { Knex } from 'knex'
import { allData, creation, eventsOf, sampleChangeRequest, sampleEvent } from '../../../src/testing/samples'
import { type OpenDatabase, openAgain, type Place, postgres } from '../../support/databases'

describe('the order of events on Postgres, with a transaction of the host that commits late', () => {
  let open: OpenDatabase
  beforeEach(async () => {
    open = await postgres.open()
  })
  afterEach(() => open.close())

  /** Continues after the events that it has read, as a follower does. */
  function createFollower() {
    const seen: { id: number; data: unknown }[] = []
    return async () => {
      const page = await open.storage.eventPage({}, { after: seen.at(-1)?.id ?? 0 }, 100)
      seen.push(...eventsOf(page))
      return seen.map(({ data }) => data)
    }
  }

  async function backend(transaction: Knex.Transaction): Promise<number> {
    const { rows } = await transaction.raw('select pg_backend_pid() as pid')
    return rows[0].pid
  }

  async function waitingFor(pid: number): Promise<number> {
    const { rows } = await open.knex.raw('select pid from pg_stat_activity where ? = any (pg_blocking_pids(pid))', [
      pid,
    ])
    return rows[0]?.pid
  }

  /** Resolves when the write is done or waits for the backend. */
  async function doneOrWaitingFor(pid: number, write: Promise<unknown>): Promise<void> {
    let done = false
    const end = () => {
      done = true
    }
    write.then(end, end)
    while (!done && (await waitingFor(pid)) === undefined) {}
  }

  it('shows no later event before it', async () => {
    const follow = createFollower()
    const early = await open.knex.transaction()
    await open.storage.within(early).appendEvents([sampleEvent('early')])
    const late = open.storage.appendEvents([sampleEvent('late')])
    await doneOrWaitingFor(await backend(early), late)
    expect(await follow()).toEqual([])

    await early.commit()
    await late
    expect(await follow()).toEqual(['early', 'late'])
    expect(await allData(open.storage)).toEqual(['early', 'late'])
  })

  it('is preserved between two transactions of the host', async () => {
    const follow = createFollower()
    const [first, second] = [await open.knex.transaction(), await open.knex.transaction()]
    await open.storage.within(first).appendEvents([sampleEvent('first')])
    const writing = open.storage.within(second).appendEvents([sampleEvent('second')])
    const committed = writing.then(() => second.commit())
    await doneOrWaitingFor(await backend(first), committed)
    expect(await follow()).toEqual([])

    await first.commit()
    await committed
    expect(await follow()).toEqual(['first', 'second'])
  })

  it('is preserved between a change request and other events', async () => {
    const follow = createFollower()
    const [id = 0] = await open.storage.nextIds('changeRequest', 1)
    const early = await open.knex.transaction()
    await open.storage.within(early).appendEvents([sampleEvent('early')])
    const late = open.storage.commit(creation(sampleChangeRequest({ id }), [sampleEvent('late')]))
    await doneOrWaitingFor(await backend(early), late)
    expect(await follow()).toEqual([])

    await early.commit()
    expect(await late).toBe(true)
    expect(await follow()).toEqual(['early', 'late'])
  })

  it('has no gap for readers when it is rolled back', async () => {
    const follow = createFollower()
    const early = await open.knex.transaction()
    await open.storage.within(early).appendEvents([sampleEvent('never')])
    const late = open.storage.appendEvents([sampleEvent('late')])
    await doneOrWaitingFor(await backend(early), late)
    expect(await follow()).toEqual([])

    await early.rollback()
    await late
    await open.storage.appendEvents([sampleEvent('later')])
    expect(await follow()).toEqual(['late', 'later'])
    expect((await open.storage.eventHead({})).total).toBe(2)
  })

  it.each([
    ['another process', (storage: Place['storage']) => storage],
    ['a storage that finds the schema on the search path', ({ schema: _, ...rest }: Place['storage']) => rest],
  ])('is preserved towards %s when a writer pauses after it gets an id', async (_, options) => {
    const other = openAgain({ ...open.place, storage: options(open.place.storage) })
    const gate = await open.knex.transaction()
    try {
      const follow = createFollower()
      await open.knex.raw('create table gate (id integer)')
      await open.knex.raw(
        `create function wait() returns trigger language plpgsql as
         $$ begin if new.type = 'slow' then lock table gate in share mode; end if; return new; end $$`,
      )
      await open.knex.raw('create trigger wait before insert on ffcr_events for each row execute function wait()')
      await gate.raw('lock table gate in exclusive mode')
      const slow = open.storage.appendEvents([{ ...sampleEvent('slow'), type: 'slow' }])
      await doneOrWaitingFor(await backend(gate), slow)
      const quick = other.storage.appendEvents([sampleEvent('quick')])
      await doneOrWaitingFor(await waitingFor(await backend(gate)), quick)
      expect(await follow()).toEqual([])

      await gate.commit()
      await Promise.all([slow, quick])
      expect(await follow()).toEqual(['slow', 'quick'])
      expect(await allData(open.storage)).toEqual(['slow', 'quick'])
    } finally {
      await gate.rollback()
      await other.close()
    }
  })
})
