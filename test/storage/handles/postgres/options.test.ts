import { Client, Pool } from 'pg'
import {
  type PostgresClient,
  type PostgresStorageOptions,
  postgresStorage,
} from '../../../../src/storage/handles/postgres'

const url = 'postgres://127.0.0.1:1/none'
const pool = new Pool({ connectionString: url })
const client: PostgresClient = {
  portVersion: 1,
  transactionName: 'a transaction of this test',
  isTransaction: () => false,
  query: async () => ({ rows: [] }),
  transaction: (run) => run(undefined),
}

describe('postgresStorage(options) rejects, naming the option', () => {
  it.each<[string, object]>([
    ['pool', {}],
    ['pool', { pool: null }],
    ['pool', { pool: url }],
    ['pool', { pool: new Client({ connectionString: url }) }],
    ['pool', { pool, client }],
    ['client', { client: null }],
    ['client', { client: { ...client, portVersion: 2 } }],
    ['client', { client: { ...client, query: undefined } }],
    ['client', { client: { ...client, transaction: undefined } }],
    ['client', { client: { ...client, isTransaction: undefined } }],
    ['notify', { client, notify: true }],
    ['notify', { pool: new Pool({ connectionString: url, max: 1 }), notify: true }],
    ['preparedStatements', { client, preparedStatements: true }],
    ['tablePrefix', { pool, tablePrefix: 'a b' }],
    ['schema', { pool, schema: 'A' }],
    ['statementTimeoutMs', { pool, statementTimeoutMs: 0 }],
  ])('%s: %#', (name, options) => {
    const given = () => postgresStorage(options as PostgresStorageOptions)

    expect(given).toThrow(TypeError)
    expect(given).toThrow(`postgresStorage: option "${name}" must be`)
  })

  it.each(['knex', 'durability', 'Pool'])('%s, which is unknown', (name) => {
    expect(() => postgresStorage({ pool, [name]: 'x' } as PostgresStorageOptions)).toThrow(`unknown option "${name}"`)
  })
})

it('postgresStorage(options) takes a pool or a client', () => {
  expect(typeof postgresStorage({ pool, notify: true, preparedStatements: false }).commit).toBe('function')
  expect(typeof postgresStorage({ client, preparedStatements: false }).commit).toBe('function')
})
