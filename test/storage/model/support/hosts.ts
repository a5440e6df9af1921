import {
  type ApplicableChange,
  type ApplyContext,
  ChangeRequestError,
  type ChangeRequestRouterOptions,
  createChangeRequestRouter,
  type FlagEvent,
  type FlagGateway,
  type FlagState,
  type Storage,
} from '../../../../src'
import { longTimeoutLimits } from '../../../support/databases/long-timeouts'
import { authenticate, people } from './callers'

export const noon = Date.parse('2026-03-04T12:00:00.000Z')

/** A clock that only a test advances. */
export class Clock {
  #now = noon

  readonly now = () => new Date(this.#now)

  forward(ms: number): void {
    this.#now += ms
  }
}

export const flagNames = ['checkout', 'search', 'basket'] as const

export interface Applied {
  readonly applyId: string
  readonly changeRequestId: number
  readonly changes: readonly ApplicableChange[]
}

/** A remote gateway with flags in memory. It remembers every apply attempt that it has completed. */
export class Flags implements FlagGateway {
  readonly transactional: boolean
  readonly archived = new Set<string>()
  readonly applied: Applied[] = []
  readonly known = new Map<string, readonly FlagEvent[]>()
  readonly refused = new Set<string>()
  /** How the next apply attempt fails. */
  fails: 'conflict' | 'error' | null = null

  constructor({ transactional = false } = {}) {
    this.transactional = transactional
  }

  async current({ features, segments }: Parameters<FlagGateway['current']>[0]): Promise<FlagState> {
    const state = (name: string) => ({ archived: this.archived.has(name), enabled: false, strategies: [] })
    return {
      features: new Map(features.map((name) => [name, state(name)])),
      segments: new Map(segments.map((id) => [id, { name: `segment ${id}` }])),
    }
  }

  async apply(changes: readonly ApplicableChange[], context: ApplyContext): Promise<readonly FlagEvent[]> {
    const { fails } = this
    this.fails = null
    if (fails === 'conflict') throw new ChangeRequestError('ConflictError', 'The flags have moved on.')
    if (fails === 'error') throw new Error('The flags are unavailable.')
    return this.carryOut(changes, context)
  }

  async outcome(applyId: string): Promise<readonly FlagEvent[] | null> {
    const events = this.known.get(applyId)
    if (events === undefined) this.refused.add(applyId)
    return events ?? null
  }

  carryOut(changes: readonly ApplicableChange[], { applyId, changeRequestId }: ApplyContext) {
    if (this.refused.has(applyId)) throw new ChangeRequestError('ConflictError', 'This apply attempt came too late.')
    // Changes without an id are implied (contract 5.5).
    const submitted = changes.filter(({ id }) => id !== null)
    this.applied.push({ applyId, changeRequestId, changes: submitted })
    const events = submitted.map(
      ({ feature }): FlagEvent => ({ type: 'feature-environment-enabled', featureName: feature }),
    )
    this.known.set(applyId, events)
    return events
  }

  /** How often the changes of a change request were applied. */
  times(changeRequestId: number): number {
    return this.applied.filter((one) => one.changeRequestId === changeRequestId).length
  }
}

/** A router in one process of the host; two routers on one storage are two processes. */
export function openRouter(storage: Storage, options: Partial<ChangeRequestRouterOptions> = {}) {
  const { clock = () => new Date(noon), ...rest } = options
  const limits = { ...longTimeoutLimits, ...options.limits }
  return createChangeRequestRouter({
    storage,
    authenticate,
    clock,
    users: directoryOfUsers,
    logger: false,
    ...rest,
    limits,
  })
}

const users = Object.values(people).map(({ user }) => ({ ...user, id: Number(user.id), email: String(user.email) }))

const directoryOfUsers = {
  find: (ids: readonly number[]) => users.filter(({ id }) => ids.includes(id)),
  reviewers: (_: string, environment: string) =>
    users.filter(({ username }) => username !== 'bot' && (username !== 'cleo' || environment === 'production')),
}

/** The stored events above an id, oldest first. */
export async function eventsAfter(storage: Storage, after: number, project?: string) {
  const { json } = await storage.eventPage(project === undefined ? {} : { projects: [project] }, { after }, 1000)
  return JSON.parse(`[${Buffer.from(json)}]`) as {
    id: number
    type: string
    createdByUserId: number
    environment: string
    featureName: string | null
    data: { changeRequestId: number; digest?: string }
  }[]
}

/** The types of all events, oldest first. */
export async function eventTypes(storage: Storage): Promise<string[]> {
  return (await eventsAfter(storage, 0)).map(({ type }) => type)
}
