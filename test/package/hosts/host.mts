import express from 'express'
import {
  type Action,
  type Actor,
  type ApplicableChange,
  type Authorize,
  ChangeRequestError,
  createChangeRequestRouter,
  type ErrorName,
  type EventType,
  type FlagGateway,
  memoryStorage,
  type Storage,
  type TransactionStorage,
  type UserDirectory,
} from 'express-change-requests'
import { type KnexStorage, knexStorage } from 'express-change-requests/knex'
import { describeHttp, describeStorage, type HttpHost, type OpenStorage } from 'express-change-requests/testing'
import type {
  ChangeRequestView,
  EventListView,
  EventView,
  StateUpdate,
  SubmittedChange,
} from 'express-change-requests/types'
import knex, { type Knex } from 'knex'

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
    return changes.map((change: ApplicableChange) => ({
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
// A gate leaves the types of the handler behind it as they are without it.
express().patch(
  '/flags/:name',
  router.gate(() => null),
  (req, res) => void res.send(req.params.name satisfies string),
)

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
  return error.name === 'ConflictError' ? 'another user was faster' : (error.details[0]?.message ?? error.message)
}

// The type of what authenticate returns is inferred for authorize.
createChangeRequestRouter({
  storage: memoryStorage(),
  authenticate: async (req) => (req.get('x-user') ? { id: 1, teams: ['shop'] } : null),
  authorize: ({ id, teams }, permission, { project }) =>
    id === 1 && permission === 'READ_EVENTS' && teams.includes(project ?? ''),
})
createChangeRequestRouter({
  storage: memoryStorage(),
  authenticate: (req) => (req.get('x-user') ? { id: 1, teams: ['shop'] } : { id: null, machine: 'ci' }),
  authorize: (actor) => ('machine' in actor ? actor.machine === 'ci' : actor.teams?.includes('shop') === true),
})
createChangeRequestRouter({
  storage: memoryStorage(),
  authenticate: () => ({ id: 1, teams: ['shop'] }),
  // @ts-expect-error: the actors of this host have teams, no roles
  authorize: ({ roles }) => roles.length > 0,
})
createChangeRequestRouter({
  storage: memoryStorage(),
  // @ts-expect-error: authorize needs teams, and these actors have none
  authenticate: () => ({ id: 1 }),
  authorize: (({ teams }) => teams.length > 0) satisfies Authorize<Actor & { readonly teams: readonly string[] }>,
})

// @ts-expect-error: a storage has to do all of it
export const halfStorage: Storage = { ...memoryStorage(), commit: undefined }
// @ts-expect-error: a gateway must return the current flags
export const halfGateway: FlagGateway = { apply: async () => [] }
// @ts-expect-error: a directory of users must list the reviewers
export const halfUsers: UserDirectory = { find: () => [] }
export const inside: TransactionStorage = own.within(await knex({ client: 'pg' }).transaction())
// @ts-expect-error: in a transaction of the host nothing is read
await inside.find({ project: 'shop' }, 1)
// @ts-expect-error: Knex is no transaction
own.within(knex({ client: 'pg' }))
// @ts-expect-error: not every storage shares transactions
memoryStorage().within({})
// @ts-expect-error: a port that is not handed in cannot be half there
createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null, flags: { current: flags.current } })

const retried = ['ConflictError', 'UnavailableError'] as const satisfies readonly ErrorName[]
// @ts-expect-error: no such name of an error
new ChangeRequestError('TeapotError', 'It is short and stout.')
export function mayRetry(error: ChangeRequestError): (typeof retried)[number] | undefined {
  // @ts-expect-error: not every name is one of those
  const name: (typeof retried)[number] = error.name
  return error.name === 'ConflictError' || error.name === 'UnavailableError' ? error.name : name
}

export const archived: EventType = 'feature-archived'
export function typeOf(event: EventView): string {
  switch (event.type) {
    case 'feature-archived':
      return event.type satisfies 'feature-archived'
    // @ts-expect-error: no such type of event
    case 'feature-exploded':
      return 'never'
    default:
      // @ts-expect-error: that one is dealt with
      return event.type === 'feature-archived' ? '' : event.type
  }
}

/** The action decides about the payload. */
export function sense(change: SubmittedChange): boolean | string | number {
  switch (change.action) {
    case 'updateEnabled':
      return change.payload.enabled
    case 'deleteStrategy':
      return change.payload.id
    case 'deleteSegment':
      return change.payload.id
    case 'archiveFeature':
      return change.feature
    case 'reorderStrategy':
      // @ts-expect-error: a list has no id
      return change.payload.id
    // @ts-expect-error: no such action
    case 'paintFeature':
      return 'never'
    default:
      return change.action
  }
}

export function runsAt(view: ChangeRequestView): string {
  // @ts-expect-error: a schedule is there in the state Scheduled only
  const early = view.schedule
  return view.state === 'Scheduled' ? view.schedule.scheduledAt : String(early)
}

/** So it does for a gateway, which also knows when there is a flag. */
export function carriedOut(change: ApplicableChange): boolean | string | number {
  change.id satisfies number | null
  change.action satisfies Action
  switch (change.action) {
    case 'updateEnabled':
      change.feature satisfies string
      // @ts-expect-error: the name of the flag is no number
      change.feature satisfies number
      // @ts-expect-error: on or off, and no word for it
      change.payload.enabled satisfies string
      return change.payload.enabled
    case 'deleteSegment':
      change.feature satisfies null
      // @ts-expect-error: a segment is no flag
      change.feature satisfies string
      return change.payload.id
    case 'reorderStrategy':
      // @ts-expect-error: a list has no id
      change.payload.id
      return change.payload.map(({ id, sortOrder }) => `${id} ${sortOrder}`).join()
    case 'deleteDependency':
      return Object.keys(change.payload).length
    case 'archiveFeature':
      // @ts-expect-error: there is nothing in it
      return change.payload.enabled satisfies boolean
    // @ts-expect-error: no such action
    case 'paintFeature':
      return 'never'
    default:
      return change.action
  }
}
export const switched: ApplicableChange<'updateEnabled'> = {
  id: null,
  action: 'updateEnabled',
  feature: 'checkout',
  payload: { enabled: true },
}
// @ts-expect-error: the payload belongs to another action
export const mixed: ApplicableChange = { id: 1, action: 'updateEnabled', feature: 'checkout', payload: { id: 's1' } }

// The type of the transaction is inferred from the storage.
createChangeRequestRouter({
  storage: own,
  authenticate: () => null,
  flags: {
    transactional: true,
    actions: ['updateEnabled', 'archiveFeature'],
    async current({ features }, options) {
      options?.forUpdate satisfies true | undefined
      const rows = await options?.transaction('flags').whereIn('name', features).forUpdate()
      // @ts-expect-error: Knex has no such method
      options?.transaction.lock()
      return {
        features: new Map(rows?.map(({ name, enabled }) => [name, { archived: false, enabled }])),
        segments: new Map(),
      }
    },
    async apply(changes, { transaction }) {
      for (const { feature } of changes) await transaction('flags').where({ name: feature }).update({ enabled: true })
      // @ts-expect-error: Knex has no such method
      transaction.lock()
      return []
    },
  },
})
const shared: FlagGateway<Knex.Transaction> = {
  transactional: true,
  current: async (_, options) => {
    const rows = options?.transaction('flags').forUpdate()
    return { features: new Map(await rows), segments: new Map() }
  },
  apply: async (_, { transaction }) =>
    transaction('flags')
      .where({ id: 1 })
      .update({ enabled: true })
      .then(() => []),
}
createChangeRequestRouter({ storage: own, authenticate: () => null, flags: shared })
createChangeRequestRouter<Actor>({ storage: own, authenticate: () => null, flags: shared })
createChangeRequestRouter({
  storage: own,
  authenticate: async () => ({ id: 1, teams: [] }),
  authorize: ({ teams }) => teams.length > 0,
  flags: shared,
})
createChangeRequestRouter({ storage: own, authenticate: () => null, flags })
export const apart: FlagGateway = {
  current: flags.current,
  async apply(_, { transaction }) {
    // @ts-expect-error: without a storage that is named nobody knows what it is
    transaction('flags')
    return []
  },
}
// @ts-expect-error: no such action
createChangeRequestRouter({ storage: own, authenticate: () => null, flags: { ...shared, actions: ['paintFeature'] } })

const described = router.openapi({ mountPath: '/flags' })
export const served: string[] = Object.keys(described.paths)
described.servers.push({ url: 'https://admin.example.com' })
// @ts-expect-error: no such option
router.openapi({ basePath: '/flags' })
