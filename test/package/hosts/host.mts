import express from 'express'
import {
  type Actor,
  ChangeRequestError,
  type ChangeRequestView,
  createChangeRequestRouter,
  type EventListView,
  memoryStorage,
  type Storage,
  type SubmittedChange,
} from 'express-change-requests'
import { type KnexStorage, knexStorage } from 'express-change-requests/knex'
import { describeStorage, type OpenStorage } from 'express-change-requests/testing'
import knex from 'knex'

const own: KnexStorage = knexStorage({ knex: knex({ client: 'better-sqlite3' }), durability: 'normal' })
const open = async (): Promise<OpenStorage> => ({ storage: own satisfies Storage, close: () => own.close() })
export const suite = () => describeStorage({ describe: () => {}, it: () => {}, expect: never }, 'mine', open)
declare const never: never

const router = createChangeRequestRouter({
  storage: memoryStorage(),
  authenticate: async (req): Promise<Actor | null> => (req.get('authorization') ? { id: 1 } : null),
  directory: { hasProject: async (project) => project === 'shop', knownFeatures: (_, features) => features },
  limits: { bodyBytes: 1024 },
  logger: console,
})
await router.migrate()
express().use(router)

await router.events.record({ type: 'feature-archived', project: 'shop', featureName: 'checkout' })
// @ts-expect-error: no such type of event
await router.events.record({ type: 'feature-exploded' })

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
