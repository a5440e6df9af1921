import SqliteDatabase from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  MssqlAdapter,
  MssqlQueryCompiler,
  MysqlAdapter,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteDialect,
  type Transaction,
} from 'kysely'
import { Pool } from 'pg'
import type { FlagGateway } from '../../../../src'
import { fromKysely } from '../../../../src/storage/handles/orms'
import { type PostgresStorage, postgresStorage } from '../../../../src/storage/handles/postgres'
import { allData, sampleEvent } from '../../../../src/testing/samples'
import { postgres } from '../../../support/databases'
import { kysely } from './kysely'

interface DB {
  flags: { name: string; enabled: boolean }
}

const pool = new Pool()
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
afterAll(() => pool.end())

/** A Kysely without a database. */
function kyselyOf(createAdapter: () => PostgresAdapter, createQueryCompiler: () => PostgresQueryCompiler): Kysely<DB> {
  return new Kysely<DB>({
    dialect: {
      createAdapter,
      createQueryCompiler,
      createDriver: () => new DummyDriver(),
      createIntrospector: (any) => new PostgresIntrospector(any),
    },
  })
}

describe('fromKysely(db)', () => {
  it('gives the storage and its gateways the type of the transaction', () => {
    const storage: PostgresStorage<Transaction<DB>> = postgresStorage({ client: fromKysely(db) })
    // Compiles only with the types of the tables.
    const update = (trx: Parameters<typeof storage.within>[0]) =>
      trx.updateTable('flags').set({ enabled: true }).execute()
    const gateway: Pick<FlagGateway<Parameters<typeof storage.within>[0]>, 'apply'> = {
      apply: async (_, { transaction }) => {
        await update(transaction)
        return []
      },
    }
    // @ts-expect-error: a Kysely is not a transaction.
    expect(() => storage.within(db)).toThrow(TypeError)
    expect(gateway.apply).toBeInstanceOf(Function)
  })

  it.each([
    [
      'the compiler of Postgres',
      () =>
        kyselyOf(
          () => new PostgresAdapter(),
          () => new PostgresQueryCompiler(),
        ),
    ],
    ['plugins', () => db.withSchema('flags')],
  ])('accepts a Kysely with %s', (_, open) => {
    expect(fromKysely(open()).portVersion).toBe(1)
  })

  it.each([
    ['SQLite', () => new Kysely<DB>({ dialect: new SqliteDialect({ database: new SqliteDatabase(':memory:') }) })],
    [
      'MySQL',
      () =>
        kyselyOf(
          () => new MysqlAdapter(),
          () => new MysqlQueryCompiler() as never,
        ),
    ],
    [
      'SQL Server',
      () =>
        kyselyOf(
          () => new MssqlAdapter(),
          () => new MssqlQueryCompiler() as never,
        ),
    ],
  ])('rejects a dialect of %s', (_, open) => {
    expect(() => fromKysely(open())).toThrow(
      new TypeError(
        'fromKysely: give it a Kysely with a dialect of Postgres; ORMs work on Postgres only. For SQLite, use sqliteStorage({ database }).',
      ),
    )
  })

  it.each([undefined, null, {}, 'db', pool, PostgresDialect])('rejects %p', (given) => {
    expect(() => fromKysely(given as never)).toThrow(
      new TypeError('fromKysely: give it a Kysely with a dialect of Postgres.'),
    )
  })

  it('rejects a transaction', async () => {
    const transactions = kyselyOf(
      () => new PostgresAdapter(),
      () => new PostgresQueryCompiler(),
    ).transaction()
    await transactions.execute(async (transaction) => {
      expect(() => fromKysely(transaction)).toThrow(
        new TypeError('fromKysely: give it the Kysely, not one of its transactions.'),
      )
    })
  })
})

it('joins a transaction that the host app commits itself', async () => {
  const open = await postgres.open()
  if (open.place.knex.client !== 'pg') throw new Error('The store is not on Postgres.')
  const own = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: open.place.knex.connection }) }),
  })
  const storage = postgresStorage({ client: fromKysely(own), ...open.place.storage } as never)
  try {
    for (const [name, end] of [
      ['kept', 'commit'],
      ['lost', 'rollback'],
    ] as const) {
      const transaction = await own.startTransaction().execute()
      await storage.within(transaction).appendEvents([sampleEvent(name)])
      await transaction[end]().execute()
      await expect((async () => storage.within(transaction))()).rejects.toThrow(
        `The transaction must be ${kysely.transactionName}.`,
      )
    }
    expect(await allData(storage)).toEqual(['kept'])
  } finally {
    await storage.close()
    await own.destroy()
    await open.close()
  }
})
