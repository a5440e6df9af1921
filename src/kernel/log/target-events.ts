import type { Target } from '../../domain/actions/action'
import { definitionOf, segmentId } from '../../domain/actions/table'
import type { Change, ChangeRequest } from '../../domain/change-request'
import { instantOf } from '../../domain/instants'
import type { EventType } from '../../generated/index'
import type { EventCursor, EventFilter } from '../../ports/storage/events'
import type { Storage } from '../../ports/storage/storage'
import { parsedEvents } from './event-bytes'

/** What is read of an event about the target of a change. */
export interface TargetEvent {
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

/** Maximum number of events of a target that are searched. */
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

type Storages = Pick<Storage, 'eventPage'>

/** Finds the newest event about the target of a change since it was proposed. Changes of the same target share one read. */
export function newestTargetEvents(storage: Storages, place: ChangeRequest) {
  return targetEvents(storage, place, { before: Number.MAX_SAFE_INTEGER })
}

/** Finds the first event about the target of a change after the event with this id. */
export function laterTargetEvents(storage: Storages, place: ChangeRequest, id: number) {
  return targetEvents(storage, place, { after: id })
}

function targetEvents(storage: Storages, place: ChangeRequest, cursor: EventCursor) {
  const reads = new Map<string, Promise<readonly TargetEvent[]>>()
  return async (change: Change): Promise<TargetEvent | undefined> => {
    const filter = filterOf(change, place)
    const key = JSON.stringify(filter)
    const read = reads.get(key) ?? readEvents(storage, filter, cursor, searched)
    reads.set(key, read)
    return (await read).find(
      (one) => instantOf(one.createdAt) >= instantOf(baseTime(change)) && isAbout(one, change, place),
    )
  }
}

/** The change request whose apply wrote the flag event; undefined if none did. */
export async function changeRequestOf(storage: Storages, event: TargetEvent): Promise<number | undefined> {
  const { id, project, groupType } = event
  if (groupType !== 'change-request' || project === null) return undefined
  // The flag events of an apply are stored right before its own event, which names the change request.
  const filter = { projects: [project], types: ['change-request-applied'] }
  const [applied] = await readEvents(storage, filter, { after: id }, 1)
  return applied?.data?.changeRequestId
}

/** The id of the event that it was applied; undefined if it has none, or no longer has one. */
export async function appliedEventOf(storage: Storages, changeRequestId: number): Promise<number | undefined> {
  const filter = { changeRequestIds: [changeRequestId], types: ['change-request-applied'] }
  const [applied] = await readEvents(storage, filter, { before: Number.MAX_SAFE_INTEGER }, 1)
  return applied?.id
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

/** An event without the id of a strategy may be about any strategy. */
function isAbout({ environment, data, preData }: TargetEvent, change: Change, place: ChangeRequest): boolean {
  if (environment !== null && environment !== place.environment) return false
  const id = data?.id ?? preData?.id
  if (change.feature === null) return id === segmentId(change)
  const named = definitionOf(change).target === 'strategy' ? (change.payload as { readonly id: string }).id : undefined
  return id === undefined || named === undefined || id === named
}

async function readEvents(storage: Storages, filter: EventFilter, cursor: EventCursor, limit: number) {
  return parsedEvents(await storage.eventPage(filter, cursor, limit, true)) as readonly TargetEvent[]
}
