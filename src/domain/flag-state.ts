import type { Action } from '../generated/index'
import type { JsonValue } from './change-request'

/** What a change request touches. */
export interface Subjects {
  readonly project: string
  readonly environment: string
  readonly features: readonly string[]
  readonly segments: readonly number[]
}

/** A strategy of a flag in the environment, as it is now. */
export interface StrategyState {
  readonly id: string
  readonly name: string
  readonly disabled: boolean
  readonly [property: string]: JsonValue
}

/** A flag in the environment, as it is now. */
export interface FeatureState {
  readonly archived: boolean
  readonly enabled: boolean
  readonly strategies: readonly StrategyState[]
  readonly variants?: readonly JsonValue[]
  /** Parents named by the changes that exist and are not archived; left out: parents are not checked. */
  readonly possibleParents?: readonly string[]
  /** Ids of the release plans and milestones there are; left out: they are not checked. */
  readonly releasePlans?: readonly string[]
  readonly milestones?: readonly string[]
  readonly tags?: readonly { readonly type: string; readonly value: string }[]
}

export interface SegmentState {
  readonly name: string
  readonly [property: string]: JsonValue
}

/** What the flag gateway tells of the subjects; a flag or segment that is missing here is gone. */
export interface FlagState {
  readonly features: ReadonlyMap<string, FeatureState>
  readonly segments: ReadonlyMap<number, SegmentState>
  /** The default strategy of the project and environment, if there is one. */
  readonly defaultStrategy?: { readonly [property: string]: JsonValue }
}

/** A change that comes along although nobody submitted it (contract 5.5). */
export interface DefaultChange {
  readonly action: Action
  readonly feature: string | null
  readonly payload: JsonValue
}
