import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from '@prisma/client'
import { fromPrisma } from '../../../src/storage/handles/orms'
import { type PostgresStorage, postgresStorage } from '../../../src/storage/handles/postgres'

const adapter = new PrismaPg({ connectionString: process.env.TEST_POSTGRES_URL ?? '', max: 1 })
const db = new PrismaClient({ adapter })
const expected = 'a PrismaClient of Prisma 7 with a driver adapter for Postgres: new PrismaClient({ adapter })'
afterAll(() => db.$disconnect())

describe('fromPrisma(client)', () => {
  it('gives the storage the type of the transaction', () => {
    const storage: PostgresStorage<Prisma.TransactionClient> = postgresStorage({ client: fromPrisma(db) })
    expect(() => storage.within(db)).toThrow(TypeError)
  })

  it('takes an extended client', async () => {
    const client = fromPrisma(db.$extends({ model: { flag: { none: () => undefined } } }))
    const rows = await client.transaction((transaction) => client.query(transaction, 'select $1 as a', ['b']))
    expect(rows).toEqual({ rows: [{ a: 'b' }] })
  })

  it('gives a transaction twelve times the time of a statement', async () => {
    const client = fromPrisma(db)
    const slow = client.transaction(
      (transaction) => client.query(transaction, 'select pg_sleep(0.5)::text', []),
      undefined,
      10,
    )
    await expect(slow).rejects.toMatchObject({ code: 'P2028', meta: { timeout: 120 } })
  })

  it.each([undefined, null, {}, 'prisma'])('rejects %p', (given) => {
    expect(() => fromPrisma(given as never)).toThrow(new TypeError(`fromPrisma: give it ${expected}.`))
  })

  it('rejects a client without a driver adapter, one for another database, and a transaction', async () => {
    const accelerated = new PrismaClient({ accelerateUrl: 'prisma://localhost/?api_key=none' })
    const message = `fromPrisma: give it ${expected}. This client has no driver adapter.`
    expect(() => fromPrisma(accelerated)).toThrow(new TypeError(message))
    const other = {
      $transaction: () => undefined,
      $connect: () => undefined,
      _engineConfig: { adapter: { provider: 'mysql' } },
    }
    expect(() => fromPrisma(other as never)).toThrow("the adapter of this one is for 'mysql'")
    const given = (transaction: unknown) => async () => fromPrisma(transaction as never)
    await expect(db.$transaction((transaction) => given(transaction)())).rejects.toThrow('not one of its transactions')
  })
})
