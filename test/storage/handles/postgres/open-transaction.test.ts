import { Client } from 'pg'
import type { Storage, StorageProblem } from '../../../../src/ports/storage/storage'
import { allData, sampleEvent } from '../../../../src/testing/samples'
import { type OpenDatabase, openAgain, type Place, postgres } from '../../../support/databases'
import { openPool } from '../../../support/databases/handles'
import { isNightly } from '../../../support/nightly'

/** A host app that runs statements on its pool, as if each used the same connection. */
interface Host {
  readonly storage: Storage
  /** Runs a statement on a connection that the pool chooses, and releases it. */
  run(text: string): Promise<unknown>
  /** Runs a statement on as many connections at a time, and releases them; without waiting for it if `waits` is false. */
  onEach(count: number, text: string, waits?: boolean): Promise<void>
  close(): Promise<void>
}

/** Knex logs that it closes the connection. */
const silent = { warn() {}, error() {}, deprecate() {}, debug() {} }

const hosts = [
  {
    name: 'Knex',
    open(place: Place, max: number): Host {
      const { knex, storage, close } = openAgain(place, { pool: { min: 0, max }, log: silent })
      const { client } = knex
      const onEach = async (count: number, text: string, waits = true) => {
        const held = await Promise.all(Array.from({ length: count }, () => client.acquireConnection()))
        const running = Promise.allSettled(held.map((connection) => connection.query(text)))
        if (waits) await running
        for (const connection of held) await client.releaseConnection(connection)
      }
      return { storage, run: async (text) => knex.raw(text), onEach, close }
    },
  },
  {
    name: 'pg.Pool',
    open(place: Place, max: number): Host {
      const { pool, storage, close } = openPool(place, { max })
      const onEach = async (count: number, text: string, waits = true) => {
        const held = await Promise.all(Array.from({ length: count }, () => pool.connect()))
        const running = Promise.allSettled(held.map((client) => client.query(text)))
        if (waits) await running
        for (const client of held) client.release()
      }
      return { storage, run: (text) => pool.query(text), onEach, close }
    },
  },
]

// Both lend by the same rules; the nightly run adds Knex.
describe.each(isNightly ? hosts : hosts.slice(1))(
  'a connection that the host app released inside a transaction or with other settings, with $name',
  ({ open }) => {
    let database: OpenDatabase
    let host: Host
    let problems: StorageProblem[]

    /** Opens the store with a pool of this size. */
    function start(max: number): void {
      host = open(database.place, max)
      problems = []
      host.storage.onProblem?.((problem) => problems.push(problem))
    }

    beforeEach(async () => {
      database = await postgres.open()
      await database.knex.raw('create table flags (name text primary key)')
      start(1)
    })
    afterEach(async () => {
      await host.close()
      await database.close()
    })

    const stored = () => allData(database.storage)
    const flags = (): Promise<string[]> => database.knex('flags').pluck('name')
    const append = (data: string) => host.storage.appendEvents([sampleEvent(data)])

    it('is rolled back and closed, and the write is committed on another one', async () => {
      await host.run('begin')
      await host.run("insert into flags values ('checkout')")
      await append('kept')

      expect(await stored()).toEqual(['kept'])
      await host.run('commit')
      expect([await flags(), await stored()]).toEqual([[], ['kept']])
    })

    it('is replaced when its transaction was aborted', async () => {
      await host.onEach(1, 'begin')
      await host.onEach(1, 'select * from no_such_table')
      await append('kept')

      expect(await stored()).toEqual(['kept'])
    })

    it('is not used for a read, which would see an old snapshot', async () => {
      await host.run('begin isolation level repeatable read')
      await host.run('select 1')
      await host.run('select * from flags')
      await database.storage.appendEvents([sampleEvent('later')])

      expect(await allData(host.storage)).toEqual(['later'])
      expect((await host.storage.eventHead({})).total).toBe(1)
    })

    it('is not joined by a transaction of the storage', async () => {
      await host.run('begin')
      await host.run("insert into flags values ('checkout')")
      await host.storage.transaction?.(async (_, inside) => inside.appendEvents([sampleEvent('kept')]))

      expect([await flags(), await stored()]).toEqual([[], ['kept']])
    })

    it('is noticed while its BEGIN still runs', async () => {
      await host.onEach(1, 'begin', false)
      await append('kept')

      expect(await stored()).toEqual(['kept'])
    })

    it('is closed if its statement does not end in time, so that only one write fails', async () => {
      const { place, knex } = database
      await host.close()
      host = open({ ...place, storage: { ...place.storage, statementTimeoutMs: 500 } }, 1)
      await host.onEach(1, 'select pg_sleep(601)', false)
      try {
        await expect(append('lost')).rejects.toThrow('timeout')
        await host.run("insert into flags values ('checkout')")
        expect([await stored(), await flags()]).toEqual([[], ['checkout']])
      } finally {
        await knex.raw("select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(601)'")
      }
    })

    it('holds no lock of the log when the write begins on another one', async () => {
      await host.run('begin')
      await host.run("insert into ffcr_events (created_at, type, body) values (now(), 'feature-updated', '{}')")
      await host.run('lock table ffcr_events')
      await append('kept')

      expect(await stored()).toEqual(['kept'])
    })

    it('is reported once a minute, however many there are', async () => {
      await host.close()
      start(3)
      await host.onEach(3, 'begin')
      await append('kept')
      await host.onEach(3, 'begin')
      await append('kept, too')

      expect(await stored()).toEqual(['kept', 'kept, too'])
      expect(problems).toEqual([
        {
          level: 'warn',
          message: expect.stringMatching(/^The host app released a database connection whose transaction/),
        },
      ])
    })

    it('is used with another search_path, which has no effect with the option schema', async () => {
      await host.run('set search_path = pg_catalog')
      await append('kept')

      expect([await stored(), await allData(host.storage)]).toEqual([['kept'], ['kept']])
    })

    it('is 503 with a role without privileges, and stores nothing', async () => {
      await host.run('set role pg_monitor')
      const error = await append('lost').catch((thrown: unknown) => thrown)
      expect(host.storage.failureOf(error)).toBe('not-allowed')
      await host.run('reset role')
      await append('kept')

      expect(await stored()).toEqual(['kept'])
    })

    describe('with an older pg, whose connections have no status', () => {
      const { getTransactionStatus } = Client.prototype as { getTransactionStatus?: () => string }
      beforeEach(async () => {
        Object.assign(Client.prototype, { getTransactionStatus: undefined })
      })
      afterEach(() => {
        Object.assign(Client.prototype, { getTransactionStatus })
      })

      it.each([
        ['before its first use', false],
        ['after it', true],
      ])('is replaced, %s', async (_, isUsed) => {
        if (isUsed) await append('kept')
        await host.run('begin')
        await append('kept')
        expect(await stored()).toEqual(isUsed ? ['kept', 'kept'] : ['kept'])

        await host.onEach(1, 'begin')
        await host.onEach(1, 'select * from no_such_table')
        await append('kept, too')
        expect((await stored()).slice(-1)).toEqual(['kept, too'])
      })
    })
  },
)

describe('a pool that begins a transaction on each new connection', () => {
  it('is 503 with a clear error, and works once it no longer does', async () => {
    const database = await postgres.open()
    let begins = true
    const { pool, storage, close } = openPool(database.place, { max: 2 })
    pool.on('connect', (client) => {
      if (begins) void client.query('begin')
    })
    try {
      const error = await storage.appendEvents([sampleEvent('lost')]).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ name: 'OpenTransactionError' })
      expect(storage.failureOf(error)).toBe('busy')
      begins = false
      await storage.appendEvents([sampleEvent('kept')])
      expect(await allData(database.storage)).toEqual(['kept'])
    } finally {
      await close()
      await database.close()
    }
  })
})
