import type { FeatureState, SegmentState } from '../flag-state'

interface Named {
  readonly id: string
}

/** Each says why a change cannot be applied, or nothing where its target exists or the gateway does not say. */

export function segment(_payload: object, present: SegmentState | undefined): string | undefined {
  return present === undefined ? 'Segment has been deleted' : undefined
}

export function strategy(named: Named, { strategies }: FeatureState): string | undefined {
  return anyStrategy([named], strategies)
}

export function milestoneStrategy(named: Named, { milestoneStrategies }: FeatureState): string | undefined {
  return anyStrategy([named], milestoneStrategies)
}

export function strategies(named: readonly Named[], { strategies }: FeatureState): string | undefined {
  return anyStrategy(named, strategies)
}

function anyStrategy(named: readonly Named[], strategies: readonly Named[] | undefined): string | undefined {
  const present = strategies?.map(({ id }) => id)
  return named.some(({ id }) => isMissing(id, present)) ? 'Strategy has been deleted' : undefined
}

export function parent({ feature }: { readonly feature: string }, { possibleParents }: FeatureState) {
  return isMissing(feature, possibleParents) ? 'Parent feature has been archived' : undefined
}

export function plan({ planId }: { readonly planId: string }, { releasePlans }: FeatureState): string | undefined {
  return isMissing(planId, releasePlans) ? 'Release plan has been deleted' : undefined
}

export function sourceMilestone({ sourceMilestone }: { readonly sourceMilestone: string }, feature: FeatureState) {
  return milestone(sourceMilestone, feature)
}

export function planOrMilestone(
  payload: { readonly planId: string; readonly milestoneId: string },
  feature: FeatureState,
): string | undefined {
  return plan(payload, feature) ?? milestone(payload.milestoneId, feature)
}

function milestone(id: string, { milestones }: FeatureState): string | undefined {
  return isMissing(id, milestones) ? 'Milestone has been deleted' : undefined
}

function isMissing(name: string, present: readonly string[] | undefined): boolean {
  return present?.includes(name) === false
}
