import type { JsonValue } from '../change-request'
import type { FeatureState, SegmentState } from '../flag-state'
import { dependencies as dependenciesOf, order as orderOf } from './target-parts'

/** Each returns the target of a change as it is now; nothing where it does not exist or the gateway does not say. */

export function segment(_payload: object, present: SegmentState | undefined): JsonValue | undefined {
  return present
}

export function strategy({ id }: { readonly id: string }, { strategies }: FeatureState): JsonValue | undefined {
  return strategies?.find((one) => one.id === id)
}

export function milestoneStrategy({ id }: { readonly id: string }, { milestoneStrategies }: FeatureState) {
  return milestoneStrategies?.find((one) => one.id === id)
}

export function variants(_payload: object, { variants }: FeatureState): JsonValue | undefined {
  return variants === undefined ? undefined : { variants: [...variants] }
}

export function enabled(_payload: object, { enabled }: FeatureState): JsonValue {
  return { enabled }
}

export function order(_payload: object, feature: FeatureState): JsonValue | undefined {
  return orderOf(_payload, feature) ?? undefined
}

export function dependencies(_payload: object, feature: FeatureState): JsonValue | undefined {
  return dependenciesOf(_payload, feature) ?? undefined
}
