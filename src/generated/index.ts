// Generated from schemas/ by `node schemas/generate.js`. Edit the schemas, not this file.

/**
 * A change as it is proposed; the action decides which payload it takes.
 */
export type SubmittedChange =
  | UpdateSegmentChange
  | DeleteSegmentChange
  | UpdateEnabledChange
  | AddStrategyChange
  | UpdateStrategyChange
  | DeleteStrategyChange
  | ArchiveFeatureChange
  | PatchVariantChange
  | ReorderStrategyChange
  | AddDependencyChange
  | DeleteDependencyChange
  | AddReleasePlanChange
  | StartMilestoneChange
  | DeleteReleasePlanChange
  | ChangeMilestoneProgressionChange
  | DeleteMilestoneProgressionChange
  | ResumeMilestoneProgressionChange
  | UpdateMilestoneStrategyChange
  | ChangeReleasePlanSafeguardChange
  | DeleteReleasePlanSafeguardChange
  | ChangeFeatureEnvSafeguardChange
  | DeleteFeatureEnvSafeguardChange
  | ChangeSafeguardChange
  | DeleteSafeguardChange
/**
 * Number of a segment.
 */
export type SegmentId = number
/**
 * How a constraint compares the context field with its values.
 */
export type Operator =
  | 'IN'
  | 'NOT_IN'
  | 'STR_STARTS_WITH'
  | 'STR_ENDS_WITH'
  | 'STR_CONTAINS'
  | 'NUM_EQ'
  | 'NUM_GT'
  | 'NUM_GTE'
  | 'NUM_LT'
  | 'NUM_LTE'
  | 'DATE_AFTER'
  | 'DATE_BEFORE'
  | 'SEMVER_EQ'
  | 'SEMVER_GT'
  | 'SEMVER_LT'
  | 'REGEX'
  | 'SEMVER_GTE'
  | 'SEMVER_LTE'
/**
 * Conditions that must all hold.
 */
export type Constraints = Constraint[]
/**
 * Name of a project, an environment or a flag: URL-friendly characters, but neither "." nor "..".
 */
export type Name = string
/**
 * A change request: with a schedule in the state Scheduled, without one in all others.
 */
export type ChangeRequestView = UnscheduledChangeRequestView | ScheduledChangeRequestView
/**
 * What a change does. The last two are older names of the two release plan safeguard actions.
 */
export type Action =
  | 'updateSegment'
  | 'deleteSegment'
  | 'updateEnabled'
  | 'addStrategy'
  | 'updateStrategy'
  | 'deleteStrategy'
  | 'archiveFeature'
  | 'patchVariant'
  | 'reorderStrategy'
  | 'addDependency'
  | 'deleteDependency'
  | 'addReleasePlan'
  | 'startMilestone'
  | 'deleteReleasePlan'
  | 'changeMilestoneProgression'
  | 'deleteMilestoneProgression'
  | 'resumeMilestoneProgression'
  | 'updateMilestoneStrategy'
  | 'changeReleasePlanSafeguard'
  | 'deleteReleasePlanSafeguard'
  | 'changeFeatureEnvSafeguard'
  | 'deleteFeatureEnvSafeguard'
  | 'changeSafeguard'
  | 'deleteSafeguard'
/**
 * When a change request is applied by itself, and whether it will be.
 */
export type ScheduleView = PendingScheduleView | FailedScheduleView | SuspendedScheduleView
/**
 * The state that a change request is to go to.
 */
export type StateUpdate = UnscheduledStateUpdate | ScheduledStateUpdate
/**
 * The settings of all environments of a project.
 */
export type SettingsListView = EnvironmentSettingsView[]
/**
 * A change request in a list: without the times at which it entered its states.
 */
export type ListedChangeRequestView = (UnscheduledChangeRequestView | ScheduledChangeRequestView) & {
  stateTimestamps?: never
}
/**
 * Change requests, newest first.
 */
export type ChangeRequestListView = ListedChangeRequestView[]
/**
 * A change request among those found: with a schedule in the state Scheduled, without one in all others.
 */
export type ChangeRequestSearchItemView = UnscheduledSearchItemView | ScheduledSearchItemView
/**
 * What an event reports.
 */
export type EventType =
  | 'feature-created'
  | 'feature-deleted'
  | 'feature-updated'
  | 'feature-metadata-updated'
  | 'feature-archived'
  | 'feature-revived'
  | 'feature-import'
  | 'feature-project-change'
  | 'feature-type-updated'
  | 'feature-completed'
  | 'feature-uncompleted'
  | 'feature-variants-updated'
  | 'feature-environment-variants-updated'
  | 'feature-stale-on'
  | 'feature-stale-off'
  | 'feature-potentially-stale-on'
  | 'feature-environment-enabled'
  | 'feature-environment-disabled'
  | 'feature-strategy-update'
  | 'feature-strategy-add'
  | 'feature-strategy-remove'
  | 'strategy-order-changed'
  | 'default-strategy-updated'
  | 'feature-tagged'
  | 'feature-untagged'
  | 'feature-tag-import'
  | 'drop-feature-tags'
  | 'drop-features'
  | 'feature-favorited'
  | 'feature-unfavorited'
  | 'features-exported'
  | 'features-imported'
  | 'feature-dependency-added'
  | 'feature-dependency-removed'
  | 'feature-dependencies-removed'
  | 'strategy-created'
  | 'strategy-deleted'
  | 'strategy-deprecated'
  | 'strategy-reactivated'
  | 'strategy-updated'
  | 'strategy-import'
  | 'drop-strategies'
  | 'context-field-created'
  | 'context-field-updated'
  | 'context-field-deleted'
  | 'project-created'
  | 'project-updated'
  | 'project-deleted'
  | 'project-archived'
  | 'project-revived'
  | 'project-import'
  | 'drop-projects'
  | 'project-favorited'
  | 'project-unfavorited'
  | 'project-environment-added'
  | 'project-environment-removed'
  | 'project-access-added'
  | 'project-access-updated'
  | 'project-access-user-roles-updated'
  | 'project-access-group-roles-updated'
  | 'project-access-user-roles-deleted'
  | 'project-access-group-roles-deleted'
  | 'project-user-added'
  | 'project-user-removed'
  | 'project-user-role-changed'
  | 'project-group-role-changed'
  | 'project-group-added'
  | 'project-group-removed'
  | 'role-created'
  | 'role-updated'
  | 'role-deleted'
  | 'tag-created'
  | 'tag-deleted'
  | 'tag-import'
  | 'drop-tags'
  | 'tag-type-created'
  | 'tag-type-deleted'
  | 'tag-type-updated'
  | 'tag-type-import'
  | 'drop-tag-types'
  | 'addon-config-created'
  | 'addon-config-updated'
  | 'addon-config-deleted'
  | 'environment-created'
  | 'environment-updated'
  | 'environment-deleted'
  | 'environment-import'
  | 'drop-environments'
  | 'segment-created'
  | 'segment-updated'
  | 'segment-deleted'
  | 'segment-import'
  | 'group-created'
  | 'group-updated'
  | 'group-deleted'
  | 'group-user-added'
  | 'group-user-removed'
  | 'user-created'
  | 'user-updated'
  | 'user-deleted'
  | 'user-preference-updated'
  | 'service-account-created'
  | 'service-account-updated'
  | 'service-account-deleted'
  | 'scim-users-deleted'
  | 'scim-groups-deleted'
  | 'pat-created'
  | 'pat-deleted'
  | 'api-token-created'
  | 'api-token-updated'
  | 'api-token-deleted'
  | 'public-signup-token-created'
  | 'public-signup-token-user-added'
  | 'public-signup-token-updated'
  | 'setting-created'
  | 'setting-updated'
  | 'setting-deleted'
  | 'banner-created'
  | 'banner-updated'
  | 'banner-deleted'
  | 'application-created'
  | 'client-metrics'
  | 'client-register'
  | 'db-pool-update'
  | 'change-request-created'
  | 'change-request-discarded'
  | 'change-added'
  | 'change-discarded'
  | 'change-edited'
  | 'change-request-rejected'
  | 'change-request-approved'
  | 'change-request-approval-added'
  | 'change-request-cancelled'
  | 'change-request-sent-to-review'
  | 'change-request-schedule-suspended'
  | 'change-request-applied'
  | 'change-request-scheduled'
  | 'change-request-scheduled-application-success'
  | 'change-request-scheduled-application-failure'
  | 'change-request-configuration-updated'
  | 'signal-endpoint-created'
  | 'signal-endpoint-updated'
  | 'signal-endpoint-deleted'
  | 'signal-endpoint-token-created'
  | 'signal-endpoint-token-updated'
  | 'signal-endpoint-token-deleted'
  | 'actions-created'
  | 'actions-updated'
  | 'actions-deleted'
  | 'release-plan-template-created'
  | 'release-plan-template-updated'
  | 'release-plan-template-deleted'
  | 'release-plan-template-archived'
  | 'release-plan-added'
  | 'release-plan-removed'
  | 'release-plan-milestone-started'
  | 'feature-link-added'
  | 'feature-link-removed'
  | 'feature-link-updated'
  | 'service-account-token-created'
  | 'service-account-token-deleted'
  | 'safeguard-changed'
  | 'safeguard-deleted'
  | 'safeguard-triggered'
  | 'release-plan-progressions-resumed'
  | 'release-plan-progressions-paused'
  | 'milestone-progression-created'
  | 'milestone-progression-updated'
  | 'milestone-progression-deleted'
  | 'milestone-progression-changed'
  | 'cdn-token-created'
  | 'change-request-requested-approvers-updated'
  | 'impact-metric-created'
  | 'impact-metric-updated'
  | 'impact-metric-deleted'
  | 'user-access-request-registered'
  | 'user-access-request-approved'
  | 'user-access-request-rejected'
  | 'remote-mcp-server-settings-updated'
/**
 * Facts about what happened, such as the state before or after.
 */
export type EventData = {
  [k: string]: unknown
} | null
/**
 * Tags of the flag.
 */
export type Tags = Tag[] | null
/**
 * What is wrong, item by item.
 *
 * @minItems 1
 */
export type ErrorDetailsView = {
  /**
   * What is wrong.
   */
  message: string
  /**
   * Where in the request.
   */
  path?: string
}[]

/**
 * Replaces a segment.
 */
export interface UpdateSegmentChange {
  action: 'updateSegment'
  /**
   * Not looked at.
   */
  feature?: unknown
  payload: {
    id: SegmentId
    /**
     * Name of the segment.
     */
    name: string
    constraints: Constraints
    /**
     * What the segment is for.
     */
    description?: string | null
    /**
     * The project it belongs to, if it belongs to one.
     */
    project?: string | null
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * A condition on one field of the context.
 */
export interface Constraint {
  /**
   * The context field to look at.
   */
  contextName: string
  operator: Operator
  /**
   * Whether text is compared without regard to case.
   */
  caseInsensitive?: boolean
  /**
   * Whether the outcome is turned round.
   */
  inverted?: boolean
  /**
   * For operators that take a list.
   */
  values?: string[]
  /**
   * For operators that take a single value.
   */
  value?: string
}
/**
 * Removes a segment.
 */
export interface DeleteSegmentChange {
  action: 'deleteSegment'
  /**
   * Not looked at.
   */
  feature?: unknown
  payload: {
    id: SegmentId
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Switches a flag on or off.
 */
export interface UpdateEnabledChange {
  action: 'updateEnabled'
  feature: Name
  payload: {
    /**
     * On or off.
     */
    enabled: boolean
    /**
     * When all strategies are disabled: activate them instead of adding the default one.
     */
    shouldActivateDisabledStrategies?: boolean
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Adds a strategy to a flag.
 */
export interface AddStrategyChange {
  action: 'addStrategy'
  feature: Name
  payload: {
    /**
     * Kind of the strategy.
     */
    name: string
    /**
     * Text that tells the strategy from others.
     */
    title?: string | null
    /**
     * Whether the strategy is left out.
     */
    disabled?: boolean | null
    /**
     * Place among the strategies of the flag.
     */
    sortOrder?: number
    constraints: Constraints
    parameters: Parameters
    /**
     * Numbers of the segments.
     */
    segments?: number[]
    /**
     * Variants of the strategy.
     */
    variants?: StrategyVariant[]
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Settings of a strategy; every value is text.
 */
export interface Parameters {
  [k: string]: string
}
/**
 * A variant of a strategy that is added.
 */
export interface StrategyVariant {
  /**
   * Name of the variant.
   */
  name: string
  /**
   * Share in thousandths.
   */
  weight: number
  /**
   * Whether the weight is fixed or shares what the fixed ones leave.
   */
  weightType: 'variable' | 'fix'
  /**
   * The context field that keeps a user on one variant.
   */
  stickiness: string
  payload?: VariantPayload
  [k: string]: unknown
}
/**
 * What clients receive along with a variant.
 */
export interface VariantPayload {
  /**
   * How clients read the value.
   */
  type: 'json' | 'csv' | 'string' | 'number'
  /**
   * The value as text.
   */
  value: string
  [k: string]: unknown
}
/**
 * Changes a strategy; what is not sent stays.
 */
export interface UpdateStrategyChange {
  action: 'updateStrategy'
  feature: Name
  payload: StrategyUpdate & {
    /**
     * @deprecated
     * Kind of the strategy.
     */
    name?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * The strategy and those of its properties that change.
 */
export interface StrategyUpdate {
  /**
   * Id of the strategy.
   */
  id: string
  /**
   * Text that tells the strategy from others.
   */
  title?: string | null
  /**
   * Whether the strategy is left out.
   */
  disabled?: boolean | null
  /**
   * Place among the strategies of the flag.
   */
  sortOrder?: number
  constraints?: Constraints
  parameters?: Parameters
  /**
   * Numbers of the segments.
   */
  segments?: number[]
  /**
   * Variants of the strategy.
   */
  variants?: ClosedStrategyVariant[]
  [k: string]: unknown
}
/**
 * A variant of a strategy that is updated; takes no further properties.
 */
export interface ClosedStrategyVariant {
  /**
   * Name of the variant.
   */
  name: string
  /**
   * Share in thousandths.
   */
  weight: number
  /**
   * Whether the weight is fixed or shares what the fixed ones leave.
   */
  weightType: 'variable' | 'fix'
  /**
   * The context field that keeps a user on one variant.
   */
  stickiness: string
  payload?: VariantPayload
}
/**
 * Removes a strategy from a flag.
 */
export interface DeleteStrategyChange {
  action: 'deleteStrategy'
  feature: Name
  payload: {
    /**
     * Id of the strategy.
     */
    id: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Archives a flag. A payload is not looked at.
 */
export interface ArchiveFeatureChange {
  action: 'archiveFeature'
  feature: Name
  [k: string]: unknown
}
/**
 * Replaces all variants of a flag in the environment.
 */
export interface PatchVariantChange {
  action: 'patchVariant'
  feature: Name
  payload: {
    /**
     * The new variants.
     */
    variants: FlagVariant[]
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * A variant of a flag in one environment.
 */
export interface FlagVariant {
  /**
   * Name of the variant.
   */
  name: string
  /**
   * Share in thousandths.
   */
  weight: number
  /**
   * Whether the weight is fixed or shares what the fixed ones leave.
   */
  weightType?: 'variable' | 'fix'
  /**
   * The context field that keeps a user on one variant.
   */
  stickiness?: string
  /**
   * What clients receive along with the variant.
   */
  payload?: {
    /**
     * How clients read the value.
     */
    type: 'json' | 'csv' | 'string' | 'number'
    /**
     * The value as text.
     */
    value: string
  }
  /**
   * Who gets this variant whatever the weights.
   */
  overrides?: {
    /**
     * The context field to look at.
     */
    contextName: string
    /**
     * Values that always get this variant.
     */
    values: string[]
  }[]
}
/**
 * Sets the order of the strategies of a flag.
 */
export interface ReorderStrategyChange {
  action: 'reorderStrategy'
  feature: Name
  payload: {
    /**
     * Id of the strategy.
     */
    id: string
    /**
     * Its new place.
     */
    sortOrder: number
  }[]
  [k: string]: unknown
}
/**
 * Makes a flag depend on a parent flag.
 */
export interface AddDependencyChange {
  action: 'addDependency'
  feature: Name
  payload: {
    feature: Name
    /**
     * Whether the parent must be on; variants do not count when it must be off.
     */
    enabled?: boolean
    /**
     * Variants of the parent that count.
     */
    variants?: string[]
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Removes what a flag depends on.
 */
export interface DeleteDependencyChange {
  action: 'deleteDependency'
  feature: Name
  /**
   * Kept as sent.
   */
  payload?: {
    [k: string]: unknown
  } | null
  [k: string]: unknown
}
/**
 * Starts a release plan from a template.
 */
export interface AddReleasePlanChange {
  action: 'addReleasePlan'
  feature: Name
  payload: {
    /**
     * Id of the template.
     */
    templateId: string
  }
  [k: string]: unknown
}
/**
 * Starts a milestone of a release plan.
 */
export interface StartMilestoneChange {
  action: 'startMilestone'
  feature: Name
  payload: {
    /**
     * Id of the release plan.
     */
    planId: string
    /**
     * Id of the milestone.
     */
    milestoneId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Removes a release plan.
 */
export interface DeleteReleasePlanChange {
  action: 'deleteReleasePlan'
  feature: Name
  payload: {
    /**
     * Id of the release plan.
     */
    planId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Sets when one milestone leads to the next.
 */
export interface ChangeMilestoneProgressionChange {
  action: 'changeMilestoneProgression'
  feature: Name
  payload: {
    /**
     * Id of the milestone it starts from.
     */
    sourceMilestone: string
    /**
     * Id of the milestone it leads to.
     */
    targetMilestone: string
    /**
     * When to move on.
     */
    transitionCondition: {
      /**
       * Minutes to wait.
       */
      intervalMinutes: number
    }
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Stops a milestone from leading to the next.
 */
export interface DeleteMilestoneProgressionChange {
  action: 'deleteMilestoneProgression'
  feature: Name
  payload: {
    /**
     * Id of the milestone it starts from.
     */
    sourceMilestone: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Lets the milestones of a paused release plan go on.
 */
export interface ResumeMilestoneProgressionChange {
  action: 'resumeMilestoneProgression'
  feature: Name
  payload: {
    /**
     * Id of the release plan.
     */
    planId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Changes a strategy of a milestone; what is not sent stays.
 */
export interface UpdateMilestoneStrategyChange {
  action: 'updateMilestoneStrategy'
  feature: Name
  payload: StrategyUpdate
  [k: string]: unknown
}
/**
 * Sets a safeguard of a release plan.
 */
export interface ChangeReleasePlanSafeguardChange {
  action: 'changeReleasePlanSafeguard'
  feature: Name
  payload: PlanSafeguard
  [k: string]: unknown
}
/**
 * A release plan and the safeguard it gets.
 */
export interface PlanSafeguard {
  /**
   * Id of the release plan.
   */
  planId: string
  safeguard: Safeguard
  [k: string]: unknown
}
/**
 * A metric and the threshold at which a rollout is stopped.
 */
export interface Safeguard {
  /**
   * The metric to watch.
   */
  impactMetric: {
    /**
     * Name of the metric.
     */
    metricName: string
    /**
     * How far to look back.
     */
    timeRange: 'hour' | 'day' | 'week' | 'month'
    /**
     * How samples become one number.
     */
    aggregationMode: 'rps' | 'count' | 'avg' | 'sum' | 'p95' | 'p99' | 'p50'
    /**
     * Accepted values by label.
     */
    labelSelectors: {
      [k: string]: string[]
    }
    /**
     * Where the metric comes from.
     */
    source?: 'internal' | 'external'
    [k: string]: unknown
  }
  /**
   * When it steps in.
   */
  triggerCondition: {
    /**
     * Above or below.
     */
    operator: '>' | '<'
    /**
     * The limit.
     */
    threshold: number
  }
}
/**
 * Removes a safeguard of a release plan.
 */
export interface DeleteReleasePlanSafeguardChange {
  action: 'deleteReleasePlanSafeguard'
  feature: Name
  payload: PlanSafeguardRemoval
  [k: string]: unknown
}
/**
 * A release plan and the safeguard it loses.
 */
export interface PlanSafeguardRemoval {
  /**
   * Id of the release plan.
   */
  planId: string
  /**
   * Id of the safeguard.
   */
  safeguardId: string
  [k: string]: unknown
}
/**
 * Sets a safeguard of a flag in the environment.
 */
export interface ChangeFeatureEnvSafeguardChange {
  action: 'changeFeatureEnvSafeguard'
  feature: Name
  payload: {
    safeguard: Safeguard
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Removes a safeguard of a flag in the environment.
 */
export interface DeleteFeatureEnvSafeguardChange {
  action: 'deleteFeatureEnvSafeguard'
  feature: Name
  payload: {
    /**
     * Id of the safeguard.
     */
    safeguardId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Older name of changeReleasePlanSafeguard.
 */
export interface ChangeSafeguardChange {
  action: 'changeSafeguard'
  feature: Name
  payload: PlanSafeguard
  [k: string]: unknown
}
/**
 * Older name of deleteReleasePlanSafeguard.
 */
export interface DeleteSafeguardChange {
  action: 'deleteSafeguard'
  feature: Name
  payload: PlanSafeguardRemoval
  [k: string]: unknown
}
/**
 * A change request in any state but Scheduled.
 */
export interface UnscheduledChangeRequestView {
  /**
   * Number of the change request.
   */
  id: number
  /**
   * Its own title, else one made of the number.
   */
  title: string
  environment: Name
  project: Name
  /**
   * How many approvals it takes, as set when it was made.
   */
  minApprovals: number
  /**
   * Changes of flags, by flag.
   */
  features: FeatureGroupView[]
  /**
   * Changes of segments.
   */
  segments: SegmentChangeView[]
  /**
   * Oldest first.
   */
  approvals: VoteView[]
  /**
   * Oldest first.
   */
  rejections: VoteView[]
  /**
   * Oldest first.
   */
  comments: CommentView[]
  createdBy: PersonView
  /**
   * When it was made.
   */
  createdAt: string
  /**
   * Where it stands.
   */
  state: 'Draft' | 'In review' | 'Approved' | 'Applied' | 'Cancelled' | 'Rejected'
  stateTimestamps?: StateTimestampsView
}
/**
 * All changes of one flag.
 */
export interface FeatureGroupView {
  name: Name
  /**
   * In the order of their numbers.
   */
  changes: ChangeView[]
  /**
   * Why no change of the flag can be applied at present.
   */
  conflict?: string
  defaultChange?: DefaultChangeView
}
/**
 * A change of a flag within a change request.
 */
export interface ChangeView {
  /**
   * Number of the change; an edit gives it a new one.
   */
  id: number
  action: Action
  /**
   * The payload as it was submitted; an empty object where the action has none.
   */
  payload: unknown
  /**
   * Why the change cannot be applied at present.
   */
  conflict?: string
  createdBy?: PersonView
  /**
   * When it was added.
   */
  createdAt?: string
  scheduleConflicts?: ScheduleConflictsView
}
/**
 * Who did something. The name is null once the person is gone.
 */
export interface PersonView {
  /**
   * Number of the user.
   */
  id: number
  /**
   * Name, else e-mail address.
   */
  username: string | null
  /**
   * Address of a picture.
   */
  imageUrl: string | null
}
/**
 * Scheduled change requests that touch the same target. A warning only.
 */
export interface ScheduleConflictsView {
  /**
   * The other change requests.
   */
  changeRequests: {
    /**
     * Number of the other change request.
     */
    id: number
    /**
     * Its title.
     */
    title?: string
  }[]
}
/**
 * A change that is carried out as well, so that the flag is never on without a strategy.
 */
export interface DefaultChangeView {
  action: Action
  /**
   * The strategy to add, or the environment to switch off.
   */
  payload: unknown
}
/**
 * A change of a segment within a change request.
 */
export interface SegmentChangeView {
  /**
   * Number of the change; an edit gives it a new one.
   */
  id: number
  action: Action
  /**
   * Present name of the segment.
   */
  name: string
  /**
   * The payload as it was submitted; an empty object where the action has none.
   */
  payload: unknown
  /**
   * Why the change cannot be applied at present.
   */
  conflict?: string
  createdBy?: PersonView
  /**
   * When it was added.
   */
  createdAt?: string
  scheduleConflicts?: ScheduleConflictsView
}
/**
 * An approval or a rejection.
 */
export interface VoteView {
  createdBy: VoterView
  /**
   * When it was given.
   */
  createdAt: string
}
/**
 * Who voted, by the last name known.
 */
export interface VoterView {
  /**
   * Number of the user.
   */
  id: number
  /**
   * Name, else e-mail address.
   */
  username?: string
  /**
   * Address of a picture.
   */
  imageUrl?: string
}
/**
 * A comment on a change request.
 */
export interface CommentView {
  /**
   * Number of the comment.
   */
  id?: number
  /**
   * What it says.
   */
  text: string
  createdBy: PersonView
  /**
   * When it was written.
   */
  createdAt: string
}
/**
 * The latest entry into each state.
 */
export interface StateTimestampsView {
  Draft?: string
  'In review'?: string
  Approved?: string
  Scheduled?: string
  Applied?: string
  Cancelled?: string
  Rejected?: string
}
/**
 * A change request that is to be applied at a set time.
 */
export interface ScheduledChangeRequestView {
  /**
   * Number of the change request.
   */
  id: number
  /**
   * Its own title, else one made of the number.
   */
  title: string
  environment: Name
  project: Name
  /**
   * How many approvals it takes, as set when it was made.
   */
  minApprovals: number
  /**
   * Changes of flags, by flag.
   */
  features: FeatureGroupView[]
  /**
   * Changes of segments.
   */
  segments: SegmentChangeView[]
  /**
   * Oldest first.
   */
  approvals: VoteView[]
  /**
   * Oldest first.
   */
  rejections: VoteView[]
  /**
   * Oldest first.
   */
  comments: CommentView[]
  createdBy: PersonView
  /**
   * When it was made.
   */
  createdAt: string
  state: 'Scheduled'
  stateTimestamps?: StateTimestampsView
  schedule: ScheduleView
}
/**
 * It will run.
 */
export interface PendingScheduleView {
  /**
   * When it will run.
   */
  scheduledAt: string
  status: 'pending'
}
/**
 * It ran and could not be applied.
 */
export interface FailedScheduleView {
  /**
   * When it was tried last.
   */
  scheduledAt: string
  status: 'failed'
  /**
   * Why.
   */
  reason: string
  /**
   * @deprecated
   * The same as the reason.
   */
  failureReason?: string | null
}
/**
 * It will not run.
 */
export interface SuspendedScheduleView {
  /**
   * When it would have run.
   */
  scheduledAt: string
  status: 'suspended'
  /**
   * Why.
   */
  reason: string
}
/**
 * Any state but Scheduled.
 */
export interface UnscheduledStateUpdate {
  /**
   * Where it is to go. Draft is known, but no way leads there.
   */
  state: 'Draft' | 'In review' | 'Approved' | 'Applied' | 'Cancelled' | 'Rejected'
  /**
   * Kept as a comment: up to 10,000 characters, surrounding blanks not counted; a blank text counts as none.
   */
  comment?: string
  [k: string]: unknown
}
/**
 * To be applied at a set time.
 */
export interface ScheduledStateUpdate {
  state: 'Scheduled'
  /**
   * When to apply it; not in the past.
   */
  scheduledAt: string
  /**
   * Kept as a comment: up to 10,000 characters, surrounding blanks not counted; a blank text counts as none.
   */
  comment?: string
  [k: string]: unknown
}
/**
 * A title of its own for a change request.
 */
export interface TitleUpdate {
  /**
   * 1 to 200 characters, surrounding blanks not counted; no control characters and nothing that turns the direction of text.
   */
  title: string
  [k: string]: unknown
}
/**
 * A comment on a change request.
 */
export interface CommentSubmission {
  /**
   * 1 to 10,000 characters, surrounding blanks not counted.
   */
  text: string
}
/**
 * Whether changes take a review in one environment, and by how many.
 */
export interface SettingsUpdate {
  /**
   * Whether change requests are accepted.
   */
  changeRequestsEnabled: boolean
  /**
   * Approvals that a new change request needs; 0 counts as 1 and more than 10 as 10. Left out, it stays as it is.
   */
  requiredApprovals?: number
  [k: string]: unknown
}
/**
 * Who is asked to approve a change request, in place of those asked before.
 */
export interface ApproversUpdate {
  /**
   * Numbers of users, at most 10 different ones.
   *
   * @maxItems 1000
   */
  reviewers: number[]
  [k: string]: unknown
}
/**
 * Whether changes take a review in an environment, and by how many.
 */
export interface EnvironmentSettingsView {
  environment: Name
  /**
   * Type of the environment, such as production.
   */
  type: string
  /**
   * Whether change requests are accepted.
   */
  changeRequestEnabled: boolean
  /**
   * Approvals that a new change request needs; null while none are accepted.
   */
  requiredApprovals: number | null
}
/**
 * How many change requests of a project the caller can see, by state.
 */
export interface ChangeRequestCountsView {
  /**
   * All, also drafts and cancelled ones.
   */
  total: number
  /**
   * In the state Applied.
   */
  applied: number
  /**
   * In the state Rejected.
   */
  rejected: number
  /**
   * In the state In review.
   */
  reviewRequired: number
  /**
   * In the state Approved.
   */
  approved: number
  /**
   * In the state Scheduled.
   */
  scheduled: number
}
/**
 * How many change requests of a project the caller can move on.
 */
export interface ActionableView {
  /**
   * Those to be approved or applied by the caller.
   */
  total: number
}
/**
 * People who are asked to approve, or who could be.
 */
export interface ReviewersView {
  /**
   * The people.
   */
  reviewers: ReviewerView[]
}
/**
 * A person who may approve.
 */
export interface ReviewerView {
  /**
   * Number of the user.
   */
  id: number
  /**
   * E-mail address.
   */
  email: string
  /**
   * Name to sign in with.
   */
  username?: string | null
  /**
   * Full name.
   */
  name?: string | null
  /**
   * Address of a picture.
   */
  imageUrl?: string | null
}
/**
 * One page of the change requests that were searched for, newest first.
 */
export interface ChangeRequestSearchView {
  /**
   * Those of the page.
   */
  changeRequests: ChangeRequestSearchItemView[]
  /**
   * How many there are on all pages.
   */
  total: number
}
/**
 * A change request found in any state but Scheduled.
 */
export interface UnscheduledSearchItemView {
  /**
   * Number of the change request.
   */
  id: number
  /**
   * Its own title, if it was given one.
   */
  title?: string
  environment: Name
  project: Name
  createdBy: VoterView
  /**
   * When it was made.
   */
  createdAt: string
  /**
   * Names of the flags it changes.
   */
  features: Name[]
  /**
   * Names of the segments it changes.
   */
  segments: string[]
  /**
   * Where it stands.
   */
  state: 'Draft' | 'In review' | 'Approved' | 'Applied' | 'Cancelled' | 'Rejected'
}
/**
 * A change request found in the state Scheduled.
 */
export interface ScheduledSearchItemView {
  /**
   * Number of the change request.
   */
  id: number
  /**
   * Its own title, if it was given one.
   */
  title?: string
  environment: Name
  project: Name
  createdBy: VoterView
  /**
   * When it was made.
   */
  createdAt: string
  /**
   * Names of the flags it changes.
   */
  features: Name[]
  /**
   * Names of the segments it changes.
   */
  segments: string[]
  state: 'Scheduled'
  schedule: ScheduleView
}
/**
 * An entry of the event log.
 */
export interface EventView {
  /**
   * Number of the event; grows in the order in which events become visible.
   */
  id: number
  /**
   * When it happened.
   */
  createdAt: string
  type: EventType
  /**
   * Name of the acting user.
   */
  createdBy: string
  /**
   * Number of the acting user.
   */
  createdByUserId?: number | null
  /**
   * The environment it concerns.
   */
  environment?: string | null
  /**
   * The project it concerns.
   */
  project?: string | null
  /**
   * The flag it concerns.
   */
  featureName?: string | null
  data?: EventData
  preData?: EventData
  tags?: Tags
  /**
   * Short name of the type.
   */
  label?: string | null
  /**
   * What happened, as markdown.
   */
  summary?: string | null
  /**
   * Address of the caller, where it is recorded.
   */
  ip?: string | null
  /**
   * What holds the events of a group together.
   */
  groupType?: string
  /**
   * Which group.
   */
  groupId?: string
}
/**
 * A tag of a flag.
 */
export interface Tag {
  /**
   * Text of the tag.
   */
  value: string
  /**
   * Kind of the tag.
   */
  type: string
}
/**
 * Events, newest first.
 */
export interface EventListView {
  /**
   * Version of this format.
   */
  version: 1
  /**
   * The events.
   */
  events: EventView[]
  /**
   * How many there are in all.
   */
  totalEvents: number
}
/**
 * An event that the host adds to the log. Its number and time are given by the log.
 */
export interface RecordedEvent {
  type: EventType
  /**
   * Name of the acting user; "unknown" when left out.
   */
  createdBy?: string
  /**
   * Number of the acting user.
   */
  createdByUserId?: number | null
  /**
   * The project it concerns.
   */
  project?: Name | null
  /**
   * The environment it concerns.
   */
  environment?: Name | null
  /**
   * The flag it concerns.
   */
  featureName?: Name | null
  data?: EventData
  preData?: EventData
  tags?: Tags
  /**
   * Address of the caller.
   */
  ip?: string | null
  /**
   * What holds the events of a group together.
   */
  groupType?: 'change-request' | 'transaction'
  /**
   * Which group.
   */
  groupId?: string
}
/**
 * Why a request was refused or failed.
 */
export interface ErrorView {
  /**
   * Names this answer in the log of the server.
   */
  id: string
  /**
   * Kind of the error; stable.
   */
  name: string
  /**
   * What to do about it.
   */
  message: string
  details: ErrorDetailsView
  /**
   * Permissions that were missing.
   */
  permissions?: string[]
}
/**
 * The same as problem details, sent to clients that accept application/problem+json.
 */
export interface ProblemView {
  type: 'about:blank'
  /**
   * Text of the status.
   */
  title: string
  /**
   * The HTTP status.
   */
  status: number
  /**
   * What to do about it.
   */
  detail: string
  /**
   * Names this answer in the log of the server.
   */
  id: string
  /**
   * Kind of the error; stable.
   */
  name: string
  details: ErrorDetailsView
  /**
   * Permissions that were missing.
   */
  permissions?: string[]
}
