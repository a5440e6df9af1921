import express from 'express'
import supertest from 'supertest'
import { apiKeys, createChangeRequestRouter } from '../../../src'
import { plainFlags } from '../../../src/storage/knex'
import { postgres } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { recordStatements } from '../../support/databases/recorded-statements'

const place = { project: 'default', environment: 'production' }
const grants = [{ permission: 'ADMIN' }]
const authenticate = apiKeys([
  { key: 'user:ann', user: { id: 1, username: 'ann' }, grants },
  { key: 'user:ben', user: { id: 2, username: 'ben' }, grants },
])
const columns = { name: 'name', enabled: 'enabled' }

describe('applying one change in the transaction of the flags, on Postgres', () => {
  it('takes nine statements', async () => {
    const { statements, afterCreate } = recordStatements()
    const open = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    const { knex, storage } = open
    await knex.schema.createTable('flags', (table) => {
      table.string('name').primary()
      table.boolean('enabled').notNullable()
    })
    await knex('flags').insert({ name: 'checkout', enabled: false })
    const plain = plainFlags({ knex, table: 'flags', columns, ...place })
    const options = { storage, authenticate, limits: longTimeoutLimits, logger: false, ...plain } as const
    const router = createChangeRequestRouter(options)
    const app = express().use(router)
    const base = '/api/admin/projects/default'
    const as = (user: string, method: 'post' | 'put', path: string, body: object) =>
      supertest(app)
        [method](`${base}/${path}`)
        .set({ Authorization: `user:${user}` })
        .send(body)
        .expect(200)
    try {
      const change = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
      const { id } = (await as('ann', 'post', 'environments/production/change-requests', change)).body
      const to = (user: string, state: string) => as(user, 'put', `change-requests/${id}/state`, { state })
      await to('ann', 'In review')
      await to('ben', 'Approved')
      statements.length = 0
      await to('ben', 'Applied')
      const sent = statements.map(({ text }) => text.trim().split(/\s+/)[0]?.toLowerCase().replace(';', ''))
      expect(sent).toEqual(['select', 'select', 'select', 'begin', 'select', 'select', 'update', 'with', 'commit'])
      expect(await knex('flags').pluck('enabled')).toEqual([true])
    } finally {
      await router.close()
      await open.close()
    }
  })
})
