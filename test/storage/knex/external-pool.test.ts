import createKnex, { type Knex } from 'knex'
import { Pool, type PoolClient } from 'pg'
import type { FlagGateway } from '../../../src'
import { knexStorage } from '../../../src/storage/knex'
import { sendRaw } from '../../http/support/raw-request'
import { enable, people, startApp } from '../../support/app'
import { postgres } from '../../support/databases'

/** As the guide says for an ORM that shares its `pg.Pool`. */
describe('a Knex over an existing pg.Pool', () => {
  it('stores the change requests, and the gateway writes with the client of the transaction', async () => {
    const open = await postgres.open()
    const { connection, searchPath } = open.place.knex as unknown as { connection: string; searchPath: string[] }
    const pool = new Pool({ connectionString: connection, options: `-c search_path=${searchPath.join(',')}` })
    const knex = createKnex({ client: 'pg', connectionPool: pool })
    await pool.query('create table flags (name text primary key, enabled boolean not null)')
    const flags: FlagGateway<Knex.Transaction> = {
      transactional: true,
      actions: ['updateEnabled'],
      current: async ({ features }) => ({
        features: new Map(features.map((name) => [name, { archived: false, enabled: false }])),
        segments: new Map(),
      }),
      async apply(changes, { transaction }) {
        const client: PoolClient = await transaction.client.acquireConnection()
        for (const { feature, payload } of changes) {
          await client.query('insert into flags values ($1, $2)', [feature, (payload as { enabled: boolean }).enabled])
          if (feature === 'unwanted') throw new Error('no')
        }
        return []
      },
    }
    const app = await startApp({
      storage: knexStorage({ knex, ...open.place.storage }),
      flags,
      adminSelfApproval: true,
    })
    const apply = async (feature: string) => {
      const { id } = (await app.propose(enable(feature))).body
      const path = `/api/admin/projects/shop/change-requests/${id}/state`
      const headers = { Authorization: people.ann.key, 'Content-Type': 'application/json' }
      const put = (state: string) =>
        sendRaw(app.port, { method: 'PUT', path, headers, body: JSON.stringify({ state }) })
      return [await put('In review'), await put('Approved'), await put('Applied')].map(({ status }) => status)
    }
    try {
      expect(await apply('checkout')).toEqual([200, 200, 200])
      expect(await apply('unwanted')).toEqual([200, 200, 500])
      expect((await pool.query('select name from flags')).rows).toEqual([{ name: 'checkout' }])
    } finally {
      await app.close()
      await knex.destroy()
      await pool.end()
      await open.close()
    }
  })
})
