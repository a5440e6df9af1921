import express from 'express'
import supertest from 'supertest'
import { apiKeys, createChangeRequestRouter } from '../../../src'
import { databases, type OpenDatabase } from '../../support/databases'
import { patientLimits } from '../../support/databases/patience'
import { eventsAfter } from '../model/support/hosts'

const names = ['ann', 'ben', 'cara', 'dan'] as const
const keyOf = (name: string) => `key-of-${name}-0123456789`
const grants = [{ permission: 'ADMIN' }]
const authenticate = apiKeys(
  names.map((username, index) => ({ key: keyOf(username), user: { id: index + 1, username }, grants })),
)

describe.each(databases)('router.events.record behind the gate, in a transaction of the host on $name', (database) => {
  let open: OpenDatabase
  beforeEach(async () => {
    open = await database.open({ pool: { min: 0, max: 1 } })
  })
  afterEach(() => open.close())

  it('keeps who skipped the review and why, of each of the requests that wait for one connection', async () => {
    const router = createChangeRequestRouter({ storage: open.storage, authenticate, limits: patientLimits })
    const app = express()
    const gate = router.gate(() => ({ project: 'shop', environment: 'production' }))
    app.patch('/flags/:name', gate, express.json(), (req, res, next) => {
      open.knex
        .transaction(async (transaction) => {
          await transaction.raw('select 1')
          await router.events.record(
            { type: 'feature-archived', featureName: req.params.name as string },
            { transaction },
          )
        })
        .then(() => res.end(), next)
    })
    const skip = (name: string) =>
      supertest(app)
        .patch(`/flags/of-${name}`)
        .set({ Authorization: keyOf(name), 'Change-Request-Skip-Reason': `for-${name}` })
        .send({ enabled: true })
        .expect(200)
    await Promise.all(names.map(skip))
    const events = await eventsAfter(open.storage, 0)
    expect(events.map(({ featureName, data }) => [featureName, data]).sort()).toEqual(
      names.map((by) => [`of-${by}`, { skippedChangeRequest: { by, reason: `for-${by}` } }]),
    )
  })
})
