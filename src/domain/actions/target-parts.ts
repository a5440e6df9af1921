import type { JsonValue } from '../change-request'
import type { FeatureState, SegmentState, StrategyState } from '../flag-state'
import { copyOf } from '../json-copy'

/**
 * The part of its target that an action can alter: null where the target does not exist, undefined where the gateway does
 * not say. Parts are copies, so they stay as they were read.
 */
export type TargetPart = { readonly [property: string]: JsonValue } | null | undefined

export function segment(_payload: object, present: SegmentState | undefined): TargetPart {
  return present === undefined ? null : copyOf(present)
}

export function enabled(_payload: object, { enabled }: FeatureState): TargetPart {
  return { enabled }
}

export function archived(_payload: object, { archived }: FeatureState): TargetPart {
  return { archived }
}

export function strategy({ id }: { readonly id: string }, { strategies }: FeatureState): TargetPart {
  return strategyAmong(strategies, id)
}

export function milestoneStrategy({ id }: { readonly id: string }, { milestoneStrategies }: FeatureState): TargetPart {
  return strategyAmong(milestoneStrategies, id)
}

function strategyAmong(strategies: readonly StrategyState[] | undefined, id: string): TargetPart {
  return strategies && copyOf(strategies.find((one) => one.id === id) ?? null)
}

/** What is added is a target of its own, which does not exist before. */
export function added(): TargetPart {
  return null
}

export function variants(_payload: object, { variants }: FeatureState): TargetPart {
  return variants && { variants: copyOf([...variants]) }
}

/** The strategies with the numbers that order them; the place of one without a number is its number. */
export function order(_payload: object, { strategies }: FeatureState): TargetPart {
  return (
    strategies && {
      order: strategies.map(({ id, sortOrder }, index) => ({
        id,
        sortOrder: typeof sortOrder === 'number' ? sortOrder : index,
      })),
    }
  )
}

export function dependencies(_payload: object, { dependencies }: FeatureState): TargetPart {
  return dependencies && { dependencies: copyOf([...dependencies]) }
}

/** Of a release plan the gateway says no more than that it exists. */
export function plan({ planId }: { readonly planId: string }, { releasePlans }: FeatureState): TargetPart {
  return existing(planId, releasePlans)
}

export function milestone(payload: { readonly milestoneId: string }, { milestones }: FeatureState): TargetPart {
  return existing(payload.milestoneId, milestones)
}

export function sourceMilestone(
  payload: { readonly sourceMilestone: string },
  { milestones }: FeatureState,
): TargetPart {
  return existing(payload.sourceMilestone, milestones)
}

function existing(id: string, present: readonly string[] | undefined): TargetPart {
  return present && (present.includes(id) ? { id } : null)
}
