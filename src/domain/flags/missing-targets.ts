import type { FeatureState, SegmentState } from './flag-state'

const strategyGone = 'Strategy has been deleted'

/** Each says why a change cannot be applied, or nothing where its target exists or the gateway does not say. */

export function segment(_payload: object, present: SegmentState | undefined): string | undefined {
  return present === undefined ? 'Segment has been deleted' : undefined
}

export function strategy({ id }: { readonly id: string }, feature: FeatureState): string | undefined {
  return strategies([{ id }], feature)
}

export function milestoneStrategy({ id }: { readonly id: string }, { milestoneStrategies }: FeatureState) {
  return isMissing(
    id,
    milestoneStrategies?.map((one) => one.id),
  )
    ? strategyGone
    : undefined
}

export function strategies(named: readonly { readonly id: string }[], feature: FeatureState): string | undefined {
  const present = feature.strategies?.map(({ id }) => id)
  return named.some(({ id }) => isMissing(id, present)) ? strategyGone : undefined
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
