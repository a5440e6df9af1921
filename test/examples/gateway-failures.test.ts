import type { Knex } from 'knex'
import supertest from 'supertest'
import type { FlagGateway } from '../../src'
import { enable, people, startApp, type TestApp } from '../support/app'
import { databases, type OpenDatabase } from '../support/databases'

const ann = { Authorization: people.ann.key }
const one = '/api/admin/projects/shop/change-requests/1'

describe.each(databases)('a transactional gateway on $name', ({ name, open }) => {
  let database: OpenDatabase
  let app: TestApp
  let calls = 0
  let act: (transaction: Knex.Transaction) => Promise<unknown> = async () => undefined
  const flags: FlagGateway = {
    transactional: true,
    current: async () => ({
      features: new Map([['checkout', { archived: false, enabled: false, strategies: [] }]]),
      segments: new Map(),
    }),
    async apply(_, { transaction }) {
      calls += 1
      await act(transaction as Knex.Transaction)
      return []
    },
  }

  beforeEach(async () => {
    calls = 0
    database = await open()
    await database.knex.schema.createTable('host_flags', (table) => {
      table.string('name').primary()
      table.integer('rollout')
    })
    await database.knex('host_flags').insert({ name: 'there', rollout: 1 })
    app = await startApp({ storage: database.storage, flags, adminSelfApproval: true })
    await app.propose(enable())
    for (const state of ['In review', 'Approved']) await move(state)
  })
  afterEach(async () => {
    await app.close()
    await database.close()
  })

  const move = (state: string) => supertest(app.server).put(`${one}/state`).set(ann).send({ state })
  const stored = async () => (await supertest(app.server).get(one).set(ann)).body.state

  const own: readonly (readonly [string, typeof act])[] = [
    ['breaks a constraint of its own', (transaction) => transaction('host_flags').insert({ name: 'there' })],
    ['reads a table that does not exist', (transaction) => transaction('no_such_table').insert({ name: 'a' })],
    ['throws something of its own', () => Promise.reject(new Error('secret'))],
    ...(name === 'Postgres'
      ? [
          [
            'writes a value that does not fit',
            (transaction: Knex.Transaction) => transaction.raw(`select 'abc'::integer`),
          ] as const,
          [
            'lacks a privilege',
            (transaction: Knex.Transaction) => transaction.raw('do $$ begin raise insufficient_privilege; end $$'),
          ] as const,
        ]
      : []),
  ]

  it('that fails by itself is 500, asked once, and nothing is applied', async () => {
    const message = 'The flag gateway failed; nothing was applied.'
    for (const [what, failing] of own) {
      calls = 0
      act = failing
      const { status, body } = await move('Applied')
      expect([what, status, body.name, body.message]).toEqual([what, 500, 'UnknownError', message])
      expect([what, calls, await stored()]).toEqual([what, 1, 'Approved'])
    }
  })

  it('is retried after a serialization conflict, and not after a lock timeout', async () => {
    const fails = (code: string, times: number) => async () => {
      if (calls <= times) throw Object.assign(new Error('secret'), { code })
    }
    act = fails(name === 'SQLite' ? 'SQLITE_BUSY' : '55P03', 1)
    const busy = await move('Applied')
    expect([busy.status, busy.body.message, calls]).toEqual([503, 'The database is busy. Try again.', 1])

    calls = 0
    act = fails(name === 'SQLite' ? 'SQLITE_BUSY_SNAPSHOT' : '40001', 2)
    expect((await move('Applied')).status).toBe(200)
    expect([calls, await stored()]).toEqual([3, 'Applied'])
  })
})
