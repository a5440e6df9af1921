import express from 'express'
import type { Knex } from 'knex'
import supertest from 'supertest'
import {
  type ApplicableChange,
  apiKeys,
  createChangeRequestRouter,
  type Directory,
  type FlagEvent,
  type FlagGateway,
} from '../../src'
import type { OpenDatabase, TestDatabase } from '../support/databases'
import { patientLimits } from '../support/databases/patience'

interface Place {
  readonly enabled: boolean
  readonly strategies: readonly { readonly id: string; readonly disabled: boolean; readonly [key: string]: unknown }[]
  readonly variants: readonly object[]
  readonly releasePlans: readonly {
    readonly id: string
    readonly activeMilestoneId: string | null
    readonly milestones: readonly {
      readonly id: string
      readonly name: string
      readonly strategies: readonly { readonly id: string; readonly [key: string]: unknown }[]
    }[]
  }[]
}

interface Flag {
  readonly name: string
  readonly archived: boolean
  readonly dependencies: readonly object[]
  readonly environments: readonly (Place & { readonly name: string })[]
}

/** What the store of the example server shows of a project. */
interface Listing {
  readonly features: readonly Flag[]
  readonly segments: readonly { readonly id: number; readonly [key: string]: unknown }[]
}

interface FlagStore {
  migrate(): Promise<void>
  seed(): Promise<boolean>
  list(project: string): Promise<Listing>
  readonly directory: Directory
}

const { createFlagStore }: { createFlagStore(knex: Knex): FlagStore } = require('../../examples/server/flags/store')
const { createFlagGateway }: { createFlagGateway(store: FlagStore): FlagGateway } =
  require('../../examples/server/flags/gateway')
const { createFlagRoutes } = require('../../examples/server/flags/routes')

/** A change as a test writes it; ids rise from 1. */
export interface ChangeOfTest {
  readonly action: string
  readonly feature?: string | null
  readonly payload?: unknown
  readonly id?: null
}

export interface FlagHost {
  readonly opened: OpenDatabase
  readonly store: FlagStore
  readonly gateway: FlagGateway
  /** Carries changes of project default out, in production, in one transaction of the storage; what happened. */
  apply(...changes: ChangeOfTest[]): Promise<readonly FlagEvent[]>
  flag(name: string): Promise<Flag>
  /** What production holds of a flag. */
  place(name: string): Promise<Place>
  segment(id: number): Promise<object | undefined>
}

/** The flag store of the example server with its demo, in a database of its own. */
export async function openFlagHost(database: TestDatabase): Promise<FlagHost> {
  const opened = await database.open()
  const store = createFlagStore(opened.knex)
  await store.migrate()
  await store.seed()
  const gateway = createFlagGateway(store)
  const flag = async (name: string) => {
    const found = (await store.list('default')).features.find((one) => one.name === name)
    if (found === undefined) throw new Error(`There is no flag ${name}.`)
    return found
  }
  return {
    opened,
    store,
    gateway,
    async apply(...changes) {
      const events = await opened.storage.transaction((transaction) =>
        gateway.apply(changes.map(toApplicable), { ...context, transaction }),
      )
      return events.map(({ changeId: _, ...event }) => event)
    },
    flag,
    async place(name) {
      const place = (await flag(name)).environments.find((one) => one.name === 'production')
      if (place === undefined) throw new Error('There is no production.')
      return place
    },
    segment: async (id) => (await store.list('default')).segments.find((one) => one.id === id),
  }
}

const context = {
  changeRequestId: 1,
  project: 'default',
  environment: 'production',
  appliedBy: { id: 2, username: 'ben', signature: 'ben' },
  applyId: 'an-apply',
}

function toApplicable(change: ChangeOfTest, index: number): ApplicableChange {
  return { id: index + 1, feature: null, payload: {}, ...change } as ApplicableChange
}

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
    storage,
    authenticate,
    flags,
    directory: store.directory,
    limits: patientLimits,
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

/** A strategy for half of the users. */
export const half = { name: 'flexibleRollout', constraints: [], parameters: { rollout: '50' } }

export const enable = (feature: string, more = {}) => ({
  action: 'updateEnabled',
  feature,
  payload: { enabled: true, ...more },
})

export const depend = (feature: string, parent: string, more = {}) => ({
  action: 'addDependency',
  feature,
  payload: { feature: parent, ...more },
})
