import { definitionOf, segmentId } from '../actions/table'
import type { Change, ChangeRequest } from '../change-request'

export interface ConflictingSchedule {
  readonly id: number
  readonly title: string | null
}

/** The target that two changes with conflicting schedules share (contract 5.6); undefined for all other changes. */
export function contendedTarget(
  change: Change,
  { environment }: Pick<ChangeRequest, 'environment'>,
): string | undefined {
  const { feature, payload } = change
  if (feature === null) return `segment ${segmentId(change)}`
  switch (definitionOf(change).target) {
    case 'strategy':
      return `strategy ${environment} ${feature} ${(payload as { readonly id: string }).id}`
    case 'variants':
      return `variants ${environment} ${feature}`
    case 'flag':
      return `flag ${feature}`
    default:
      return undefined
  }
}

/** For each change, the other scheduled change requests of the project with the same target. */
export function findScheduleConflicts(
  current: ChangeRequest,
  scheduled: readonly ChangeRequest[],
): ReadonlyMap<number, readonly ConflictingSchedule[]> {
  const found = new Map<number, ConflictingSchedule[]>()
  const others = scheduled
    .filter(({ id, project }) => id !== current.id && project === current.project)
    .sort((one, other) => one.id - other.id)
    .map((other) => ({ other, targets: new Set(other.changes.map((change) => contendedTarget(change, other))) }))
  for (const change of current.changes) {
    const target = contendedTarget(change, current)
    if (target === undefined) continue
    const conflicting = others
      .filter(({ targets }) => targets.has(target))
      .map(({ other: { id, title } }) => ({ id, title }))
    if (conflicting.length > 0) found.set(change.id, conflicting)
  }
  return found
}

export interface ScheduledQuery {
  /** Flags with any change. */
  readonly features: readonly string[]
  /** Ids of strategies that are changed. */
  readonly strategyIds: readonly string[]
  /** Flags whose variants are changed. */
  readonly variantsOf: readonly string[]
}

/** True if a change of the change request has a target of the query (contract 3.4). */
export function touches({ changes }: ChangeRequest, { features, strategyIds, variantsOf }: ScheduledQuery): boolean {
  return changes.some((change) => {
    const { feature, payload } = change
    if (feature === null) return false
    if (features.includes(feature)) return true
    const { target } = definitionOf(change)
    if (target === 'variants') return variantsOf.includes(feature)
    return target === 'strategy' && strategyIds.includes((payload as { readonly id: string }).id)
  })
}
