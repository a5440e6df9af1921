import express from 'express'
import supertest from 'supertest'
import { apiKeys, createChangeRequestRouter, type FlagGateway } from '../../../src'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import type { FlagHost } from './flag-host'

const { createFlagRoutes } = require('../../../examples/server/flags/routes')

const keys = { ann: 'key-of-ann-0123456789', ben: 'key-of-ben-0123456789', cara: 'key-of-cara-0123456789' }

export type Person = keyof typeof keys

const authenticate = apiKeys([
  { key: keys.ann, user: { id: 1, username: 'ann' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] },
  {
    key: keys.ben,
    user: { id: 2, username: 'ben' },
    grants: [
      { permission: 'APPROVE_CHANGE_REQUEST' },
      { permission: 'APPLY_CHANGE_REQUEST' },
      { permission: 'READ_EVENTS' },
    ],
  },
  { key: keys.cara, user: { id: 3, username: 'cara' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] },
])

/** Calls a server that has the router, the gateway and the list of flags, as the example server has them. */
export function callHost({ opened, store, gateway }: FlagHost, flags: FlagGateway = gateway) {
  const { storage } = opened
  const router = createChangeRequestRouter({
    logger: false,
    storage,
    authenticate,
    flags,
    directory: store.directory,
    limits: longTimeoutLimits,
  })
  const app = express().use(router).use(createFlagRoutes({ store, authenticate }))
  const base = '/api/admin/projects/default'
  const send = (who: Person, method: 'get' | 'post' | 'put', path: string, body?: object) =>
    supertest(app)[method](path).set('Authorization', keys[who]).send(body)
  const setState = (who: Person, id: number, state: string) =>
    send(who, 'put', `${base}/change-requests/${id}/state`, { state })
  const propose = (changes: object, who: Person = 'ann') =>
    send(who, 'post', `${base}/environments/production/change-requests`, changes)
  const approve = async (id: number, who: Person = 'ann'): Promise<number> => {
    await setState(who, id, 'In review').expect(200)
    await setState('ben', id, 'Approved').expect(200)
    return id
  }
  return {
    send,
    propose,
    setState,
    approve,
    /** A change request of these changes, approved by Ben; answers its id. */
    approved: async (changes: object, who: Person = 'ann') =>
      approve((await propose(changes, who).expect(200)).body.id, who),
    read: async (id: number) => (await send('ben', 'get', `${base}/change-requests/${id}`).expect(200)).body,
    applied: (id: number) => setState('ben', id, 'Applied'),
    /** Types of the events from the first flag event on, oldest first. */
    async eventsOfApply() {
      const { events } = (await send('ben', 'get', '/api/admin/events').expect(200)).body
      const types = events.map(({ type }: { type: string }) => type).reverse()
      return types.slice(types.indexOf('change-request-approved') + 1)
    },
  }
}
