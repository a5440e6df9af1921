import express from 'express'
import supertest from 'supertest'
import { apiKeys, createChangeRequestRouter } from '../../src'
import { databases, sqlite } from '../support/databases'
import { longTimeoutLimits } from '../support/databases/long-timeouts'
import { isNightly } from '../support/nightly'
import { half } from './support/changes'
import { type FlagHost, openFlagHost } from './support/flag-host'

const { createDirectRoutes } = require('../../examples/server/flags/direct-routes')

const keys = { ann: 'key-of-ann-0123456789', cara: 'key-of-cara-0123456789', dan: 'key-of-dan-0123456789' }
const authenticate = apiKeys([
  { key: keys.ann, user: { id: 1, username: 'ann' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] },
  { key: keys.cara, user: { id: 3, username: 'cara' }, grants: [{ permission: 'ADMIN' }] },
  { key: keys.dan, user: { id: 4, username: 'dan' }, grants: [{ permission: 'READ_EVENTS' }] },
])
const project = '/api/admin/projects/default'
const place = (environment: string, feature = 'checkout') =>
  `${project}/features/${feature}/environments/${environment}`

/** The gate of a route does not depend on the database. */
const kinds = isNightly ? databases : [sqlite]

describe.each(kinds)('the direct routes of the example server on $name', (database) => {
  let host: FlagHost
  let send: (
    who: keyof typeof keys,
    method: 'get' | 'patch' | 'post' | 'put',
    path: string,
    body?: object,
  ) => supertest.Test

  beforeEach(async () => {
    host = await openFlagHost(database)
    const { store, gateway, opened } = host
    const router = createChangeRequestRouter({
      logger: false,
      storage: opened.storage,
      authenticate,
      flags: gateway,
      directory: store.directory,
      limits: longTimeoutLimits,
    })
    const app = express().use(router, createDirectRoutes({ router, store, gateway, authenticate }))
    send = (who, method, path, body) => supertest(app)[method](path).set('Authorization', keys[who]).send(body)
    const config = `${project}/environments/development/change-requests/config`
    await send('cara', 'put', config, { changeRequestsEnabled: false }).expect(204)
  })
  afterEach(() => host.opened.close())

  const flagEvents = async () => {
    const { body } = await send('cara', 'get', '/api/admin/events').expect(200)
    return body.events.filter(({ type }: { type: string }) => type.startsWith('feature-'))
  }
  const enabledIn = async (environment: string) =>
    (await host.flag('checkout')).environments.find(({ name }) => name === environment)?.enabled

  it('put what needs a review into a draft', async () => {
    const path = `${project}/change-requests/1`
    await send('ann', 'patch', place('production'), { enabled: true }).expect(202, { id: 1, path })
    await send('ann', 'post', `${place('production')}/strategies`, half).expect(202, { id: 1, path })
    expect([await enabledIn('production'), await flagEvents()]).toEqual([false, []])
    const { body } = await send('ann', 'get', path).expect(200)
    expect(body.features[0].changes.map(({ action }: { action: string }) => action)).toEqual([
      'updateEnabled',
      'addStrategy',
    ])
  })

  it('perform writes that skip the review, and their events record it', async () => {
    await send('cara', 'patch', place('production'), { enabled: true })
      .set('Change-Request-Skip-Reason', 'Nobody%20can%20pay')
      .expect(204)
    const [event] = await flagEvents()
    expect(event).toMatchObject({
      type: 'feature-environment-enabled',
      createdBy: 'cara',
      environment: 'production',
      data: { skippedChangeRequest: { by: 'cara', id: 3, kind: 'person', reason: 'Nobody can pay', freeze: null } },
    })
    expect(await enabledIn('production')).toBe(true)
  })

  it('perform writes that need no review', async () => {
    await send('ann', 'patch', place('development'), { enabled: false }).expect(204)
    await send('ann', 'post', `${place('development')}/strategies`, half).expect(204)
    expect(await enabledIn('development')).toBe(false)
    const events: { createdBy: string; data: object | null }[] = await flagEvents()
    expect(events.map(({ createdBy, data }) => [createdBy, data && 'skippedChangeRequest' in data])).toEqual([
      ['ann', false],
      ['ann', null],
    ])
  })

  it.each([
    ['dan', 'development', 'checkout', { enabled: true }, 403],
    ['dan', 'production', 'checkout', { enabled: true }, 403],
    ['ann', 'development', 'checkout', { enabled: 'yes' }, 400],
    ['ann', 'production', 'checkout', { enabled: 'yes' }, 400],
    ['ann', 'production', 'no-such-flag', { enabled: true }, 404],
    ['ann', 'staging', 'checkout', { enabled: true }, 404],
    ['cara', 'staging', 'checkout', { enabled: true }, 404],
    ['cara', 'production', 'no-such-flag', { enabled: true }, 409],
  ] as const)('refuse %s in %s for %s: %p with %d', async (who, environment, feature, body, status) => {
    await send(who, 'patch', place(environment, feature), body).expect(status)
    expect(await flagEvents()).toEqual([])
  })
})
