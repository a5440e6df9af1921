import express from 'express'
import supertest from 'supertest'
import { apiKeys, createChangeRequestRouter } from '../../../src'
import { databases, type OpenDatabase, postgres } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { recordStatements } from '../../support/databases/recorded-statements'
import { runs } from '../../support/random'
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

  it('records who skipped the review and why, for each of the requests that wait for one connection', async () => {
    const router = createChangeRequestRouter({
      storage: open.storage,
      authenticate,
      limits: longTimeoutLimits,
      logger: false,
    })
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
      names.map((by) => [
        `of-${by}`,
        { skippedChangeRequest: { by, id: expect.any(Number), kind: 'person', reason: `for-${by}`, freeze: null } },
      ]),
    )
  })
})

describe('router.gate in an environment where change requests are disabled, on Postgres', () => {
  it('runs one prepared statement, shared by concurrent requests, and remembers nothing', async () => {
    const { statements, afterCreate } = recordStatements()
    const open = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    const place = { project: 'shop', environment: 'production' }
    const router = createChangeRequestRouter({ storage: open.storage, authenticate, logger: false })
    const app = express().use(router)
    app.patch(
      '/flags/:name',
      router.gate(() => place),
      (_req, res) => res.end(),
    )
    const patch = () => supertest(app).patch('/flags/checkout')
    const enable = (changeRequestsEnabled: boolean) =>
      supertest(app)
        .put('/api/admin/projects/shop/environments/production/change-requests/config')
        .set({ Authorization: keyOf('ann') })
        .send({ changeRequestsEnabled, requiredApprovals: 1 })
        .expect(204)
    try {
      await enable(false)
      await patch().expect(200)
      statements.length = 0
      for (const _ of [1, 2]) await patch().expect(200)
      expect(statements.map(({ name, values }) => [name === '' ? 'not prepared' : 'prepared', values])).toEqual(
        Array(2).fill(['prepared', [['["shop","production"]']]]),
      )
      await Promise.all([place, place].map((one) => open.storage.findSettings(one)))
      expect(statements.length).toBe(3)
      await enable(true)
      await patch().expect(401)
    } finally {
      await router.close()
      await open.close()
    }
  })
})

describe('router.gate in an environment where change requests are enabled, on Postgres', () => {
  it('reads the settings once a second for callers who can skip the review, and each time for all others', async () => {
    const { statements, afterCreate } = recordStatements()
    const open = await postgres.open({ pool: { min: 0, max: 1, afterCreate } })
    const router = createChangeRequestRouter({ storage: open.storage, authenticate, logger: false })
    const app = express()
    app.patch(
      '/flags',
      router.gate(() => ({ project: 'shop', environment: 'production' })),
      (_req, res) => res.end(),
    )
    app.patch(
      '/segments',
      router.gate(() => ({ project: 'shop' })),
      (_req, res) => res.end(),
    )
    const patch = (path: string, name: string) => supertest(app).patch(path).set({ Authorization: name })
    const counts: number[] = []
    const clock = jest.spyOn(performance, 'now').mockReturnValue(5_000)
    const count = async (request: PromiseLike<unknown>) => {
      statements.length = 0
      await request
      counts.push(statements.length)
    }
    try {
      await patch('/flags', keyOf('ann')).expect(200)
      for (const _ of [1, 2]) await count(patch('/flags', keyOf('ben')).expect(200))
      clock.mockReturnValue(6_000)
      for (const _ of [1, 2]) await count(patch('/flags', keyOf('ben')).expect(200))
      for (const _ of [1, 2]) await count(patch('/flags', 'unknown').expect(401))
      // A further environment may have been added.
      for (const _ of [1, 2]) await count(patch('/segments', keyOf('ann')).expect(200))
      expect(counts).toEqual([0, 0, 1, 0, 1, 1, 1, 1])
    } finally {
      clock.mockRestore()
      await router.close()
      await open.close()
    }
  })
})

describe.each(databases)('router.gate after another process has disabled change requests, on $name', (database) => {
  it('opens immediately', async () => {
    const open = await database.open()
    const options = { storage: open.storage, logger: false, limits: longTimeoutLimits } as const
    const people = apiKeys([
      { key: keyOf('ann'), user: { id: 1, username: 'ann' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] },
      { key: keyOf('ben'), user: { id: 2, username: 'ben' }, grants },
    ])
    const router = createChangeRequestRouter({ ...options, authenticate: people })
    const required = { reason: 'required' } as const
    const app = express()
    const gate = router.gate(() => ({ project: 'shop', environment: 'production' }), required)
    app.patch('/flags', gate, (_req, res) => res.end())
    const other = express().use(createChangeRequestRouter({ ...options, authenticate: people }))
    const patch = (name: string) => supertest(app).patch('/flags').set({ Authorization: name })
    try {
      await patch(keyOf('ben')).set({ 'Change-Request-Skip-Reason': 'outage' }).expect(200)
      await patch(keyOf('ann')).expect(403)
      await supertest(other)
        .put('/api/admin/projects/shop/environments/production/change-requests/config')
        .set({ Authorization: keyOf('ben') })
        .send({ changeRequestsEnabled: false, requiredApprovals: 1 })
        .expect(204)
      for (const name of [keyOf('ann'), keyOf('ben'), 'unknown']) await patch(name).expect(200)
    } finally {
      await router.close()
      await open.close()
    }
  })
})

describe.each(databases)('router.gate with propose, while other users vote, on $name', (database) => {
  const rounds = runs(5)
  let open: OpenDatabase
  beforeEach(async () => {
    open = await database.open()
  })
  afterEach(() => open.close())

  it('never voids a vote', async () => {
    const people = apiKeys([
      { key: keyOf('ann'), user: { id: 1, username: 'ann' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] },
      { key: keyOf('ben'), user: { id: 2, username: 'ben' }, grants },
    ])
    const limits = longTimeoutLimits
    const router = createChangeRequestRouter({ storage: open.storage, authenticate: people, limits, logger: false })
    const app = express()
    const propose = () => ({ action: 'archiveFeature', feature: 'checkout' }) as const
    app.patch(
      '/flags/:name',
      router.gate(() => ({ project: 'shop', environment: 'production' }), { propose }),
    )
    app.use(router)
    const send = (name: string, method: 'get' | 'patch' | 'put', path: string, body?: object) =>
      supertest(app)
        [method](path)
        .set({ Authorization: keyOf(name) })
        .send(body)
    for (let round = 0; round < rounds; round += 1) {
      const { path } = (await send('ann', 'patch', '/flags/checkout').expect(202)).body
      await send('ann', 'put', `${path}/state`, { state: 'In review' }).expect(200)
      const [vote, ...writes] = await Promise.all([
        send('ben', 'put', `${path}/state`, { state: 'Approved' }),
        ...[1, 2, 3].map(() => send('ann', 'patch', '/flags/checkout')),
      ])
      const added = writes.filter(({ status }) => status === 202).length
      expect(writes.filter(({ status }) => status === 409)).toHaveLength(3 - added)
      const { body } = await send('ann', 'get', path).expect(200)
      const counts = vote?.status === 200
      // A vote for outdated content is rejected and requires a new review.
      expect([200, 412]).toContain(vote?.status)
      expect([body.state, body.approvals.length]).toEqual(counts ? ['Approved', 1] : ['In review', 0])
      expect(body.features[0].changes).toHaveLength(1 + added)
      await send('ann', 'put', `${path}/state`, { state: 'Cancelled' }).expect(200)
    }
  })
})
