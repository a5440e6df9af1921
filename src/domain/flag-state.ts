import type { JsonValue, NewChange } from './change-request'

/** The flags and segments of a change request, which the {@link FlagGateway} reads. */
export interface Subjects {
  /** The project that the flags belong to. */
  readonly project: string
  /** The environment of the change request. */
  readonly environment: string
  /** Names of flags. */
  readonly features: readonly string[]
  /** Ids of segments. */
  readonly segments: readonly number[]
  /** What the changes name without changing it; absent if nothing is to be checked. */
  readonly mentions?: Mentions
}

/**
 * What changes name without changing it. The {@link FlagGateway} returns in {@link FlagState.missing} what does not exist.
 */
export interface Mentions {
  /** Ids of segments in strategies. */
  readonly segments: readonly number[]
  /** Ids of the templates of release plans. */
  readonly templates: readonly string[]
}

/**
 * The current state of a strategy of a flag in the environment. Other properties are stored unchanged. A strategy of a milestone
 * can have `milestoneId`, the id of that milestone: starting the milestone then shows, and binds, what it starts.
 */
export interface StrategyState {
  /** The id by which changes name it. */
  readonly id: string
  /** Kind of the strategy. */
  readonly name: string
  /** Whether it is ignored when the flag is evaluated. */
  readonly disabled: boolean
  readonly [property: string]: JsonValue
}

/** The current state of a flag in the environment. */
export interface FeatureState {
  /** Archived in all environments; no change of it can be applied. */
  readonly archived: boolean
  /** On in this environment. */
  readonly enabled: boolean
  /**
   * Those of this environment. Left out if flags have no strategies: they are then not checked, and there are no implied
   * changes.
   */
  readonly strategies?: readonly StrategyState[]
  /** Those of this environment; stored in snapshots. */
  readonly variants?: readonly JsonValue[]
  /** Parents named by the changes that exist and are not archived; left out: parents are not checked. */
  readonly possibleParents?: readonly string[]
  /** Its parents, in the form of the payload of `addDependency`; left out: unknown. */
  readonly dependencies?: readonly JsonValue[]
  /** Ids of the existing release plans; left out: they are not checked. */
  readonly releasePlans?: readonly string[]
  /** Ids of the existing milestones; left out: they are not checked. */
  readonly milestones?: readonly string[]
  /**
   * The strategies of these milestones, with `milestoneId`; left out: unknown. Those without `milestoneId` are not part of what
   * `startMilestone` stands for: a review does not show them, and an approval does not cover them.
   */
  readonly milestoneStrategies?: readonly StrategyState[]
  /** Copied into the events of its changes. */
  readonly tags?: readonly { readonly type: string; readonly value: string }[]
}

/**
 * The current state of a segment. Other properties are stored unchanged. Return `project`, the project that it is limited to,
 * or null for a segment of all projects: a change of a segment of other projects is rejected, unless the option
 * `globalSegments` is set. Without `project` nothing is rejected.
 */
export interface SegmentState {
  /** Shown with the changes of the segment. */
  readonly name: string
  readonly [property: string]: JsonValue
}

/** What the {@link FlagGateway} returns for the subjects; a flag or segment that is missing here does not exist. */
export interface FlagState {
  /** By name. */
  readonly features: ReadonlyMap<string, FeatureState>
  /** By id. */
  readonly segments: ReadonlyMap<number, SegmentState>
  /** The default strategy of the project and environment, if there is one. */
  readonly defaultStrategy?: { readonly [property: string]: JsonValue }
  /**
   * Which of the {@link Subjects.mentions} do not exist: a change that names one has a conflict. A part that is left out is not
   * checked.
   */
  readonly missing?: Partial<Mentions>
  /**
   * The flags that use each of the {@link Subjects.segments}, by id; at most 100 each are shown. It is not compared and not
   * stored.
   */
  readonly segmentUse?: ReadonlyMap<number, readonly { readonly project: string; readonly feature: string }[]>
}

/** An implied change, which nobody submitted: it is applied so that no flag is on without a strategy (contract 5.5). */
export interface DefaultChange extends NewChange {
  readonly feature: string
}
