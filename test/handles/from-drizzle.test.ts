import { drizzle as drizzleMysql } from 'drizzle-orm/mysql-proxy'
import { drizzle } from 'drizzle-orm/node-postgres'
import { withReplicas } from 'drizzle-orm/pg-core'
import { drizzle as drizzleProxy } from 'drizzle-orm/pg-proxy'
import { drizzle as drizzleSqlite } from 'drizzle-orm/sqlite-proxy'
import { fromDrizzle } from '../../src/storage/handles/orms'
import { type PostgresStorage, postgresStorage } from '../../src/storage/handles/postgres'
import { guardedPool } from '../support/databases/handles'
import type { DrizzleTransaction } from './drizzle'

const url = process.env.TEST_POSTGRES_URL ?? ''
const pool = guardedPool({ connectionString: url })
const db = drizzle({ client: pool })
afterAll(() => pool.end())

const expected = "a Drizzle database of node-postgres: drizzle({ client: pool }) from 'drizzle-orm/node-postgres'"

describe('fromDrizzle(db)', () => {
  it('gives the storage the type of the transaction', () => {
    const storage = postgresStorage({ client: fromDrizzle(db) })
    const typed: PostgresStorage<Parameters<Parameters<(typeof db)['transaction']>[0]>[0]> = storage
    // @ts-expect-error: a database is not a transaction.
    expect(() => typed.within(db)).toThrow(TypeError)
    // @ts-expect-error: a transaction with another schema.
    const other: PostgresStorage<DrizzleTransaction> = storage
    expect(other).toBe(typed)
  })

  it('accepts a database with replicas, and uses the primary', async () => {
    const client = fromDrizzle(withReplicas(db, [drizzle({ client: guardedPool({ host: 'replica.invalid' }) })]))
    const rows = await client.transaction((transaction) => client.query(transaction, 'select $1::text as row', ['a']))
    expect(rows.rows).toEqual([{ row: 'a' }])
  })

  it.each([
    ['SQLite', () => drizzleSqlite(async () => ({ rows: [] }))],
    ['MySQL', () => drizzleMysql(async () => ({ rows: [] }))],
  ])('rejects a database of %s', (_, open) => {
    expect(() => fromDrizzle(open() as never)).toThrow(
      new TypeError(
        `fromDrizzle: give it ${expected}; ORMs work on Postgres only. For SQLite, use sqliteStorage({ database }).`,
      ),
    )
  })

  it.each([
    ['another driver for Postgres', () => drizzleProxy(async () => ({ rows: [] }))],
    ['a pool', () => pool],
    ['undefined', () => undefined],
    ['null', () => null],
    ['an object', () => ({ transaction: () => undefined })],
  ])('rejects %s', (_, open) => {
    expect(() => fromDrizzle(open() as never)).toThrow(new TypeError(`fromDrizzle: give it ${expected}.`))
  })

  it('rejects a single client, on which concurrent transactions would be one', async () => {
    const client = await pool.connect()
    try {
      expect(() => fromDrizzle(drizzle({ client }))).toThrow('fromDrizzle: give Drizzle a pg.Pool.')
    } finally {
      client.release()
    }
  })

  it('rejects a transaction', async () => {
    await db.transaction(async (transaction) => {
      expect(() => fromDrizzle(transaction)).toThrow('fromDrizzle: give it the database, not one of its transactions.')
    })
  })
})
