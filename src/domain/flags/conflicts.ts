import type { Change, ChangeRequest } from '../change-request'
import { segmentId } from '../content/grouping'
import type { FeatureState, FlagState } from './flag-state'

/** What stands against applying (contract 5.6): by flag, and by the id of the change. */
export interface Conflicts {
  readonly features: ReadonlyMap<string, string>
  readonly changes: ReadonlyMap<number, string>
}

export const noConflicts: Conflicts = { features: new Map(), changes: new Map() }

/** Compares the changes with the present flags. Worked out on read, never stored. */
export function findConflicts({ changes }: ChangeRequest, state: FlagState): Conflicts {
  const features = new Map<string, string>()
  const single = new Map<number, string>()
  for (const change of changes) {
    const feature = change.feature === null ? undefined : state.features.get(change.feature)
    if (change.feature !== null && (feature === undefined || feature.archived)) {
      features.set(change.feature, feature === undefined ? 'Feature has been deleted' : 'Feature has been archived')
    }
    const conflict =
      change.feature === null ? segmentConflict(change, state) : feature && targetConflict(change, feature)
    if (conflict !== undefined) single.set(change.id, conflict)
  }
  return { features, changes: single }
}

function segmentConflict(change: Change, { segments }: FlagState): string | undefined {
  return segments.has(segmentId(change)) ? undefined : 'Segment has been deleted'
}

type Payload = { readonly [property: string]: unknown }

function targetConflict({ action, payload }: Change, feature: FeatureState): string | undefined {
  const named = payload as Payload
  const strategies = feature.strategies?.map(({ id }) => id)
  switch (action) {
    case 'updateStrategy':
    case 'deleteStrategy':
      return gone(strategies, named.id) ? 'Strategy has been deleted' : undefined
    case 'reorderStrategy':
      return (payload as readonly Payload[]).some(({ id }) => gone(strategies, id))
        ? 'Strategy has been deleted'
        : undefined
    case 'addDependency':
      return gone(feature.possibleParents, named.feature) ? 'Parent feature has been archived' : undefined
    case 'startMilestone':
      if (gone(feature.releasePlans, named.planId)) return 'Release plan has been deleted'
      return gone(feature.milestones, named.milestoneId) ? 'Milestone has been deleted' : undefined
    default:
      if (gone(feature.releasePlans, named.planId)) return 'Release plan has been deleted'
      return gone(feature.milestones, named.sourceMilestone) ? 'Milestone has been deleted' : undefined
  }
}

/** False where the gateway does not say, or the change does not name one. */
function gone(present: readonly string[] | undefined, name: unknown): boolean {
  return present !== undefined && typeof name === 'string' && !present.includes(name)
}

/** The first of them as a sentence for the refusal of an apply; undefined when there is none. */
export function firstConflict({ features, changes }: Conflicts): string | undefined {
  for (const [feature, conflict] of features) return `${feature}: ${conflict}`
  for (const [id, conflict] of changes) return `change ${id}: ${conflict}`
  return undefined
}
