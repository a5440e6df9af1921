import { type PoolConfig, types } from 'pg'
import type { StorageProblem } from '../../../src/ports/storage/storage'
import { type PostgresClient, type PostgresStorage, postgresStorage } from '../../../src/storage/handles/postgres'
import { createPostgresStorage } from '../../../src/storage/handles/postgres/storage'
import { migrations } from '../../../src/storage/sql/migrations'
import { describeStorage } from '../../../src/testing/index'
import {
  allData,
  brokenEvent,
  creation,
  findOpen,
  key,
  sampleChangeRequest,
  sampleEvent,
} from '../../../src/testing/samples'
import { type OpenDatabase, type OpenOptions, postgres, reusedPostgres } from '.'
import { withHandle } from './handles'

/** An ORM on its own pool of node-postgres. */
export interface OpenOrm<Transaction> {
  readonly client: PostgresClient<Transaction>
  /** Runs `run` in a transaction, as the host app does. */
  transaction<Value>(run: (transaction: Transaction) => Promise<Value>): Promise<Value>
  /** Inserts a row into the host app's table `flags` with the ORM's own builder. */
  insertFlag(transaction: Transaction, name: string): Promise<unknown>
  /** Runs a statement of the host app. */
  execute(transaction: Transaction, text: string): Promise<unknown>
  /** Runs a statement of the host app on a connection of the pool, which takes it back as it is. */
  onPool(text: string): Promise<unknown>
  /** Objects that can be mistaken for a transaction, and finished transactions if the ORM knows that they are. */
  readonly wrong: Readonly<Record<string, unknown>>
  /** Ends the pool. */
  close(): Promise<void>
}

export interface Orm<Transaction> {
  readonly name: string
  /** What the message names when the transaction is not one. */
  readonly transactionName: string
  /** False for a library that does not return a connection to the pool when BEGIN fails on it. */
  readonly survivesFailedBegin: boolean
  open(config: PoolConfig): Promise<OpenOrm<Transaction>>
}

interface OpenBoth<Transaction> {
  readonly database: OpenDatabase
  readonly orm: OpenOrm<Transaction>
  readonly storage: PostgresStorage<Transaction>
}

/** A host app may have set parsers that return its own classes. Each Jest file has its own `pg`. */
function parseIntoObjects(): void {
  const { INT2, INT4, INT8, BOOL, JSONB, TIMESTAMPTZ, NUMERIC, DATE } = types.builtins
  const arrays = [1000, 1005, 1007, 1009, 1016]
  for (const type of [INT2, INT4, INT8, BOOL, types.builtins.JSON, JSONB, TIMESTAMPTZ, NUMERIC, DATE, ...arrays]) {
    types.setTypeParser(type, () => ({ parsed: 'by the host app' }))
  }
}

/** The published suite, on a host whose parsers and default isolation level are its own. */
export function describeOrmStorage<Transaction>(orm: Orm<Transaction>): void {
  parseIntoObjects()
  const { open, drop } = reusedPostgres()
  afterAll(drop)

  describeStorage({ describe, it, expect }, orm.name, async () => {
    const database = await open()
    const { connection, searchPath } = postgresOf(database)
    const options = `-c search_path=${searchPath} -c default_transaction_isolation=serializable`
    const opened = await orm.open({ connectionString: connection, options })
    const storage = createPostgresStorage({ client: opened.client, ...database.place.storage } as never, migrations)
    const close = once(async () => opened.close())
    return withHandle(database, {
      storage,
      breakConnection: close,
      async close() {
        await storage.close()
        await close()
      },
    })
  })
}

/** What the storage promises in transactions of the ORM. */
export function describeOrmTransactions<Transaction>(orm: Orm<Transaction>): void {
  const opened: OpenBoth<Transaction>[] = []
  afterEach(async () => {
    for (const { storage, orm, database } of opened.splice(0)) {
      await storage.close()
      await orm.close()
      await database.close()
    }
  })

  async function open({ schema = true, settings = '', ...options }: OpenSettings = {}): Promise<OpenBoth<Transaction>> {
    const { max = 1, ...limits } = options
    const database = await postgres.open({ namedSchema: schema, ...limits })
    const { connection, searchPath } = postgresOf(database)
    await database.knex.raw('create table flags (name text primary key)')
    const handle = await orm.open({
      connectionString: connection,
      options: `-c search_path=${searchPath} ${settings}`,
      max,
    })
    const storage = postgresStorage({ client: handle.client, ...database.place.storage } as never)
    const both = { database, orm: handle, storage: storage as PostgresStorage<Transaction> }
    opened.push(both)
    return both
  }

  const write = (id: number) => creation(sampleChangeRequest({ id }), [sampleEvent('of the change request')])
  const flagsOf = ({ database }: OpenBoth<Transaction>): Promise<string[]> =>
    database.knex('flags').orderBy('name').pluck('name')

  describe(`storage.within(transaction) with ${orm.name}`, () => {
    it('commits with the search path of the host app', async () => {
      const both = await open({ schema: false })
      await both.orm.transaction(async (transaction) => {
        await both.orm.insertFlag(transaction, 'checkout')
        await both.storage.within(transaction).appendEvents([sampleEvent('of the host')])
      })

      expect([await flagsOf(both), await allData(both.storage)]).toEqual([['checkout'], ['of the host']])
    })

    it('stores nothing of a rejected write', async () => {
      const both = await open()
      const [id = 0] = await both.storage.nextIds('changeRequest', 1)
      const broken = { ...write(id), events: [sampleEvent('good'), brokenEvent] }
      const given = both.orm.transaction(async (transaction) => {
        const error = await both.storage
          .within(transaction)
          .commit(broken)
          .catch((thrown: unknown) => thrown)
        // The driver's own error: a wrapper would have the statement and its parameters.
        expect(error).toMatchObject({ code: expect.stringMatching(/^2/) })
        expect(error).not.toHaveProperty('parameters')
        expect(error).not.toHaveProperty('params')
      })
      await given.catch(() => undefined)

      expect(await findOpen(both.storage, key)).toBeUndefined()
      expect(await allData(both.storage)).toEqual([])
    })

    it('rejects objects that are not an open transaction', async () => {
      const { storage, orm: handle } = await open()
      const wrong = { undefined, null: null, 'an object': { isTransaction: true, queryRunner: {} }, ...handle.wrong }
      expect(Object.keys(handle.wrong).length).toBeGreaterThan(0)
      for (const [name, value] of Object.entries(wrong)) {
        let thrown: unknown
        try {
          storage.within(value as Transaction)
        } catch (error) {
          thrown = error
        }
        expect([name, thrown]).toEqual([name, new TypeError(`The transaction must be ${orm.transactionName}.`)])
      }
    })
  })

  describe(`a connection that the host app released inside a transaction, with ${orm.name}`, () => {
    /** On the only connection of the pool. */
    async function released(...texts: string[]) {
      const both = await open()
      for (const text of texts) await both.orm.onPool(text).catch(() => undefined)
      const problems: StorageProblem[] = []
      both.storage.onProblem?.((problem) => problems.push(problem))
      return { ...both, problems }
    }

    it.each([
      ['a write', async ({ storage }: OpenBoth<Transaction>) => storage.appendEvents([sampleEvent('kept')])],
      [
        'a transaction of the storage',
        async ({ storage }: OpenBoth<Transaction>) =>
          storage.transaction(async (_, inside) => inside.appendEvents([sampleEvent('kept')])),
      ],
    ])('is rolled back before %s, and reported', async (_, append) => {
      const both = await released('begin', "insert into flags values ('checkout')")
      await append(both)

      expect([await flagsOf(both), await allData(both.storage)]).toEqual([[], ['kept']])
      expect(both.problems).toMatchObject([{ level: 'warn', message: expect.stringContaining('still open') }])
    })

    const itSurvives = orm.survivesFailedBegin ? it : it.skip

    itSurvives('is rolled back before a read, which would see an old snapshot', async () => {
      const both = await released('begin isolation level repeatable read', 'select * from flags')
      await both.database.storage.appendEvents([sampleEvent('later')])

      expect(await allData(both.storage)).toEqual(['later'])
    })

    itSurvives('is rolled back when its transaction was aborted', async () => {
      const both = await released('begin', 'select * from no_such_table')
      await both.storage.appendEvents([sampleEvent('kept')])

      expect(await allData(both.storage)).toEqual(['kept'])
    })
  })

  describe(`storage.transaction() with ${orm.name}`, () => {
    it('rejects with the error of the driver when the transaction cannot be committed', async () => {
      const both = await open()
      await both.database.knex.raw(
        'create table uses (flag text references flags (name) deferrable initially deferred)',
      )
      const running = both.storage.transaction(async (transaction, inside) => {
        await inside.commit(write(1))
        await both.orm.execute(transaction, "insert into uses values ('missing')")
      })
      await expect(running).rejects.toMatchObject({ code: '23503' })
      expect(await findOpen(both.storage, key)).toBeUndefined()
      expect(await both.storage.commit(write(1))).toBe(true)
    })

    it('rejects when work caught an error that rolled everything back', async () => {
      const both = await open()
      const running = both.storage.transaction(async (transaction, inside) => {
        await inside.commit(write(1))
        await both.orm.execute(transaction, 'select * from no_such_table').catch(() => undefined)
      })
      await expect(running).rejects.toMatchObject({ code: '25P02' })
      expect(await findOpen(both.storage, key)).toBeUndefined()
    })

    it('limits the time of a statement and of a wait for a lock, only in this transaction', async () => {
      const both = await open({ lockTimeoutMs: 1234, statementTimeoutMs: 4321 })
      const keep = `create table seen as select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`
      await both.storage.transaction((transaction) => both.orm.execute(transaction, keep))
      expect(await both.database.knex('seen')).toEqual([{ lock: '1234ms', statement: '4321ms' }])
      await both.database.knex.schema.dropTable('seen')
      await both.orm.transaction((transaction) => both.orm.execute(transaction, keep))
      expect(await both.database.knex('seen')).toEqual([{ lock: '0', statement: '0' }])
    })
  })

  describe(`reads and writes with ${orm.name}`, () => {
    it('run in transactions with both time limits and their own isolation level', async () => {
      const settings = '-c default_transaction_isolation=serializable'
      const both = await open({ lockTimeoutMs: 1234, statementTimeoutMs: 4321, settings })
      // Each row of the log records the limits under which it was written.
      await both.database.knex.raw(
        `create table seen (at text default concat_ws(' ', current_setting('lock_timeout'),
           current_setting('statement_timeout'), current_setting('transaction_isolation')), id bigint)`,
      )
      await both.database.knex.raw(
        `create function remember() returns trigger language plpgsql as
           $$ begin insert into seen (id) values (new.id); return new; end $$`,
      )
      await both.database.knex.raw(
        'create trigger remember after insert on ffcr_events for each row execute function remember()',
      )
      await both.storage.appendEvents([sampleEvent('a')])
      expect(await both.database.knex('seen').pluck('at')).toEqual(['1234ms 4321ms read committed'])
    })

    it('fails a write with 55P03 while another transaction holds the lock', async () => {
      const both = await open({ max: 2 })
      const { client } = both.orm
      const impatient = postgresStorage({ client, ...both.database.place.storage, lockTimeoutMs: 100 } as never)
      await both.orm.transaction(async (transaction) => {
        await both.storage.within(transaction).appendEvents([sampleEvent('held')])
        const error = await impatient.appendEvents([sampleEvent('too late')]).catch((thrown: unknown) => thrown)
        expect(error).toMatchObject({ code: '55P03' })
        expect(impatient.failureOf(error)).toBe('busy')
      })
      await both.storage.appendEvents([sampleEvent('in time')])
      expect(await allData(both.storage)).toEqual(['held', 'in time'])
    })

    it('fails after acquireTimeoutMs without a free connection, and works again when it is back', async () => {
      const both = await open()
      const { client } = both.orm
      const impatient = postgresStorage({ client, ...both.database.place.storage, acquireTimeoutMs: 100 } as never)
      const late = { name: 'AcquireTimeoutError', message: 'No database connection became free within 100 ms.' }
      await both.orm.transaction(async (transaction) => {
        await both.orm.insertFlag(transaction, 'checkout')
        const error = await impatient.appendEvents([sampleEvent('too late')]).catch((thrown: unknown) => thrown)
        expect(error).toMatchObject(late)
        expect(impatient.failureOf(error)).toBe('busy')
        await expect(findOpen(impatient, key)).rejects.toMatchObject(late)
        await expect(impatient.transaction(async () => 'never')).rejects.toMatchObject(late)
      })
      // The transactions that were too late begin and are rolled back first.
      await both.storage.appendEvents([sampleEvent('in time')])
      expect([await allData(both.storage), await flagsOf(both)]).toEqual([['in time'], ['checkout']])
    })

    it('fails as unreachable when the server ends the connection, and works again afterwards', async () => {
      const both = await open()
      const running = both.storage.transaction(async (transaction, inside) => {
        await inside.appendEvents([sampleEvent('lost')])
        await both.orm.execute(transaction, 'select pg_terminate_backend(pg_backend_pid())')
      })
      const error = await running.catch((thrown: unknown) => thrown)
      expect(both.storage.failureOf(error)).toBe('unreachable')
      await both.storage.appendEvents([sampleEvent('after')])
      expect(await allData(both.storage)).toEqual(['after'])
    })
  })
}

interface OpenSettings extends Pick<OpenOptions, 'lockTimeoutMs' | 'statementTimeoutMs'> {
  /** False: the tables are found by the search path. */
  readonly schema?: boolean
  /** Settings of the sessions, such as `-c lock_timeout=1`. */
  readonly settings?: string
  /** The size of the ORM's pool. */
  readonly max?: number
}

function postgresOf({ place }: OpenDatabase) {
  if (place.knex.client !== 'pg') throw new Error('The store is not on Postgres.')
  return place.knex
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= run())
}
