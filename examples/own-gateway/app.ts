import express from 'express'
import { type Authenticate, createChangeRequestRouter } from 'express-change-requests'
import { knexStorage } from 'express-change-requests/knex'
import type { Knex } from 'knex'
import { createFlagGateway } from './gateway'

/** An app with one project and one environment, whose flags only change through change requests. */
export async function createApp(knex: Knex, authenticate: Authenticate) {
  const router = createChangeRequestRouter({
    storage: knexStorage({ knex }),
    authenticate,
    flags: createFlagGateway(knex),
    directory: {
      hasProject: (project, environment = 'production') => project === 'default' && environment === 'production',
      knownFeatures: (_project, names) => knex('flags').whereIn('name', names).where({ archived: false }).pluck('name'),
      environments: () => [{ name: 'production', type: 'production' }],
    },
  })
  await router.migrate()
  const app = express().use(router)
  app.get('/checkout', async (_req, res) => {
    const flag = await knex('flags').where({ name: 'new-checkout', enabled: true, archived: false }).first()
    res.json({ checkout: flag === undefined ? 'old' : 'new' })
  })
  return { app, close: () => router.close() }
}
