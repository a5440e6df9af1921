import supertest from 'supertest'
import type { Action } from '../../../src'
import { changeRequestsPath, enable, people, startApp, type TestApp } from '../../support/app'
import { type OpenDatabase, sqlite } from '../../support/databases'
import { violations } from '../support/schema'

describe(`POST ${changeRequestsPath(':projectId', ':environment')}`, () => {
  let database: OpenDatabase
  let app: TestApp

  beforeEach(async () => {
    database = await sqlite.open()
    app = await startApp({ storage: database.storage })
  })

  afterEach(async () => {
    await app.close()
    await database.close()
  })

  it('ignores ids, authors, states and times in a body', async () => {
    const forged = { id: 77, createdBy: { id: 9 }, createdAt: '2000-01-01T00:00:00.000Z', state: 'Applied', version: 9 }
    const { body } = await app.propose([{ ...enable(), ...forged }])
    const plain = await app.propose(enable(), { project: 'blog' })
    const { id, ...change } = plain.body.features[0].changes[0]
    expect(body.features[0].changes).toEqual([{ ...change, id: 1 }])
    expect(body).toMatchObject({ state: 'Draft', id: 1, createdBy: { id: 1 } })
    expect(id).toBe(2)
  })

  it('leaves out what the options turn off', async () => {
    const plain = await startApp({ storage: database.storage, stateTimestamps: false, gravatar: false })
    const { body } = await plain.propose(enable(), { key: people.ben.key })
    await plain.close()
    expect(body).not.toHaveProperty('stateTimestamps')
    expect(body.createdBy).toEqual({ id: 2, username: 'ben@example.com', imageUrl: null })
    expect(violations('change-request', body)).toEqual([])
  })

  it('accepts only actions that the gateway supported when the router was created, also as a replacement', async () => {
    const actions: Action[] = ['updateEnabled', 'archiveFeature']
    const current = async () => ({ features: new Map(), segments: new Map() })
    const flags = { actions, current, apply: async () => [] }
    const limited = await startApp({ storage: database.storage, flags })
    actions.push('deleteStrategy')
    const strategy = { action: 'deleteStrategy', feature: 'checkout', payload: { id: 's1' } }
    const message = 'action must be one of "updateEnabled", "archiveFeature", got "deleteStrategy"'
    const refused = await limited.propose(strategy)
    expect([refused.status, refused.body.details]).toEqual([400, [{ path: 'action', message }]])
    const { body } = await limited.propose(enable())
    const change = `/api/admin/projects/shop/change-requests/${body.id}/changes/${body.features[0].changes[0].id}`
    const edited = await supertest(limited.server).put(change).set({ Authorization: people.ann.key }).send(strategy)
    expect([edited.status, edited.body.details]).toEqual([400, [{ path: 'action', message }]])
    await limited.close()
  })
})
