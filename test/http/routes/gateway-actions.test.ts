import supertest from 'supertest'
import type { Action, FlagGateway } from '../../../src'
import { changeRequestsPath, enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { contents } from '../../support/databases/tables'
import { violations } from '../support/schema'

const gateway = (actions: readonly Action[]): FlagGateway => ({
  transactional: true,
  actions,
  current: async () => ({ features: new Map(), segments: new Map() }),
  apply: async () => [],
})

describe('a flag gateway that supports two actions', () => {
  const archive = { action: 'archiveFeature', feature: 'checkout' }
  const strategy = { action: 'deleteStrategy', feature: 'checkout', payload: { id: 's1' } }
  const headers = { Authorization: people.ann.key }
  const possible = 'action must be one of "updateEnabled", "archiveFeature", got "deleteStrategy"'
  let database: OpenDatabase
  let app: TestApp

  beforeAll(async () => {
    database = await sqlite.open()
    const actions: Action[] = ['updateEnabled', 'archiveFeature']
    app = await startApp({ storage: database.storage, flags: gateway(actions) })
    // The supported actions are read when the router is created.
    actions.push('deleteStrategy')
  })

  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('accepts only these in proposals: others are 400, and nothing is stored', async () => {
    expect((await app.propose([enable(), archive])).status).toBe(200)
    const before = await contents(database.knex)
    const { status, body } = await app.propose(strategy)
    expect([status, body.name, body.details]).toEqual([400, 'BadDataError', [{ path: 'action', message: possible }]])
    expect(violations('error', body)).toEqual([])
    const list = await app.propose([enable(), strategy])
    expect([list.status, list.body.details]).toEqual([
      400,
      [{ path: 'action', message: `${possible} at /body/1/action` }],
    ])
    expect(await contents(database.knex)).toEqual(before)
  })

  it('accepts no other as a replacement of a change', async () => {
    const { body } = await app.propose(enable(), { environment: 'staging' })
    const path = `/api/admin/projects/shop/change-requests/${body.id}/changes/${body.features[0].changes[0].id}`
    const before = await contents(database.knex)
    const refused = await supertest(app.server).put(path).set(headers).send(strategy)
    expect([refused.status, refused.body.details]).toEqual([400, [{ path: 'action', message: possible }]])
    expect(await contents(database.knex)).toEqual(before)
    expect((await supertest(app.server).put(path).set(headers).send(archive)).status).toBe(200)
  })

  it('rejects them like any malformed body: before the key and the path are checked', async () => {
    const keyed = { headers: { 'Idempotency-Key': 'one' }, environment: 'test' }
    expect((await app.propose(enable(), keyed)).status).toBe(200)
    expect((await app.propose(strategy, keyed)).status).toBe(400)
    const nowhere = '/api/admin/projects/shop/change-requests/999999/changes/1'
    expect((await supertest(app.server).put(nowhere).set(headers).send(strategy)).status).toBe(400)
    expect((await supertest(app.server).post(changeRequestsPath()).send(strategy)).status).toBe(401)
  })
})
