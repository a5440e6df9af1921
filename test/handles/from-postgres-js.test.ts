import postgres from 'postgres'
import { fromPostgresJs } from '../../src/storage/handles/orms'
import { type PostgresStorage, postgresStorage } from '../../src/storage/handles/postgres'

const sql = postgres(process.env.TEST_POSTGRES_URL ?? '', { max: 1 })
afterAll(() => sql.end({ timeout: 1 }))

describe('fromPostgresJs(sql)', () => {
  it('gives the storage the type of the transaction', () => {
    const storage: PostgresStorage<postgres.TransactionSql> = postgresStorage({ client: fromPostgresJs(sql) })
    // @ts-expect-error: the instance is not a transaction.
    expect(() => storage.within(sql)).toThrow(TypeError)
  })

  it('lets the server choose the types of parameters, and returns values as text', async () => {
    const client = fromPostgresJs(sql)
    const text = 'select $1::boolean as a, $2::jsonb as b, $3::timestamptz is null as c, pg_sleep(0) as d'
    const { rows } = await client.transaction((transaction) =>
      client.query(transaction, text, ['true', '{"x": 1}', null]),
    )
    expect(rows).toEqual([{ a: 't', b: '{"x": 1}', c: 't', d: '' }])
  })

  it.each([undefined, null, {}, () => undefined, 'postgres://'])('rejects %p', (given) => {
    expect(() => fromPostgresJs(given as never)).toThrow(
      new TypeError('fromPostgresJs: give it an instance of postgres.js: postgres(url).'),
    )
  })

  it('rejects a transaction', async () => {
    await sql.begin(async (transaction) => {
      const given = () => fromPostgresJs(transaction as never)
      expect(given).toThrow('fromPostgresJs: give it the instance, not one of its transactions.')
    })
  })

  it('rejects an instance that transforms rows', () => {
    const transformed = postgres({ transform: { row: { from: (row) => row } } })
    expect(() => fromPostgresJs(transformed)).toThrow('give it an instance without `transform.row`')
  })
})
