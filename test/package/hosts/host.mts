import express from 'express'
import {
  type Actor,
  ChangeRequestError,
  type ChangeRequestView,
  createChangeRequestRouter,
  type DefaultChange,
  type EventListView,
  type FlagGateway,
  memoryStorage,
  type StateUpdate,
  type Storage,
  type SubmittedChange,
  type UserDirectory,
} from 'express-change-requests'
import { type KnexStorage, knexStorage } from 'express-change-requests/knex'
import { describeHttp, describeStorage, type HttpHost, type OpenStorage } from 'express-change-requests/testing'
import knex from 'knex'

const own: KnexStorage = knexStorage({ knex: knex({ client: 'better-sqlite3' }), durability: 'normal' })
const open = async (): Promise<OpenStorage> => ({ storage: own satisfies Storage, close: () => own.close() })
export const suite = () => describeStorage({ describe: () => {}, it: () => {}, expect: never }, 'mine', open)
export const rules = (host: HttpHost) =>
  describeHttp({ describe: () => {}, it: () => {}, expect: never }, async () => host)
declare const never: never

const users: UserDirectory = {
  find: (ids) => ids.map((id) => ({ id, email: `user-${id}@example.com` })),
  reviewers: async (project) => (project === 'shop' ? [{ id: 1, email: 'ann@example.com', name: null }] : []),
}
const flags: FlagGateway = {
  async current({ features, segments }) {
    const feature = { archived: false, enabled: true, strategies: [{ id: 's1', name: 'default', disabled: false }] }
    return {
      features: new Map(features.map((name) => [name, feature])),
      segments: new Map(segments.map((id) => [id, { name: `segment ${id}` }])),
    }
  },
  async apply(changes, { applyId, appliedBy }) {
    return changes.map((change: DefaultChange) => ({
      type: 'feature-updated',
      featureName: change.feature,
      data: { applyId, by: appliedBy.username, id: appliedBy.id },
    }))
  },
  outcome: async (applyId) => (applyId === '' ? null : []),
}

const router = createChangeRequestRouter({
  storage: memoryStorage(),
  authenticate: async (req): Promise<Actor | null> => (req.get('authorization') ? { id: 1 } : null),
  directory: { hasProject: async (project) => project === 'shop', knownFeatures: (_, features) => features },
  limits: { bodyBytes: 1024, applyTimeoutMs: 1000 },
  users,
  flags,
  adminSelfApproval: false,
  logger: console,
})
await router.migrate()
express().use(router)

await router.events.record({ type: 'feature-archived', project: 'shop', featureName: 'checkout' })
// @ts-expect-error: no such type of event
await router.events.record({ type: 'feature-exploded' })

export const decision: StateUpdate = { state: 'Approved', comment: 'Go.' }
// @ts-expect-error: no such state
export const undecided: StateUpdate = { state: 'Maybe' }

export const change: SubmittedChange = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }
// @ts-expect-error: the payload belongs to another action
export const wrong: SubmittedChange = { action: 'updateEnabled', feature: 'checkout', payload: { id: 4 } }

export function read(answer: ChangeRequestView, log: EventListView): string[] {
  return [answer.state, ...answer.features.map(({ name }) => name), ...log.events.map(({ type }) => type)]
}

export function explain(error: unknown): string {
  if (!ChangeRequestError.is(error)) return 'unknown'
  // @ts-expect-error: no such name of an error
  if (error.name === 'TeapotError') return 'never'
  return error.name === 'ConflictError' ? 'somebody was faster' : (error.details[0]?.message ?? error.message)
}
