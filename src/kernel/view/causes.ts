import type { Target } from '../../domain/actions/action'
import { definitionOf, segmentId } from '../../domain/actions/table'
import type { Change, ChangeRequest } from '../../domain/change-request'
import type { ChangeDiff } from '../../domain/diff/diff'
import { instantOf } from '../../domain/instants'
import type { EventType } from '../../generated/index'
import type { Actor } from '../../ports/access'
import type { EventCursor, EventFilter } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'
import { findPeople } from '../host/find-users'
import type { HostServices } from '../host-services'
import { parsedEvents } from '../log/event-bytes'
import { canSeeActivity } from './event-visibility'

export interface Cause {
  readonly eventId: number
  /** The current name of the user, as the rest of the review has it; else as in the event. */
  readonly createdBy: string
  readonly createdAt: string
  readonly changeRequestId?: number
}

/** Maximum number of the newest events of a target that are searched. */
const searched = 100

const ofStrategies = ['feature-strategy-add', 'feature-strategy-update', 'feature-strategy-remove'] as const
const ofPlans = ['release-plan-added', 'release-plan-removed', 'release-plan-milestone-started'] as const

const eventTypes: { readonly [target in Target]: readonly EventType[] } = {
  segment: ['segment-updated', 'segment-deleted'],
  flag: [],
  switch: ['feature-environment-enabled', 'feature-environment-disabled'],
  strategy: [...ofStrategies, 'strategy-order-changed'],
  strategies: [...ofStrategies, 'strategy-order-changed'],
  variants: ['feature-environment-variants-updated', 'feature-variants-updated'],
  parents: ['feature-dependency-added', 'feature-dependency-removed', 'feature-dependencies-removed'],
  'release plan': ofPlans,
  milestone: ofPlans,
  safeguard: ofPlans,
}

const ofFlags: readonly EventType[] = ['feature-archived', 'feature-deleted', 'feature-project-change']

/**
 * The newest event about each change that conflicts or overwrites, by its id: absent if the log has none, or if it belongs to
 * a project whose activity the caller cannot see (contract 16).
 */
export async function findCauses(
  services: HostServices,
  actor: Actor,
  changeRequest: ChangeRequest,
  diffs: readonly ChangeDiff[],
): Promise<ReadonlyMap<number, Cause>> {
  const { storage } = services
  const questioned = diffs.filter(({ conflict, fields }) => conflict !== null || fields.some((one) => one.overwrites))
  const ids = new Set(questioned.map(({ id }) => id))
  const changes = changeRequest.changes.filter(({ id }) => ids.has(id))
  // Changes of the same target share one read.
  const reads = new Map<string, Promise<readonly StoredEvent[]>>()
  const isVisible = visibleTo(services, actor, changeRequest)
  const found = changes.map(async (change) => {
    const filter = filterOf(change, changeRequest)
    const key = JSON.stringify(filter)
    const read = reads.get(key) ?? readEvents(storage, filter, { before: Number.MAX_SAFE_INTEGER }, searched)
    reads.set(key, read)
    const event = (await read).find(
      (one) => instantOf(one.createdAt) >= instantOf(baseTime(change)) && isAbout(one, change, changeRequest),
    )
    if (event === undefined || !(await isVisible(event))) return undefined
    return [change.id, event, await toCause(storage, event)] as const
  })
  const causes = (await Promise.all(found)).filter((one) => one !== undefined)
  const people = await findPeople(services, new Set(causes.map(([, event]) => userIdOf(event)).filter((id) => id > 0)))
  return new Map(
    causes.map(([id, event, cause]) => {
      const createdBy = people?.get(userIdOf(event))?.username ?? cause.createdBy
      return [id, { ...cause, createdBy }]
    }),
  )
}

/** Segments can also be changed from other projects. Anyone who sees the change request can see the activity in its project. */
function visibleTo(services: HostServices, actor: Actor, own: ChangeRequest) {
  const known = new Map<string, Promise<boolean>>()
  return async ({ project }: StoredEvent): Promise<boolean> => {
    if (project === null || project === own.project) return true
    const answer = known.get(project) ?? canSeeActivity(services, actor, project)
    known.set(project, answer)
    return answer
  }
}

/** The author has seen all events before this time. */
function baseTime({ createdAt, rebasedAt = createdAt }: Change): string {
  return rebasedAt
}

/** Segments can be changed from any project. */
function filterOf(change: Change, { project }: ChangeRequest): EventFilter {
  const types = eventTypes[definitionOf(change).target]
  const from = baseTime(change).slice(0, 10)
  if (change.feature === null) return { types, from }
  return { projects: [project], features: [change.feature], types: [...types, ...ofFlags], from }
}

interface StoredEvent {
  readonly id: number
  readonly createdAt: string
  readonly createdBy: string
  readonly createdByUserId?: number | null
  readonly environment: string | null
  readonly project: string | null
  readonly data: { readonly id?: unknown; readonly changeRequestId?: number } | null
  readonly preData: { readonly id?: unknown } | null
  readonly groupType?: string
}

/** 0 without a user; the system and admin tokens have negative ids. */
function userIdOf({ createdByUserId }: StoredEvent): number {
  return createdByUserId ?? 0
}

/** An event without the id of a strategy may be about any strategy. */
function isAbout({ environment, data, preData }: StoredEvent, change: Change, place: ChangeRequest): boolean {
  if (environment !== null && environment !== place.environment) return false
  const id = data?.id ?? preData?.id
  if (change.feature === null) return id === segmentId(change)
  const named = definitionOf(change).target === 'strategy' ? (change.payload as { readonly id: string }).id : undefined
  return id === undefined || named === undefined || id === named
}

/** The flag events of an apply are stored right before its own event, which names the change request. */
async function toCause(storage: Storage, event: StoredEvent): Promise<Cause> {
  const { id, createdBy, createdAt, project, groupType } = event
  const cause = { eventId: id, createdBy, createdAt }
  if (groupType !== 'change-request' || project === null) return cause
  const filter = { projects: [project], types: ['change-request-applied'] }
  const [applied] = await readEvents(storage, filter, { after: id }, 1)
  const changeRequestId = applied?.data?.changeRequestId
  return changeRequestId === undefined ? cause : { ...cause, changeRequestId }
}

async function readEvents(storage: Storage, filter: EventFilter, cursor: EventCursor, limit: number) {
  return parsedEvents(await storage.eventPage(filter, cursor, limit, true)) as readonly StoredEvent[]
}
