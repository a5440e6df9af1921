// Generated from schemas/ by `node schemas/generate.js`. Edit the schemas, not this file.

/**
 * `enforce`: it blocks what it applies to. `trial`: it is evaluated and shown, and blocks nothing.
 *
 * @example
 * ```ts
 * const mode: RuleMode = 'enforce'
 * ```
 */
export type RuleMode = 'enforce' | 'trial'
/**
 * What a change does. The last two are older names of two actions of release plan safeguards.
 *
 * @example
 * ```ts
 * const action: Action = 'updateEnabled'
 * ```
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
 * The id of a segment.
 *
 * @example
 * ```ts
 * const id: SegmentId = 4
 * ```
 */
export type SegmentId = number
/**
 * Whether it is a person, or a machine: a program with fixed work, or an AI agent.
 *
 * @example
 * ```ts
 * const kind: ActorKind = 'person'
 * ```
 */
export type ActorKind = 'person' | 'service' | 'agent'
/**
 * A change request in a list: without the times at which it entered its states.
 *
 * @example
 * ```ts
 * const view: ListedChangeRequestView = {
 *   id: 42,
 *   title: 'Change request #42',
 *   environment: 'production',
 *   project: 'shop',
 *   minApprovals: 1,
 *   features: [
 *     { name: 'checkout', changes: [{ id: 7, action: 'updateEnabled', payload: { enabled: true } }] },
 *   ],
 *   segments: [],
 *   approvals: [],
 *   rejections: [],
 *   comments: [],
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   state: 'Draft',
 * }
 * ```
 */
export type ListedChangeRequestView = (UnscheduledChangeRequestView | ScheduledChangeRequestView) & {
  stateTimestamps?: never
}
/**
 * Name of a project or an environment: URL-friendly characters, but neither "." nor "..".
 *
 * @example
 * ```ts
 * const name: Name = 'shop'
 * ```
 */
export type Name = string
/**
 * Name of a flag: URL-friendly characters, but neither "." nor "..".
 *
 * @example
 * ```ts
 * const name: FeatureName = 'checkout'
 * ```
 */
export type FeatureName = string
/**
 * The time at which a change request is applied automatically, and the status of that schedule.
 *
 * @example
 * ```ts
 * const view: ScheduleView = { scheduledAt: '2026-11-23T06:00:00.000Z', status: 'pending' }
 * ```
 */
export type ScheduleView = PendingScheduleView | FailedScheduleView | SuspendedScheduleView
/**
 * Change requests, newest first.
 *
 * @example
 * ```ts
 * const view: ChangeRequestListView = [
 *   {
 *     id: 42,
 *     title: 'Change request #42',
 *     environment: 'production',
 *     project: 'shop',
 *     minApprovals: 1,
 *     features: [
 *       {
 *         name: 'checkout',
 *         changes: [{ id: 7, action: 'updateEnabled', payload: { enabled: true } }],
 *       },
 *     ],
 *     segments: [],
 *     approvals: [],
 *     rejections: [],
 *     comments: [],
 *     createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *     createdAt: '2026-11-20T10:52:09.870Z',
 *     state: 'Draft',
 *   },
 * ]
 * ```
 */
export type ChangeRequestListView = ListedChangeRequestView[]
/**
 * A change request that matches: with a schedule in the state Scheduled, without one in all others.
 *
 * @example
 * ```ts
 * const view: ChangeRequestSearchItemView = {
 *   id: 42,
 *   environment: 'production',
 *   project: 'shop',
 *   createdBy: { id: 1, username: 'Ann Lee' },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   features: ['checkout'],
 *   segments: [],
 *   state: 'In review',
 * }
 * ```
 */
export type ChangeRequestSearchItemView = UnscheduledSearchItemView | ScheduledSearchItemView
/**
 * A change request. It has a schedule in the state Scheduled only.
 *
 * @example
 * ```ts
 * const view: ChangeRequestView = {
 *   id: 42,
 *   title: 'Change request #42',
 *   environment: 'production',
 *   project: 'shop',
 *   minApprovals: 1,
 *   features: [
 *     { name: 'checkout', changes: [{ id: 7, action: 'updateEnabled', payload: { enabled: true } }] },
 *   ],
 *   segments: [],
 *   approvals: [],
 *   rejections: [],
 *   comments: [],
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   state: 'Draft',
 * }
 * ```
 */
export type ChangeRequestView = UnscheduledChangeRequestView | ScheduledChangeRequestView
/**
 * A proposed change. The action determines the schema of the payload.
 *
 * @example
 * ```ts
 * const change: SubmittedChange = {
 *   action: 'updateEnabled',
 *   feature: 'checkout',
 *   payload: { enabled: true },
 * }
 * ```
 */
export type SubmittedChange = (
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
) & {
  expected?: TargetDigest
}
/**
 * How a constraint compares the context field with its values. An operator that is not in the list is accepted only if the current target already has a constraint with it.
 *
 * @example
 * ```ts
 * const operator: Operator = 'IN'
 * ```
 */
export type Operator = KnownOperator | (string & {})
/**
 * An operator that any constraint can have.
 *
 * @example
 * ```ts
 * const operator: KnownOperator = 'IN'
 * ```
 */
export type KnownOperator =
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
  | 'IN_CIDR'
/**
 * Conditions that must all be true.
 *
 * @example
 * ```ts
 * const constraints: Constraints = [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }]
 * ```
 */
export type Constraints = Constraint[]
/**
 * The digest of the part of a flag or segment that a change can alter, from the `targets` of the flag or segment. If the part has changed since, the proposal is rejected with 412. It is not stored.
 *
 * @example
 * ```ts
 * const digest: TargetDigest = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
 * ```
 */
export type TargetDigest = string
/**
 * Whether a check has passed.
 *
 * @example
 * ```ts
 * const status: CheckStatus = 'passed'
 * ```
 */
export type CheckStatus = 'pending' | 'passed' | 'failed'
/**
 * The kind of the missing requirement. The review never lists `outdated-revision`, `outdated-base` and `revision-required`, because they depend on the request.
 *
 * @example
 * ```ts
 * const code: StepCode = 'missing-approvals'
 * ```
 */
export type StepCode =
  | 'missing-permission'
  | 'no-user-id'
  | 'not-the-author'
  | 'own-change-request'
  | 'not-for-machines'
  | 'outdated-revision'
  | 'outdated-base'
  | 'revision-required'
  | 'change-requests-disabled'
  | 'invalid'
  | 'limit-exceeded'
  | 'flags-unavailable'
  | 'being-applied'
  | 'no-scheduler'
  | 'emergencies-disabled'
  | 'wrong-state'
  | 'other-open-change-request'
  | 'no-changes'
  | 'already-voted'
  | 'missing-approvals'
  | 'missing-check'
  | 'objection'
  | 'missing-custom-fields'
  | 'conflict'
  | 'overwrite'
  | 'frozen'
  | 'cannot-follow'
  | 'no-flag-gateway'
  | 'already-acknowledged'
  | 'irreversible'
/**
 * The problems.
 *
 * @example
 * ```ts
 * const view: ErrorDetailsView = [
 *   { message: 'enabled is required and missing', path: '/body/payload/enabled' },
 * ]
 * ```
 *
 * @minItems 1
 */
export type ErrorDetailsView = {
  /**
   * The problem, and how to fix it.
   */
  message: string
  /**
   * The path of the invalid value in the request.
   */
  path?: string
  /**
   * The kind of the problem: that of a missing requirement, or `position-lost` if the event log does not have the position of a stream any more.
   */
  code?: StepCode | 'position-lost'
  /**
   * Only with `position-lost`: the id of the newest event, for `Last-Event-ID`.
   */
  lastEventId?: string
}[]
/**
 * All users who have written events, by id.
 *
 * @example
 * ```ts
 * const view: EventCreatorsView = [{ id: 1, name: 'Ann Lee' }]
 * ```
 */
export type EventCreatorsView = {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The name of the user.
   */
  name: string
}[]
/**
 * What an event records.
 *
 * @example
 * ```ts
 * const type: EventType = 'change-request-applied'
 * ```
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
 * Details of the event, such as the previous or the new state. They depend on its type: see the guide to the event log.
 *
 * @example
 * ```ts
 * const data: EventData = { changeRequestId: 42 }
 * ```
 */
export type EventData = {
  [k: string]: unknown
} | null
/**
 * The tags of the flag.
 *
 * @example
 * ```ts
 * const tags: Tags = [{ type: 'team', value: 'payments' }]
 * ```
 */
export type Tags = Tag[] | null
/**
 * The state of a change request.
 *
 * @example
 * ```ts
 * const name: StateName = 'Draft'
 * ```
 */
export type StateName = 'Draft' | 'In review' | 'Approved' | 'Scheduled' | 'Applied' | 'Cancelled' | 'Rejected'
/**
 * The requirements that were not met, the freezes that were in force, the required checks that had not passed and the objections that were open.
 */
export type Missing = (
  | {
      /**
       * The kind of the requirement.
       */
      code: 'missing-approvals'
      /**
       * The name of the requirement.
       */
      name: string
      /**
       * The number of approvals that it needs.
       */
      approvals: number
      /**
       * The number of approvals that it had.
       */
      given: number
    }
  | {
      /**
       * The kind of the requirement.
       */
      code: 'frozen'
      /**
       * The name of the freeze.
       */
      name: string
      /**
       * When the freeze ends. Null without an end.
       */
      until: string | null
    }
  | {
      /**
       * The kind of the requirement.
       */
      code: 'missing-check'
      /**
       * The name of the check.
       */
      name: string
      /**
       * The status that it had. Null without a report.
       */
      status: CheckStatus | null
    }
  | {
      /**
       * The kind of the requirement.
       */
      code: 'objection'
      /**
       * The name of the user who objected.
       */
      name: string
      /**
       * Who objected.
       */
      by: {
        /**
         * The id of the user.
         */
        id: number
        /**
         * The name of the user at that time.
         */
        username: string | null
      }
      /**
       * When the user objected.
       */
      at: string
    }
)[]
/**
 * A step of a change request.
 *
 * @example
 * ```ts
 * const name: StepName = 'edit'
 * ```
 */
export type StepName =
  | 'edit'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'object'
  | 'liftObjection'
  | 'dismissObjection'
  | 'takeBackApproval'
  | 'cancel'
  | 'discard'
  | 'schedule'
  | 'presetSchedule'
  | 'withdrawPresetSchedule'
  | 'apply'
  | 'applyInEmergency'
  | 'settle'
  | 'acknowledge'
  | 'rebase'
  | 'revert'
  | 'copy'
/**
 * A flag that uses a segment; or the number of such flags in projects that you cannot read.
 *
 * @example
 * ```ts
 * const view: SegmentUserView = { project: 'shop', feature: 'checkout' }
 * ```
 */
export type SegmentUserView = UsingFlagView | OtherUsersView
/**
 * The scheduled change requests that touch a flag, newest first.
 *
 * @example
 * ```ts
 * const view: ScheduledChangeRequestsView = [
 *   { id: 7, environment: 'production', title: 'Checkout for everybody' },
 * ]
 * ```
 */
export type ScheduledChangeRequestsView = ScheduledChangeRequestItemView[]
/**
 * The settings of all environments of a project.
 *
 * @example
 * ```ts
 * const view: SettingsListView = [
 *   {
 *     environment: 'production',
 *     type: 'production',
 *     changeRequestEnabled: true,
 *     requiredApprovals: 2,
 *   },
 * ]
 * ```
 */
export type SettingsListView = EnvironmentSettingsView[]
/**
 * The new state of a change request.
 *
 * @example
 * ```ts
 * const update: StateUpdate = { state: 'Approved', comment: 'Go.' }
 * ```
 */
export type StateUpdate = UnscheduledStateUpdate | ScheduledStateUpdate

/**
 * Acknowledges a change request that was applied in an emergency.
 *
 * @example
 * ```ts
 * const acknowledgement: Acknowledgement = { comment: 'Looks right, thank you.' }
 * ```
 */
export interface Acknowledgement {
  /**
   * A comment to add, of up to 10,000 characters after trimming. A blank text adds none.
   */
  comment?: string
}
/**
 * The number of change requests of a project that wait for the caller.
 *
 * @example
 * ```ts
 * const view: ActionableView = { total: 3 }
 * ```
 */
export interface ActionableView {
  /**
   * The number that the caller can approve or apply.
   */
  total: number
}
/**
 * The approval rules and checks of an environment.
 *
 * @example
 * ```ts
 * const view: ApprovalRulesView = {
 *   rules: [
 *     {
 *       name: 'payments owners',
 *       mode: 'enforce',
 *       when: { environments: ['production'], features: ['pay*'] },
 *       approvals: 1,
 *       from: { groups: ['payments'], users: [] },
 *     },
 *   ],
 * }
 * ```
 */
export interface ApprovalRulesView {
  /**
   * The rules in force.
   */
  rules: ApprovalRuleView[]
  /**
   * The checks in force, in the order of the option `checks`. Absent without the option.
   */
  checks?: CheckRuleView[]
}
/**
 * Approvals that certain change requests need in addition to the minimum.
 *
 * @example
 * ```ts
 * const view: ApprovalRuleView = {
 *   name: 'payments owners',
 *   mode: 'enforce',
 *   when: { environments: ['production'], features: ['pay*'] },
 *   approvals: 1,
 *   from: { groups: ['payments'], users: [] },
 * }
 * ```
 */
export interface ApprovalRuleView {
  /**
   * The name of the rule.
   */
  name: string
  mode: RuleMode
  /**
   * The change requests that it matches. Null for all of them.
   */
  when: ApprovalRuleWhenView | null
  /**
   * The number of approvals that are needed, or by how many it exceeds the minimum of the change request.
   */
  approvals:
    | number
    | {
        /**
         * How many approvals are needed in addition to the minimum. All together are at most 10.
         */
        aboveMinimum: number
      }
  /**
   * The users and groups whose approvals count. Null for all holders of the permission.
   */
  from: ApproversFromView | null
}
/**
 * The change requests that a rule matches: one of their changes matches all given properties. `*` in a name is any text.
 *
 * @example
 * ```ts
 * const view: ApprovalRuleWhenView = { environments: ['production'], features: ['pay*'] }
 * ```
 */
export interface ApprovalRuleWhenView {
  /**
   * The names of projects.
   */
  projects?: string[]
  /**
   * The names of environments.
   */
  environments?: string[]
  /**
   * What the change does.
   */
  actions?: Action[]
  /**
   * Names of flags. An alternative to `segments`.
   */
  features?: string[]
  /**
   * Ids of segments, or true for all of them. An alternative to `features`.
   */
  segments?: SegmentId[] | true
  /**
   * Tags, of which the flag has at least one.
   */
  tags?: {
    /**
     * The type of the tag.
     */
    type: string
    /**
     * The value of the tag.
     */
    value: string
  }[]
  /**
   * Who added the change, or edited it last: a person, or a kind of machine.
   */
  authors?: ActorKind[]
  /**
   * Fields of the flag or segment of that change, at least one of which all changes together alter.
   */
  fields?: {
    /**
     * JSON pointer to the field. `*` is any one name.
     */
    path: string
    /**
     * The number changes by more than this.
     */
    by?: number
    /**
     * The number after the changes is higher than this.
     */
    above?: number
    /**
     * The number after the changes is lower than this.
     */
    below?: number
  }[]
}
/**
 * The users and groups whose approvals count.
 *
 * @example
 * ```ts
 * const view: ApproversFromView = { groups: ['payments'], users: [2] }
 * ```
 */
export interface ApproversFromView {
  /**
   * The names of groups.
   */
  groups: string[]
  /**
   * The ids of users.
   */
  users: number[]
}
/**
 * A check that certain change requests have.
 *
 * @example
 * ```ts
 * const view: CheckRuleView = {
 *   name: 'ci',
 *   description: 'Smoke tests on staging.',
 *   required: true,
 *   mode: 'enforce',
 *   when: { environments: ['production'] },
 *   from: { groups: ['ci'], users: [] },
 * }
 * ```
 */
export interface CheckRuleView {
  /**
   * The name of the check.
   */
  name: string
  /**
   * What it checks. Null for none.
   */
  description: string | null
  /**
   * Whether the change request can be applied only once the check has passed. In an emergency it can be applied before.
   */
  required: boolean
  mode: RuleMode
  /**
   * The change requests that it matches. Null for all of them.
   */
  when: ApprovalRuleWhenView | null
  /**
   * The users and groups who can report it, in addition to the permission REPORT_CHECK. Null for all holders of the permission.
   */
  from: ApproversFromView | null
}
/**
 * The requested approvers of a change request. They replace the current list.
 *
 * @example
 * ```ts
 * const update: ApproversUpdate = { reviewers: [2, 3] }
 * ```
 */
export interface ApproversUpdate {
  /**
   * Ids of at most 10 different users.
   *
   * @maxItems 1000
   */
  reviewers: number[]
  [k: string]: unknown
}
/**
 * The number of change requests of a project that the caller can see, by state.
 *
 * @example
 * ```ts
 * const view: ChangeRequestCountsView = {
 *   total: 12,
 *   applied: 6,
 *   rejected: 1,
 *   reviewRequired: 2,
 *   approved: 1,
 *   scheduled: 0,
 * }
 * ```
 */
export interface ChangeRequestCountsView {
  /**
   * The number of all change requests, including drafts and cancelled ones.
   */
  total: number
  /**
   * The number in the state Applied.
   */
  applied: number
  /**
   * The number in the state Rejected.
   */
  rejected: number
  /**
   * The number in the state In review.
   */
  reviewRequired: number
  /**
   * The number in the state Approved.
   */
  approved: number
  /**
   * The number in the state Scheduled.
   */
  scheduled: number
}
/**
 * A change request in any state but Scheduled.
 *
 * @example
 * ```ts
 * const view: UnscheduledChangeRequestView = {
 *   id: 42,
 *   title: 'Change request #42',
 *   environment: 'production',
 *   project: 'shop',
 *   minApprovals: 1,
 *   features: [
 *     { name: 'checkout', changes: [{ id: 7, action: 'updateEnabled', payload: { enabled: true } }] },
 *   ],
 *   segments: [],
 *   approvals: [],
 *   rejections: [],
 *   comments: [],
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   state: 'Draft',
 * }
 * ```
 */
export interface UnscheduledChangeRequestView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The title. The default title contains the id.
   */
  title: string
  environment: Name
  project: Name
  /**
   * The approvals that it needs.
   */
  minApprovals: number
  /**
   * The changes of flags, grouped by flag.
   */
  features: FeatureGroupView[]
  /**
   * The changes of segments.
   */
  segments: SegmentChangeView[]
  /**
   * The approvals, oldest first.
   */
  approvals: VoteView[]
  /**
   * The rejections, oldest first.
   */
  rejections: VoteView[]
  /**
   * The comments, oldest first.
   */
  comments: CommentView[]
  createdBy: PersonView
  /**
   * The time when it was created.
   */
  createdAt: string
  /**
   * The state of the change request.
   */
  state: 'Draft' | 'In review' | 'Approved' | 'Applied' | 'Cancelled' | 'Rejected'
  stateTimestamps?: StateTimestampsView
}
/**
 * All changes of one flag.
 *
 * @example
 * ```ts
 * const view: FeatureGroupView = {
 *   name: 'checkout',
 *   changes: [
 *     {
 *       id: 7,
 *       action: 'updateEnabled',
 *       payload: { enabled: true },
 *       createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *     },
 *   ],
 * }
 * ```
 */
export interface FeatureGroupView {
  name: FeatureName
  /**
   * The changes, by id.
   */
  changes: ChangeView[]
  /**
   * The reason why no change of the flag can be applied now.
   */
  conflict?: string
  defaultChange?: DefaultChangeView
}
/**
 * A change of a flag within a change request.
 *
 * @example
 * ```ts
 * const view: ChangeView = {
 *   id: 7,
 *   action: 'updateEnabled',
 *   payload: { enabled: true },
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 * }
 * ```
 */
export interface ChangeView {
  /**
   * The id of the change. An edit assigns a new one.
   */
  id: number
  action: Action
  /**
   * The payload as it was submitted. An empty object if the action has none.
   */
  payload: unknown
  /**
   * The reason why the change cannot be applied now.
   */
  conflict?: string
  createdBy?: PersonView
  /**
   * The time when it was added.
   */
  createdAt?: string
  scheduleConflicts?: ScheduleConflictsView
}
/**
 * The user who did something. The name is null if the user is no longer known.
 *
 * @example
 * ```ts
 * const view: PersonView = { id: 1, username: 'Ann Lee', imageUrl: null }
 * ```
 */
export interface PersonView {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The full name, else the e-mail address, else the username.
   */
  username: string | null
  /**
   * The URL of an image.
   */
  imageUrl: string | null
}
/**
 * Other scheduled change requests of the same target. This is only a warning.
 *
 * @example
 * ```ts
 * const view: ScheduleConflictsView = {
 *   changeRequests: [{ id: 41, title: 'Checkout for everybody' }],
 * }
 * ```
 */
export interface ScheduleConflictsView {
  /**
   * The other change requests.
   */
  changeRequests: {
    /**
     * The id of the other change request.
     */
    id: number
    /**
     * The title.
     */
    title?: string
  }[]
}
/**
 * An implied change: nobody proposed it, but it is applied together with the others, so that a flag is never enabled without a strategy.
 *
 * @example
 * ```ts
 * const view: DefaultChangeView = {
 *   action: 'addStrategy',
 *   payload: { name: 'flexibleRollout', constraints: [], parameters: { rollout: '100' } },
 * }
 * ```
 */
export interface DefaultChangeView {
  action: Action
  /**
   * The strategy to add, or the new state of the flag.
   */
  payload: unknown
}
/**
 * A change of a segment within a change request.
 *
 * @example
 * ```ts
 * const view: SegmentChangeView = {
 *   id: 8,
 *   action: 'deleteSegment',
 *   name: 'beta users',
 *   payload: { id: 4 },
 * }
 * ```
 */
export interface SegmentChangeView {
  /**
   * The id of the change. An edit assigns a new one.
   */
  id: number
  action: Action
  /**
   * The current name of the segment.
   */
  name: string
  /**
   * The payload as it was submitted. An empty object if the action has none.
   */
  payload: unknown
  /**
   * The reason why the change cannot be applied now.
   */
  conflict?: string
  createdBy?: PersonView
  /**
   * The time when it was added.
   */
  createdAt?: string
  scheduleConflicts?: ScheduleConflictsView
}
/**
 * An approval or a rejection.
 *
 * @example
 * ```ts
 * const view: VoteView = {
 *   createdBy: { id: 2, username: 'Ben Ode' },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 * }
 * ```
 */
export interface VoteView {
  createdBy: VoterView
  /**
   * The time of the vote.
   */
  createdAt: string
}
/**
 * The user who voted, with their last known name.
 *
 * @example
 * ```ts
 * const view: VoterView = { id: 2, username: 'Ben Ode' }
 * ```
 */
export interface VoterView {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The full name, else the e-mail address, else the username.
   */
  username?: string
  /**
   * The URL of an image.
   */
  imageUrl?: string
}
/**
 * A comment on a change request.
 *
 * @example
 * ```ts
 * const view: CommentView = {
 *   id: 1,
 *   text: 'Go.',
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 * }
 * ```
 */
export interface CommentView {
  /**
   * The id of the comment.
   */
  id?: number
  /**
   * The text.
   */
  text: string
  createdBy: PersonView
  /**
   * The time when it was written.
   */
  createdAt: string
}
/**
 * The time of the latest entry into each state.
 *
 * @example
 * ```ts
 * const view: StateTimestampsView = {
 *   Draft: '2026-11-20T10:52:09.870Z',
 *   'In review': '2026-11-20T11:05:30.112Z',
 * }
 * ```
 */
export interface StateTimestampsView {
  /**
   * The time of the latest entry into this state.
   */
  Draft?: string
  /**
   * The time of the latest entry into this state.
   */
  'In review'?: string
  /**
   * The time of the latest entry into this state.
   */
  Approved?: string
  /**
   * The time of the latest entry into this state.
   */
  Scheduled?: string
  /**
   * The time of the latest entry into this state.
   */
  Applied?: string
  /**
   * The time of the latest entry into this state.
   */
  Cancelled?: string
  /**
   * The time of the latest entry into this state.
   */
  Rejected?: string
}
/**
 * A change request that is applied at a set time.
 *
 * @example
 * ```ts
 * const view: ScheduledChangeRequestView = {
 *   id: 42,
 *   title: 'Change request #42',
 *   environment: 'production',
 *   project: 'shop',
 *   minApprovals: 1,
 *   features: [
 *     { name: 'checkout', changes: [{ id: 7, action: 'updateEnabled', payload: { enabled: true } }] },
 *   ],
 *   segments: [],
 *   approvals: [],
 *   rejections: [],
 *   comments: [],
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   state: 'Scheduled',
 *   schedule: { scheduledAt: '2026-11-23T06:00:00.000Z', status: 'pending' },
 * }
 * ```
 */
export interface ScheduledChangeRequestView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The title. The default title contains the id.
   */
  title: string
  environment: Name
  project: Name
  /**
   * The approvals that it needs.
   */
  minApprovals: number
  /**
   * The changes of flags, grouped by flag.
   */
  features: FeatureGroupView[]
  /**
   * The changes of segments.
   */
  segments: SegmentChangeView[]
  /**
   * The approvals, oldest first.
   */
  approvals: VoteView[]
  /**
   * The rejections, oldest first.
   */
  rejections: VoteView[]
  /**
   * The comments, oldest first.
   */
  comments: CommentView[]
  createdBy: PersonView
  /**
   * The time when it was created.
   */
  createdAt: string
  /**
   * The state.
   */
  state: 'Scheduled'
  stateTimestamps?: StateTimestampsView
  schedule: ScheduleView
}
/**
 * The change request will be applied at the scheduled time.
 *
 * @example
 * ```ts
 * const view: PendingScheduleView = { scheduledAt: '2026-11-23T06:00:00.000Z', status: 'pending' }
 * ```
 */
export interface PendingScheduleView {
  /**
   * The time when it will be applied.
   */
  scheduledAt: string
  /**
   * The state of the schedule.
   */
  status: 'pending'
}
/**
 * The last attempt to apply the change request failed. It is not retried.
 *
 * @example
 * ```ts
 * const view: FailedScheduleView = {
 *   scheduledAt: '2026-11-23T06:00:00.000Z',
 *   status: 'failed',
 *   reason: 'The flag is archived.',
 * }
 * ```
 */
export interface FailedScheduleView {
  /**
   * The time of the last attempt.
   */
  scheduledAt: string
  /**
   * The state of the schedule.
   */
  status: 'failed'
  /**
   * The reason.
   */
  reason: string
  /**
   * @deprecated
   * The same as `reason`.
   */
  failureReason?: string | null
}
/**
 * The schedule is suspended: the change request will not be applied automatically.
 *
 * @example
 * ```ts
 * const view: SuspendedScheduleView = {
 *   scheduledAt: '2026-11-23T06:00:00.000Z',
 *   status: 'suspended',
 *   reason: 'The flag was archived.',
 * }
 * ```
 */
export interface SuspendedScheduleView {
  /**
   * The scheduled time.
   */
  scheduledAt: string
  /**
   * The state of the schedule.
   */
  status: 'suspended'
  /**
   * The reason.
   */
  reason: string
}
/**
 * One page of the matching change requests, newest first.
 *
 * @example
 * ```ts
 * const view: ChangeRequestSearchView = {
 *   changeRequests: [
 *     {
 *       id: 42,
 *       environment: 'production',
 *       project: 'shop',
 *       createdBy: { id: 1, username: 'Ann Lee' },
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       features: ['checkout'],
 *       segments: [],
 *       state: 'In review',
 *     },
 *   ],
 *   total: 1,
 * }
 * ```
 */
export interface ChangeRequestSearchView {
  /**
   * The change requests of the page.
   */
  changeRequests: ChangeRequestSearchItemView[]
  /**
   * The number of matches on all pages.
   */
  total: number
}
/**
 * A matching change request in any state but Scheduled.
 *
 * @example
 * ```ts
 * const view: UnscheduledSearchItemView = {
 *   id: 42,
 *   environment: 'production',
 *   project: 'shop',
 *   createdBy: { id: 1, username: 'Ann Lee' },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   features: ['checkout'],
 *   segments: [],
 *   state: 'In review',
 * }
 * ```
 */
export interface UnscheduledSearchItemView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The title. Absent if it is the default title.
   */
  title?: string
  environment: Name
  project: Name
  createdBy: VoterView
  /**
   * The time when it was created.
   */
  createdAt: string
  /**
   * The names of the flags that it changes.
   */
  features: FeatureName[]
  /**
   * The names of the segments that it changes.
   */
  segments: string[]
  /**
   * The state of the change request.
   */
  state: 'Draft' | 'In review' | 'Approved' | 'Applied' | 'Cancelled' | 'Rejected'
}
/**
 * A matching change request in the state Scheduled.
 *
 * @example
 * ```ts
 * const view: ScheduledSearchItemView = {
 *   id: 42,
 *   environment: 'production',
 *   project: 'shop',
 *   createdBy: { id: 1, username: 'Ann Lee' },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   features: ['checkout'],
 *   segments: [],
 *   state: 'Scheduled',
 *   schedule: { scheduledAt: '2026-11-23T06:00:00.000Z', status: 'pending' },
 * }
 * ```
 */
export interface ScheduledSearchItemView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The title. Absent if it is the default title.
   */
  title?: string
  environment: Name
  project: Name
  createdBy: VoterView
  /**
   * The time when it was created.
   */
  createdAt: string
  /**
   * The names of the flags that it changes.
   */
  features: FeatureName[]
  /**
   * The names of the segments that it changes.
   */
  segments: string[]
  /**
   * The state.
   */
  state: 'Scheduled'
  schedule: ScheduleView
}
/**
 * Replaces a segment.
 *
 * @example
 * ```ts
 * const change: UpdateSegmentChange = {
 *   action: 'updateSegment',
 *   payload: {
 *     id: 4,
 *     name: 'beta users',
 *     constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }],
 *   },
 * }
 * ```
 */
export interface UpdateSegmentChange {
  /**
   * The action.
   */
  action: 'updateSegment'
  /**
   * Ignored.
   */
  feature?: unknown
  /**
   * The new content of the segment.
   */
  payload: {
    id: SegmentId
    /**
     * The name of the segment.
     */
    name: string
    constraints: Constraints
    /**
     * A description of the segment.
     */
    description?: string | null
    /**
     * The project of the segment, if it has one.
     */
    project?: string | null
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * A condition on one field of the context.
 *
 * @example
 * ```ts
 * const constraint: Constraint = { contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }
 * ```
 */
export interface Constraint {
  /**
   * The name of the context field.
   */
  contextName: string
  operator: Operator
  /**
   * Whether text is compared case-insensitively.
   */
  caseInsensitive?: boolean
  /**
   * Whether the result is inverted.
   */
  inverted?: boolean
  /**
   * The values of an operator that takes a list.
   */
  values?: string[]
  /**
   * The value of an operator that takes a single value.
   */
  value?: string
}
/**
 * Removes a segment.
 *
 * @example
 * ```ts
 * const change: DeleteSegmentChange = { action: 'deleteSegment', payload: { id: 4 } }
 * ```
 */
export interface DeleteSegmentChange {
  /**
   * The action.
   */
  action: 'deleteSegment'
  /**
   * Ignored.
   */
  feature?: unknown
  /**
   * The segment to remove.
   */
  payload: {
    id: SegmentId
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Enables or disables a flag.
 *
 * @example
 * ```ts
 * const change: UpdateEnabledChange = {
 *   action: 'updateEnabled',
 *   feature: 'checkout',
 *   payload: { enabled: true },
 * }
 * ```
 */
export interface UpdateEnabledChange {
  /**
   * The action.
   */
  action: 'updateEnabled'
  feature: FeatureName
  /**
   * The new state of the flag.
   */
  payload: {
    /**
     * Whether the flag is enabled.
     */
    enabled: boolean
    /**
     * Whether to enable the strategies of the flag if all of them are disabled, instead of adding the default strategy.
     */
    shouldActivateDisabledStrategies?: boolean
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Adds a strategy to a flag.
 *
 * @example
 * ```ts
 * const change: AddStrategyChange = {
 *   action: 'addStrategy',
 *   feature: 'checkout',
 *   payload: {
 *     name: 'flexibleRollout',
 *     constraints: [],
 *     parameters: { rollout: '50', stickiness: 'default', groupId: 'checkout' },
 *   },
 * }
 * ```
 */
export interface AddStrategyChange {
  /**
   * The action.
   */
  action: 'addStrategy'
  feature: FeatureName
  /**
   * The new strategy.
   */
  payload: {
    /**
     * The type of the strategy.
     */
    name: string
    /**
     * A title that distinguishes the strategy from others.
     */
    title?: string | null
    /**
     * Whether the strategy is disabled.
     */
    disabled?: boolean | null
    /**
     * The position among the strategies of the flag.
     */
    sortOrder?: number
    constraints: Constraints
    parameters: StrategyParameters
    /**
     * The ids of the segments.
     */
    segments?: number[]
    /**
     * The variants of the strategy.
     */
    variants?: StrategyVariant[]
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * The parameters of a strategy. Every value is text.
 *
 * @example
 * ```ts
 * const parameters: StrategyParameters = { rollout: '50', stickiness: 'default' }
 * ```
 */
export interface StrategyParameters {
  [k: string]: string
}
/**
 * A variant of a strategy that is added.
 *
 * @example
 * ```ts
 * const variant: StrategyVariant = {
 *   name: 'blue',
 *   weight: 500,
 *   weightType: 'variable',
 *   stickiness: 'default',
 *   payload: { type: 'string', value: '#00f' },
 * }
 * ```
 */
export interface StrategyVariant {
  /**
   * The name of the variant.
   */
  name: string
  /**
   * The share in thousandths.
   */
  weight: number
  /**
   * Whether the weight is fixed, or variable: a share of the rest.
   */
  weightType: 'variable' | 'fix'
  /**
   * The context field that decides which variant a user always gets.
   */
  stickiness: string
  payload?: VariantPayload
  [k: string]: unknown
}
/**
 * The payload that clients receive with a variant.
 *
 * @example
 * ```ts
 * const payload: VariantPayload = { type: 'json', value: '{"color":"blue"}' }
 * ```
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
 * Updates a strategy. Properties that are not sent stay unchanged.
 *
 * @example
 * ```ts
 * const change: UpdateStrategyChange = {
 *   action: 'updateStrategy',
 *   feature: 'checkout',
 *   payload: { id: 'strategy-1', title: 'half of them', parameters: { rollout: '50' } },
 * }
 * ```
 */
export interface UpdateStrategyChange {
  /**
   * The action.
   */
  action: 'updateStrategy'
  feature: FeatureName
  /**
   * The strategy, with the properties to update.
   */
  payload: StrategyUpdate & {
    /**
     * @deprecated
     * The type of the strategy.
     */
    name?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * The strategy, and the properties to update.
 *
 * @example
 * ```ts
 * const update: StrategyUpdate = {
 *   id: 'strategy-1',
 *   title: 'half of them',
 *   parameters: { rollout: '50' },
 * }
 * ```
 */
export interface StrategyUpdate {
  /**
   * The id of the strategy.
   */
  id: string
  /**
   * A title that distinguishes the strategy from others.
   */
  title?: string | null
  /**
   * Whether the strategy is disabled.
   */
  disabled?: boolean | null
  /**
   * The position among the strategies of the flag.
   */
  sortOrder?: number
  constraints?: Constraints
  parameters?: StrategyParameters
  /**
   * The ids of the segments.
   */
  segments?: number[]
  /**
   * The variants of the strategy.
   */
  variants?: ClosedStrategyVariant[]
  [k: string]: unknown
}
/**
 * A variant of a strategy that is updated. Further properties are not allowed.
 *
 * @example
 * ```ts
 * const variant: ClosedStrategyVariant = {
 *   name: 'blue',
 *   weight: 500,
 *   weightType: 'variable',
 *   stickiness: 'default',
 * }
 * ```
 */
export interface ClosedStrategyVariant {
  /**
   * The name of the variant.
   */
  name: string
  /**
   * The share in thousandths.
   */
  weight: number
  /**
   * Whether the weight is fixed, or variable: a share of the rest.
   */
  weightType: 'variable' | 'fix'
  /**
   * The context field that decides which variant a user always gets.
   */
  stickiness: string
  payload?: VariantPayload
}
/**
 * Removes a strategy from a flag.
 *
 * @example
 * ```ts
 * const change: DeleteStrategyChange = {
 *   action: 'deleteStrategy',
 *   feature: 'checkout',
 *   payload: { id: 'strategy-1' },
 * }
 * ```
 */
export interface DeleteStrategyChange {
  /**
   * The action.
   */
  action: 'deleteStrategy'
  feature: FeatureName
  /**
   * The strategy to remove.
   */
  payload: {
    /**
     * The id of the strategy.
     */
    id: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Archives a flag. A payload is ignored.
 *
 * @example
 * ```ts
 * const change: ArchiveFeatureChange = { action: 'archiveFeature', feature: 'checkout' }
 * ```
 */
export interface ArchiveFeatureChange {
  /**
   * The action.
   */
  action: 'archiveFeature'
  feature: FeatureName
  [k: string]: unknown
}
/**
 * Replaces all variants of a flag in the environment.
 *
 * @example
 * ```ts
 * const change: PatchVariantChange = {
 *   action: 'patchVariant',
 *   feature: 'checkout',
 *   payload: { variants: [{ name: 'blue', weight: 500 }, { name: 'red', weight: 500 }] },
 * }
 * ```
 */
export interface PatchVariantChange {
  /**
   * The action.
   */
  action: 'patchVariant'
  feature: FeatureName
  /**
   * All variants that the flag gets in the environment.
   */
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
 *
 * @example
 * ```ts
 * const variant: FlagVariant = {
 *   name: 'blue',
 *   weight: 500,
 *   weightType: 'variable',
 *   stickiness: 'default',
 * }
 * ```
 */
export interface FlagVariant {
  /**
   * The name of the variant.
   */
  name: string
  /**
   * The share in thousandths.
   */
  weight: number
  /**
   * Whether the weight is fixed, or variable: a share of the rest.
   */
  weightType?: 'variable' | 'fix'
  /**
   * The context field that decides which variant a user always gets.
   */
  stickiness?: string
  /**
   * The payload that clients receive with the variant.
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
   * Users who always get this variant, independent of the weights.
   */
  overrides?: {
    /**
     * The name of the context field.
     */
    contextName: string
    /**
     * The values that always get this variant.
     */
    values: string[]
  }[]
}
/**
 * Sets the order of the strategies of a flag.
 *
 * @example
 * ```ts
 * const change: ReorderStrategyChange = {
 *   action: 'reorderStrategy',
 *   feature: 'checkout',
 *   payload: [{ id: 'strategy-1', sortOrder: 1 }, { id: 'strategy-2', sortOrder: 0 }],
 * }
 * ```
 */
export interface ReorderStrategyChange {
  /**
   * The action.
   */
  action: 'reorderStrategy'
  feature: FeatureName
  /**
   * The strategies with their new positions.
   */
  payload: {
    /**
     * The id of the strategy.
     */
    id: string
    /**
     * The new position.
     */
    sortOrder: number
  }[]
  [k: string]: unknown
}
/**
 * Makes a flag depend on a parent flag.
 *
 * @example
 * ```ts
 * const change: AddDependencyChange = {
 *   action: 'addDependency',
 *   feature: 'checkout',
 *   payload: { feature: 'payments', enabled: true },
 * }
 * ```
 */
export interface AddDependencyChange {
  /**
   * The action.
   */
  action: 'addDependency'
  feature: FeatureName
  /**
   * The parent flag, and the state that it must have.
   */
  payload: {
    feature: FeatureName
    /**
     * Whether the parent must be enabled. If it must be disabled, variants are ignored.
     */
    enabled?: boolean
    /**
     * The variants of the parent that satisfy the dependency.
     */
    variants?: string[]
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Removes the dependencies of a flag.
 *
 * @example
 * ```ts
 * const change: DeleteDependencyChange = { action: 'deleteDependency', feature: 'checkout' }
 * ```
 */
export interface DeleteDependencyChange {
  /**
   * The action.
   */
  action: 'deleteDependency'
  feature: FeatureName
  /**
   * Stored as sent.
   */
  payload?: {
    [k: string]: unknown
  } | null
  [k: string]: unknown
}
/**
 * Starts a release plan from a template.
 *
 * @example
 * ```ts
 * const change: AddReleasePlanChange = {
 *   action: 'addReleasePlan',
 *   feature: 'checkout',
 *   payload: { templateId: 'template-1' },
 * }
 * ```
 */
export interface AddReleasePlanChange {
  /**
   * The action.
   */
  action: 'addReleasePlan'
  feature: FeatureName
  /**
   * The template of the release plan.
   */
  payload: {
    /**
     * The id of the template.
     */
    templateId: string
  }
  [k: string]: unknown
}
/**
 * Starts a milestone of a release plan.
 *
 * @example
 * ```ts
 * const change: StartMilestoneChange = {
 *   action: 'startMilestone',
 *   feature: 'checkout',
 *   payload: { planId: 'plan-1', milestoneId: 'milestone-1' },
 * }
 * ```
 */
export interface StartMilestoneChange {
  /**
   * The action.
   */
  action: 'startMilestone'
  feature: FeatureName
  /**
   * The milestone to start.
   */
  payload: {
    /**
     * The id of the release plan.
     */
    planId: string
    /**
     * The id of the milestone.
     */
    milestoneId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Removes a release plan.
 *
 * @example
 * ```ts
 * const change: DeleteReleasePlanChange = {
 *   action: 'deleteReleasePlan',
 *   feature: 'checkout',
 *   payload: { planId: 'plan-1' },
 * }
 * ```
 */
export interface DeleteReleasePlanChange {
  /**
   * The action.
   */
  action: 'deleteReleasePlan'
  feature: FeatureName
  /**
   * The release plan to remove.
   */
  payload: {
    /**
     * The id of the release plan.
     */
    planId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Sets the condition for starting the next milestone.
 *
 * @example
 * ```ts
 * const change: ChangeMilestoneProgressionChange = {
 *   action: 'changeMilestoneProgression',
 *   feature: 'checkout',
 *   payload: {
 *     sourceMilestone: 'milestone-1',
 *     targetMilestone: 'milestone-2',
 *     transitionCondition: { intervalMinutes: 60 },
 *   },
 * }
 * ```
 */
export interface ChangeMilestoneProgressionChange {
  /**
   * The action.
   */
  action: 'changeMilestoneProgression'
  feature: FeatureName
  /**
   * The two milestones, and when the second one starts.
   */
  payload: {
    /**
     * The id of the milestone to start from.
     */
    sourceMilestone: string
    /**
     * The id of the milestone that follows.
     */
    targetMilestone: string
    /**
     * The condition for starting the next milestone.
     */
    transitionCondition: {
      /**
       * The number of minutes to wait.
       */
      intervalMinutes: number
    }
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Removes the automatic start of the next milestone.
 *
 * @example
 * ```ts
 * const change: DeleteMilestoneProgressionChange = {
 *   action: 'deleteMilestoneProgression',
 *   feature: 'checkout',
 *   payload: { sourceMilestone: 'milestone-1' },
 * }
 * ```
 */
export interface DeleteMilestoneProgressionChange {
  /**
   * The action.
   */
  action: 'deleteMilestoneProgression'
  feature: FeatureName
  /**
   * The milestone that the next one no longer follows automatically.
   */
  payload: {
    /**
     * The id of the milestone to start from.
     */
    sourceMilestone: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Resumes the milestones of a paused release plan.
 *
 * @example
 * ```ts
 * const change: ResumeMilestoneProgressionChange = {
 *   action: 'resumeMilestoneProgression',
 *   feature: 'checkout',
 *   payload: { planId: 'plan-1' },
 * }
 * ```
 */
export interface ResumeMilestoneProgressionChange {
  /**
   * The action.
   */
  action: 'resumeMilestoneProgression'
  feature: FeatureName
  /**
   * The paused release plan.
   */
  payload: {
    /**
     * The id of the release plan.
     */
    planId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Updates a strategy of a milestone. Properties that are not sent stay unchanged.
 *
 * @example
 * ```ts
 * const change: UpdateMilestoneStrategyChange = {
 *   action: 'updateMilestoneStrategy',
 *   feature: 'checkout',
 *   payload: { id: 'strategy-1', parameters: { rollout: '75' } },
 * }
 * ```
 */
export interface UpdateMilestoneStrategyChange {
  /**
   * The action.
   */
  action: 'updateMilestoneStrategy'
  feature: FeatureName
  payload: StrategyUpdate
  [k: string]: unknown
}
/**
 * Sets a safeguard of a release plan.
 *
 * @example
 * ```ts
 * const change: ChangeReleasePlanSafeguardChange = {
 *   action: 'changeReleasePlanSafeguard',
 *   feature: 'checkout',
 *   payload: {
 *     planId: 'plan-1',
 *     safeguard: {
 *       impactMetric: {
 *         metricName: 'errors',
 *         timeRange: 'hour',
 *         aggregationMode: 'p95',
 *         labelSelectors: { app: ['shop'] },
 *       },
 *       triggerCondition: { operator: '>', threshold: 0.5 },
 *     },
 *   },
 * }
 * ```
 */
export interface ChangeReleasePlanSafeguardChange {
  /**
   * The action.
   */
  action: 'changeReleasePlanSafeguard'
  feature: FeatureName
  payload: PlanSafeguard
  [k: string]: unknown
}
/**
 * A release plan, and the safeguard to set.
 *
 * @example
 * ```ts
 * const safeguard: PlanSafeguard = {
 *   planId: 'plan-1',
 *   safeguard: {
 *     impactMetric: {
 *       metricName: 'errors',
 *       timeRange: 'hour',
 *       aggregationMode: 'p95',
 *       labelSelectors: { app: ['shop'] },
 *     },
 *     triggerCondition: { operator: '>', threshold: 0.5 },
 *   },
 * }
 * ```
 */
export interface PlanSafeguard {
  /**
   * The id of the release plan.
   */
  planId: string
  safeguard: Safeguard
  [k: string]: unknown
}
/**
 * A metric and the threshold at which a rollout is stopped.
 *
 * @example
 * ```ts
 * const safeguard: Safeguard = {
 *   impactMetric: {
 *     metricName: 'errors',
 *     timeRange: 'hour',
 *     aggregationMode: 'p95',
 *     labelSelectors: { app: ['shop'] },
 *   },
 *   triggerCondition: { operator: '>', threshold: 0.5 },
 * }
 * ```
 */
export interface Safeguard {
  /**
   * The metric to watch.
   */
  impactMetric: {
    /**
     * The name of the metric.
     */
    metricName: string
    /**
     * The time range to look back.
     */
    timeRange: 'hour' | 'day' | 'week' | 'month'
    /**
     * How samples are aggregated to one number.
     */
    aggregationMode: 'rps' | 'count' | 'avg' | 'sum' | 'p95' | 'p99' | 'p50'
    /**
     * The accepted values of each label.
     */
    labelSelectors: {
      [k: string]: string[]
    }
    /**
     * The source of the metric.
     */
    source?: 'internal' | 'external'
    [k: string]: unknown
  }
  /**
   * The condition that triggers the safeguard.
   */
  triggerCondition: {
    /**
     * Whether it triggers above or below the threshold.
     */
    operator: '>' | '<'
    /**
     * The threshold.
     */
    threshold: number
  }
}
/**
 * Removes a safeguard of a release plan.
 *
 * @example
 * ```ts
 * const change: DeleteReleasePlanSafeguardChange = {
 *   action: 'deleteReleasePlanSafeguard',
 *   feature: 'checkout',
 *   payload: { planId: 'plan-1', safeguardId: 'safeguard-1' },
 * }
 * ```
 */
export interface DeleteReleasePlanSafeguardChange {
  /**
   * The action.
   */
  action: 'deleteReleasePlanSafeguard'
  feature: FeatureName
  payload: PlanSafeguardRemoval
  [k: string]: unknown
}
/**
 * A release plan, and the safeguard to remove.
 *
 * @example
 * ```ts
 * const removal: PlanSafeguardRemoval = { planId: 'plan-1', safeguardId: 'safeguard-1' }
 * ```
 */
export interface PlanSafeguardRemoval {
  /**
   * The id of the release plan.
   */
  planId: string
  /**
   * The id of the safeguard.
   */
  safeguardId: string
  [k: string]: unknown
}
/**
 * Sets a safeguard of a flag in the environment.
 *
 * @example
 * ```ts
 * const change: ChangeFeatureEnvSafeguardChange = {
 *   action: 'changeFeatureEnvSafeguard',
 *   feature: 'checkout',
 *   payload: {
 *     safeguard: {
 *       impactMetric: {
 *         metricName: 'errors',
 *         timeRange: 'hour',
 *         aggregationMode: 'p95',
 *         labelSelectors: { app: ['shop'] },
 *       },
 *       triggerCondition: { operator: '>', threshold: 0.5 },
 *     },
 *   },
 * }
 * ```
 */
export interface ChangeFeatureEnvSafeguardChange {
  /**
   * The action.
   */
  action: 'changeFeatureEnvSafeguard'
  feature: FeatureName
  /**
   * The new safeguard.
   */
  payload: {
    safeguard: Safeguard
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * Removes a safeguard of a flag in the environment.
 *
 * @example
 * ```ts
 * const change: DeleteFeatureEnvSafeguardChange = {
 *   action: 'deleteFeatureEnvSafeguard',
 *   feature: 'checkout',
 *   payload: { safeguardId: 'safeguard-1' },
 * }
 * ```
 */
export interface DeleteFeatureEnvSafeguardChange {
  /**
   * The action.
   */
  action: 'deleteFeatureEnvSafeguard'
  feature: FeatureName
  /**
   * The safeguard to remove.
   */
  payload: {
    /**
     * The id of the safeguard.
     */
    safeguardId: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * An older name of changeReleasePlanSafeguard.
 *
 * @example
 * ```ts
 * const change: ChangeSafeguardChange = {
 *   action: 'changeSafeguard',
 *   feature: 'checkout',
 *   payload: {
 *     planId: 'plan-1',
 *     safeguard: {
 *       impactMetric: {
 *         metricName: 'errors',
 *         timeRange: 'hour',
 *         aggregationMode: 'p95',
 *         labelSelectors: { app: ['shop'] },
 *       },
 *       triggerCondition: { operator: '>', threshold: 0.5 },
 *     },
 *   },
 * }
 * ```
 */
export interface ChangeSafeguardChange {
  /**
   * The action.
   */
  action: 'changeSafeguard'
  feature: FeatureName
  payload: PlanSafeguard
  [k: string]: unknown
}
/**
 * An older name of deleteReleasePlanSafeguard.
 *
 * @example
 * ```ts
 * const change: DeleteSafeguardChange = {
 *   action: 'deleteSafeguard',
 *   feature: 'checkout',
 *   payload: { planId: 'plan-1', safeguardId: 'safeguard-1' },
 * }
 * ```
 */
export interface DeleteSafeguardChange {
  /**
   * The action.
   */
  action: 'deleteSafeguard'
  feature: FeatureName
  payload: PlanSafeguardRemoval
  [k: string]: unknown
}
/**
 * The result of a check.
 *
 * @example
 * ```ts
 * const submission: CheckReportSubmission = {
 *   status: 'passed',
 *   digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   summary: '212 tests passed.',
 *   url: 'https://ci.example/runs/81',
 * }
 * ```
 */
export interface CheckReportSubmission {
  status: CheckStatus
  /**
   * The `digest` of the review that was checked. If the content has changed since, the response is 412.
   */
  digest: string
  /**
   * The result in words: 1 to 1,000 characters after trimming, without characters that change the direction of text.
   */
  summary?: string
  /**
   * Where the result is explained.
   */
  url?: string
}
/**
 * The checks of a change request.
 *
 * @example
 * ```ts
 * const view: ChecksView = {
 *   checks: [
 *     {
 *       name: 'ci',
 *       description: 'Smoke tests on staging.',
 *       required: true,
 *       mode: 'enforce',
 *       status: 'passed',
 *       summary: '212 tests passed.',
 *       url: 'https://ci.example/runs/81',
 *       reportedBy: { id: 9, username: 'ci', imageUrl: null, kind: 'service', onBehalfOf: null },
 *       reportedAt: '2026-11-20T11:12:44.310Z',
 *     },
 *   ],
 * }
 * ```
 */
export interface ChecksView {
  /**
   * The checks that match the change request, in the order of the option.
   */
  checks: CheckView[]
}
/**
 * A check of a change request, with its last report for the current content.
 *
 * @example
 * ```ts
 * const view: CheckView = {
 *   name: 'ci',
 *   description: 'Smoke tests on staging.',
 *   required: true,
 *   mode: 'enforce',
 *   status: 'passed',
 *   summary: '212 tests passed.',
 *   url: 'https://ci.example/runs/81',
 *   reportedBy: { id: 9, username: 'ci', imageUrl: null, kind: 'service', onBehalfOf: null },
 *   reportedAt: '2026-11-20T11:12:44.310Z',
 * }
 * ```
 */
export interface CheckView {
  /**
   * The name of the check.
   */
  name: string
  /**
   * What it checks. Null for none.
   */
  description: string | null
  /**
   * Whether the change request can be applied only once the check has passed. In an emergency it can be applied before.
   */
  required: boolean
  mode: RuleMode
  /**
   * The status of the last report for the current content. Null without one, and while the flags are unavailable: then all properties of the report are null.
   */
  status: CheckStatus | null
  /**
   * The result in words.
   */
  summary: string | null
  /**
   * Where the result is explained.
   */
  url: string | null
  /**
   * Who reported it.
   */
  reportedBy: AuthorView | null
  /**
   * When it was reported.
   */
  reportedAt: string | null
}
/**
 * The person or machine that did something. The name is null if the user is no longer known.
 *
 * @example
 * ```ts
 * const view: AuthorView = {
 *   id: 1,
 *   username: 'Ann Lee',
 *   imageUrl: null,
 *   kind: 'person',
 *   onBehalfOf: null,
 * }
 * ```
 */
export interface AuthorView {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The full name, else the e-mail address, else the username.
   */
  username: string | null
  /**
   * The URL of an image.
   */
  imageUrl: string | null
  kind: ActorKind
  /**
   * The person for whom the machine acts. Null for a person, and for a machine that acts for nobody.
   */
  onBehalfOf: PrincipalView | null
}
/**
 * The person for whom a machine acts. The name is null if the user is no longer known.
 *
 * @example
 * ```ts
 * const view: PrincipalView = { id: 1, username: 'Ann Lee' }
 * ```
 */
export interface PrincipalView {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The full name, else the e-mail address, else the username.
   */
  username: string | null
}
/**
 * Whether a comment is resolved.
 *
 * @example
 * ```ts
 * const resolution: CommentResolution = { resolved: true }
 * ```
 */
export interface CommentResolution {
  /**
   * True to resolve the comment, false to open it again.
   */
  resolved: boolean
}
/**
 * A comment on a change request.
 *
 * @example
 * ```ts
 * const submission: CommentSubmission = { text: 'Please wait for the release on Monday.' }
 * ```
 */
export interface CommentSubmission {
  /**
   * The text, of 1 to 10,000 characters after trimming.
   */
  text: string
  /**
   * The id of the change that the comment is about. Absent or null for the whole change request.
   */
  changeId?: number | null
}
/**
 * The new text of a comment.
 *
 * @example
 * ```ts
 * const update: CommentUpdate = { text: 'Please wait for the release on Tuesday.' }
 * ```
 */
export interface CommentUpdate {
  /**
   * The text, of 1 to 10,000 characters after trimming.
   */
  text: string
}
/**
 * The durable consumers of the event log.
 *
 * @example
 * ```ts
 * const view: ConsumersView = {
 *   consumers: [
 *     {
 *       name: 'audit',
 *       state: 'retrying',
 *       position: 1040,
 *       lag: 2,
 *       delay: 95000,
 *       attempt: 3,
 *       failingSince: '2026-11-20T10:52:09.870Z',
 *       lastError: 'audit: event 1041 was answered with 503.',
 *       nextAttemptAt: '2026-11-20T10:55:12.100Z',
 *       reason: null,
 *       skipped: null,
 *     },
 *   ],
 * }
 * ```
 */
export interface ConsumersView {
  /**
   * The consumers, by name.
   */
  consumers: ConsumerView[]
}
/**
 * A durable consumer of the event log.
 *
 * @example
 * ```ts
 * const view: ConsumerView = {
 *   name: 'audit',
 *   state: 'running',
 *   position: 1042,
 *   lag: 0,
 *   delay: 0,
 *   attempt: 1,
 *   failingSince: null,
 *   lastError: null,
 *   nextAttemptAt: null,
 *   reason: null,
 *   skipped: null,
 * }
 * ```
 */
export interface ConsumerView {
  /**
   * The name of the consumer.
   */
  name: string
  /**
   * `running`: a process handles its events. `waiting`: no process runs it, or the database is read-only. `retrying`: it fails, and is tried again. `stopped`: it is not tried again until `seek` or a retry.
   */
  state: 'running' | 'waiting' | 'retrying' | 'stopped'
  /**
   * The log was read up to this event id.
   */
  position: number
  /**
   * The newest event id minus the position: at most this many events wait.
   */
  lag: number
  /**
   * The age of the first event after the position in milliseconds; 0 if none waits.
   */
  delay: number
  /**
   * The number of the current attempt, starting at 1.
   */
  attempt: number
  /**
   * When the first of the failed attempts failed; null if none has.
   */
  failingSince: string | null
  /**
   * The message of the last failure, at most 200 characters; null if none has failed.
   */
  lastError: string | null
  /**
   * When the next attempt begins; null if the consumer does not wait.
   */
  nextAttemptAt: string | null
  /**
   * Why it was stopped, such as `position-lost`; null unless it is stopped.
   */
  reason: string | null
  /**
   * Events that were removed from the log before they were read, both ids included; null if there are none.
   */
  skipped: {
    /**
     * The first id.
     */
    from: number
    /**
     * The last id.
     */
    to: number
  } | null
}
/**
 * The context fields of a project.
 *
 * @example
 * ```ts
 * const view: ContextFieldsView = {
 *   fields: [
 *     { name: 'country', description: 'The ISO code.', legalValues: ['de', 'fr'], stickiness: false },
 *   ],
 * }
 * ```
 */
export interface ContextFieldsView {
  /**
   * The fields, at most 200. Null if the host app does not return them.
   *
   * @maxItems 200
   */
  fields:
    | {
        /**
         * The name of the field.
         */
        name: string
        /**
         * What it is, or null.
         */
        description: string | null
        /**
         * The values that it can have. Null for any value.
         */
        legalValues: string[] | null
        /**
         * Whether a gradual rollout can be sticky to it.
         */
        stickiness: boolean
      }[]
    | null
}
/**
 * All values of the custom fields, by name. A field that is left out, or whose text is blank, has no value afterwards.
 *
 * @example
 * ```ts
 * const update: CustomFieldsUpdate = { ticket: 'ABC-1' }
 * ```
 */
export interface CustomFieldsUpdate {
  /**
   * A text, a number or a boolean.
   */
  [k: string]: string | number | boolean
}
/**
 * The custom fields of a change request after a write.
 *
 * @example
 * ```ts
 * const view: WrittenCustomFieldsView = {
 *   customFields: {
 *     schema: {
 *       type: 'object',
 *       properties: {
 *         ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$' },
 *       },
 *       required: ['ticket'],
 *       additionalProperties: false,
 *     },
 *     values: { ticket: 'ABC-1' },
 *     missing: [],
 *     setBy: {
 *       ticket: {
 *         person: { id: 1, username: 'Ann Lee', imageUrl: null },
 *         at: '2026-11-20T10:52:09.870Z',
 *       },
 *     },
 *   },
 * }
 * ```
 */
export interface WrittenCustomFieldsView {
  customFields: CustomFieldsView
}
/**
 * The custom fields of a change request.
 *
 * @example
 * ```ts
 * const view: CustomFieldsView = {
 *   schema: {
 *     type: 'object',
 *     properties: {
 *       ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$' },
 *     },
 *     required: ['ticket'],
 *     additionalProperties: false,
 *   },
 *   values: { ticket: 'ABC-1' },
 *   missing: [],
 *   setBy: {
 *     ticket: {
 *       person: { id: 1, username: 'Ann Lee', imageUrl: null },
 *       at: '2026-11-20T10:52:09.870Z',
 *     },
 *   },
 * }
 * ```
 */
export interface CustomFieldsView {
  schema: CustomFieldsSchemaView
  /**
   * The values by name. They may include values that no longer fit the schema, if that has changed.
   */
  values: {
    /**
     * A text, a number or a boolean.
     */
    [k: string]: string | number | boolean
  }
  /**
   * The names of the fields without which a submit fails: required ones without a value, and those whose value does not fit the schema.
   */
  missing: string[]
  /**
   * Who set each value, and when.
   */
  setBy: {
    [k: string]: {
      person: PersonView
      /**
       * The time when it was set.
       */
      at: string
    }
  }
}
/**
 * The custom fields of the host app, as a JSON Schema.
 *
 * @example
 * ```ts
 * const view: CustomFieldsSchemaView = {
 *   type: 'object',
 *   properties: {
 *     ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '^[A-Z]+-[0-9]+$' },
 *   },
 *   required: ['ticket'],
 *   additionalProperties: false,
 * }
 * ```
 */
export interface CustomFieldsSchemaView {
  /**
   * Always `object`.
   */
  type: 'object'
  /**
   * The fields by name.
   */
  properties: {
    [k: string]: CustomFieldView
  }
  /**
   * The names of the fields that a submit needs; absent for none.
   */
  required?: string[]
  /**
   * Always false.
   */
  additionalProperties: false
}
/**
 * What a custom field accepts.
 *
 * @example
 * ```ts
 * const view: CustomFieldView = {
 *   type: 'string',
 *   title: 'Ticket',
 *   maxLength: 20,
 *   pattern: '^[A-Z]+-[0-9]+$',
 * }
 * ```
 */
export interface CustomFieldView {
  /**
   * The type of its values.
   */
  type: 'string' | 'number' | 'integer' | 'boolean'
  /**
   * Its label; absent for its name.
   */
  title?: string
  /**
   * A hint for people.
   */
  description?: string
  /**
   * Prefills a form. Nothing is stored until someone sends it.
   */
  default?: string | number | boolean
  /**
   * The accepted values; absent for all of the type.
   */
  enum?: (string | number)[]
  /**
   * The maximum number of characters of a text.
   */
  maxLength?: number
  /**
   * A regular expression that a text matches.
   */
  pattern?: string
  /**
   * The format of a text.
   */
  format?: 'uri' | 'date'
  /**
   * The lowest number.
   */
  minimum?: number
  /**
   * The highest number.
   */
  maximum?: number
}
/**
 * The reason why a request failed.
 *
 * @example
 * ```ts
 * const view: ErrorView = {
 *   id: '5f0c7f5e-6a43-4a57-9e9c-3f1a2b7a9d10',
 *   name: 'BadDataError',
 *   message: 'The input is not valid; see details for what is wrong with it.',
 *   details: [{ message: 'enabled is required and missing', path: '/body/payload/enabled' }],
 * }
 * ```
 */
export interface ErrorView {
  /**
   * Identifies this response in the log of the server.
   */
  id: string
  /**
   * The name of the error. It never changes.
   */
  name: string
  /**
   * The problem, and how to fix it.
   */
  message: string
  details: ErrorDetailsView
  /**
   * The permissions that were missing.
   */
  permissions?: string[]
  /**
   * Where to continue on the review page: where to propose a write that needs a review, or the change request that it would alter. Only with the option `pageUrl`.
   */
  url?: string
}
/**
 * The number of events of each day.
 *
 * @example
 * ```ts
 * const view: EventActivityView = { days: [{ date: '2026-11-20', total: 42 }] }
 * ```
 */
export interface EventActivityView {
  /**
   * The days that have events, oldest first.
   */
  days: {
    /**
     * The day in UTC.
     */
    date: string
    /**
     * The number of events.
     */
    total: number
  }[]
}
/**
 * Events, newest first.
 *
 * @example
 * ```ts
 * const view: EventListView = {
 *   version: 1,
 *   events: [
 *     {
 *       id: 7,
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       type: 'feature-archived',
 *       createdBy: 'ann@example.com',
 *     },
 *   ],
 *   totalEvents: 1,
 * }
 * ```
 */
export interface EventListView {
  /**
   * The version of this format.
   */
  version: 1
  /**
   * The events.
   */
  events: EventView[]
  /**
   * The number of all events.
   */
  totalEvents: number
}
/**
 * An event of the log.
 *
 * @example
 * ```ts
 * const view: EventView = {
 *   id: 7,
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   type: 'change-request-applied',
 *   createdBy: 'ben@example.com',
 *   createdByUserId: 2,
 *   environment: 'production',
 *   project: 'shop',
 *   featureName: 'checkout',
 *   data: {
 *     changeRequestId: 42,
 *     approvals: [
 *       { by: { id: 2, username: 'ben@example.com' }, at: '2026-11-20T10:50:41.002Z', rules: [] },
 *     ],
 *     requirements: [{ name: 'minimum', environment: null, approvals: 1, given: 1 }],
 *     policy: '7f4df90ae3d5b0e4f2f2a1a0c4f1f4a8d1c5d9b2a6c3e7f8091a2b3c4d5e6f70',
 *   },
 *   preData: null,
 *   tags: [],
 * }
 * ```
 */
export interface EventView {
  /**
   * The id of the event. Ids increase in the order in which events become visible.
   */
  id: number
  /**
   * The time of the event.
   */
  createdAt: string
  type: EventType
  /**
   * The name of the acting user.
   */
  createdBy: string
  /**
   * The id of the acting user.
   */
  createdByUserId?: number | null
  /**
   * The environment of the event.
   */
  environment?: string | null
  /**
   * The project of the event.
   */
  project?: string | null
  /**
   * The flag of the event.
   */
  featureName?: string | null
  data?: EventData
  preData?: EventData
  tags?: Tags
  /**
   * The type in plain words.
   */
  label?: string | null
  /**
   * A sentence in Markdown: who did what, where.
   */
  summary?: string | null
  /**
   * The IP address of the caller, if it is recorded.
   */
  ip?: string | null
  /**
   * The type of the group of events.
   */
  groupType?: string
  /**
   * The id of the group of events.
   */
  groupId?: string
}
/**
 * A tag of a flag.
 *
 * @example
 * ```ts
 * const tag: Tag = { type: 'team', value: 'payments' }
 * ```
 */
export interface Tag {
  /**
   * The value of the tag.
   */
  value: string
  /**
   * The type of the tag.
   */
  type: string
}
/**
 * An event that the host adds to the log. The log assigns its id and time.
 *
 * @example
 * ```ts
 * const event: RecordedEvent = {
 *   type: 'feature-archived',
 *   project: 'shop',
 *   featureName: 'checkout',
 *   createdBy: 'ann@example.com',
 *   createdByUserId: 1,
 * }
 * ```
 */
export interface RecordedEvent {
  /**
   * What the event records. Events about change requests are written only by the router.
   */
  type:
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
    | 'impact-metric-created'
    | 'impact-metric-updated'
    | 'impact-metric-deleted'
    | 'user-access-request-registered'
    | 'user-access-request-approved'
    | 'user-access-request-rejected'
    | 'remote-mcp-server-settings-updated'
  /**
   * The name of the acting user. The default is "unknown".
   */
  createdBy?: string
  /**
   * The id of the acting user.
   */
  createdByUserId?: number | null
  /**
   * The project of the event.
   */
  project?: Name | null
  /**
   * The environment of the event.
   */
  environment?: Name | null
  /**
   * The flag of the event.
   */
  featureName?: FeatureName | null
  data?: EventData
  preData?: EventData
  tags?: Tags
  /**
   * The IP address of the caller.
   */
  ip?: string | null
  /**
   * The type of the group of events.
   */
  groupType?: 'change-request' | 'transaction'
  /**
   * The id of the group of events.
   */
  groupId?: string
}
/**
 * One page of the matching events, newest first.
 *
 * @example
 * ```ts
 * const view: EventSearchView = {
 *   events: [
 *     {
 *       id: 7,
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       type: 'feature-archived',
 *       createdBy: 'ann@example.com',
 *     },
 *   ],
 *   total: 1,
 * }
 * ```
 */
export interface EventSearchView {
  /**
   * The events of the page.
   */
  events: EventView[]
  /**
   * The number of matches on all pages.
   */
  total: number
}
/**
 * A line of the export of change requests: what is stored about one.
 *
 * @example
 * ```ts
 * const view: ExportedChangeRequestView = {
 *   id: 1,
 *   project: 'shop',
 *   environment: 'production',
 *   title: 'Open the checkout',
 *   state: 'Applied',
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   updatedAt: '2026-11-20T12:00:00.000Z',
 *   author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *   changes: [
 *     {
 *       id: 7,
 *       action: 'updateEnabled',
 *       feature: 'checkout',
 *       payload: { enabled: true },
 *       author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       replaces: null,
 *     },
 *   ],
 *   votes: [
 *     {
 *       kind: 'approval',
 *       person: { id: 2, username: 'Ben Ode', imageUrl: null },
 *       at: '2026-11-20T11:30:00.000Z',
 *       digest: 'sha256:4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
 *       counted: true,
 *     },
 *   ],
 *   voidedApprovals: [],
 *   requirements: [
 *     {
 *       name: 'minimum',
 *       environment: null,
 *       mode: 'enforce',
 *       because: [],
 *       approvals: 1,
 *       given: 1,
 *       from: null,
 *       approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *       satisfiable: null,
 *     },
 *   ],
 *   objections: [],
 *   checks: [
 *     {
 *       name: 'ci',
 *       required: true,
 *       status: 'passed',
 *       summary: '212 tests passed.',
 *       url: 'https://ci.example/runs/81',
 *       digest: 'sha256:4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
 *       reportedBy: { id: 9, username: 'ci', imageUrl: null, kind: 'service', onBehalfOf: null },
 *       reportedAt: '2026-11-20T11:12:44.310Z',
 *     },
 *   ],
 *   customFields: [
 *     {
 *       name: 'ticket',
 *       value: 'ABC-1',
 *       person: { id: 1, username: 'Ann Lee', imageUrl: null },
 *       at: '2026-11-20T10:52:09.870Z',
 *     },
 *   ],
 *   discussion: [
 *     {
 *       id: 1,
 *       text: 'Go.',
 *       author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       changeId: null,
 *       editedAt: null,
 *       deleted: null,
 *       resolved: null,
 *     },
 *   ],
 *   schedule: null,
 *   emergency: null,
 *   ended: {
 *     state: 'Applied',
 *     by: { id: 2, username: 'Ben Ode', imageUrl: null },
 *     at: '2026-11-20T12:00:00.000Z',
 *     comment: null,
 *     scheduled: false,
 *   },
 *   lastEvent: 42,
 * }
 * ```
 */
export interface ExportedChangeRequestView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The project.
   */
  project: string
  /**
   * The environment that it changes.
   */
  environment: string
  /**
   * The title.
   */
  title: string
  state: StateName
  /**
   * The time when it was created.
   */
  createdAt: string
  /**
   * The time when it was last changed. `changedFrom` and `changedTo` compare it.
   */
  updatedAt: string
  author: AuthorView
  /**
   * The changes, in the order of their ids.
   */
  changes: ExportedChangeView[]
  /**
   * The approvals, then the rejections, each oldest first.
   */
  votes: ExportedVoteView[]
  /**
   * The last 50 approvals that were removed, oldest first.
   */
  voidedApprovals: VoidedApprovalView[]
  /**
   * The approvals that it needed when it was applied, the minimum of the environment first. Null unless it was applied.
   */
  requirements: RequirementView[] | null
  /**
   * All open objections and the last 50 that ended, by id.
   */
  objections: ObjectionView[]
  /**
   * The stored reports of checks in the order of their arrival, then the checks without a report that matched when it was applied.
   */
  checks: ExportedCheckView[]
  /**
   * The custom fields that have a value.
   */
  customFields: ExportedFieldView[]
  /**
   * The comments, oldest first.
   */
  discussion: ExportedCommentView[]
  /**
   * The schedule. Null unless the state is Scheduled.
   */
  schedule: ExportedScheduleView | null
  /**
   * Null unless it was applied before its approval.
   */
  emergency: ExportedEmergencyView | null
  /**
   * How it was closed. Null while it is not.
   */
  ended: EndingView | null
  /**
   * The id of its newest event, read at the same moment. Null if the log no longer has any.
   */
  lastEvent: number | null
}
/**
 * A change of an exported change request.
 *
 * @example
 * ```ts
 * const view: ExportedChangeView = {
 *   id: 7,
 *   action: 'updateEnabled',
 *   feature: 'checkout',
 *   payload: { enabled: true },
 *   author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   replaces: null,
 * }
 * ```
 */
export interface ExportedChangeView {
  /**
   * The id of the change. An edit assigns a new one.
   */
  id: number
  action: Action
  /**
   * The flag. Null for a change of a segment.
   */
  feature: string | null
  /**
   * The payload as it was submitted. An empty object if the action has none.
   */
  payload: unknown
  author: AuthorView
  /**
   * The time when it was added, or last edited.
   */
  createdAt: string
  /**
   * The id that the change had before it was edited. Null if it never was.
   */
  replaces: number | null
}
/**
 * An approval or a rejection of an exported change request.
 *
 * @example
 * ```ts
 * const view: ExportedVoteView = {
 *   kind: 'approval',
 *   person: { id: 2, username: 'Ben Ode', imageUrl: null },
 *   at: '2026-11-20T11:30:00.000Z',
 *   digest: 'sha256:4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
 *   counted: true,
 * }
 * ```
 */
export interface ExportedVoteView {
  /**
   * What the user decided.
   */
  kind: 'approval' | 'rejection'
  person: PersonView
  /**
   * The time of the vote.
   */
  at: string
  /**
   * The digest of what it is for.
   */
  digest: string
  /**
   * Whether the approval counted when the change request was applied. Null for a rejection, and unless it was applied.
   */
  counted: boolean | null
}
/**
 * An approval of a user that no longer counts.
 *
 * @example
 * ```ts
 * const view: VoidedApprovalView = {
 *   by: { id: 2, username: 'Ben Ode', imageUrl: null },
 *   at: '2026-11-20T11:30:00.000Z',
 *   cause: 'edit',
 *   causedBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 * }
 * ```
 */
export interface VoidedApprovalView {
  by: PersonView
  /**
   * The time when it was voided. Null if that is unknown, as for an implied change.
   */
  at: string | null
  /**
   * What voided it. `objected`: the user objected; `taken-back`: the user took it back; `implied-change`: what would be applied changed, although nobody edited the changes. `expired`: it was given too long ago.
   */
  cause: 'edit' | 'rebase' | 'objected' | 'taken-back' | 'implied-change' | 'expired'
  /**
   * The user who caused it. Null if no user did, or if the user is unknown.
   */
  causedBy: PersonView | null
}
/**
 * Approvals that a change request needs.
 *
 * @example
 * ```ts
 * const view: RequirementView = {
 *   name: 'minimum',
 *   environment: null,
 *   mode: 'enforce',
 *   because: [],
 *   approvals: 2,
 *   given: 1,
 *   from: null,
 *   approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *   satisfiable: null,
 * }
 * ```
 */
export interface RequirementView {
  /**
   * The name of the rule. `minimum` is the minimum of the environment, or the highest minimum of all environments that are affected.
   */
  name: string
  /**
   * The environment of the approval rule. Null for the minimum.
   */
  environment: string | null
  mode: RuleMode
  /**
   * What made the rule match, at most 5. Empty for the minimum and for rules that match every change.
   *
   * @maxItems 5
   */
  because: RuleCauseView[]
  /**
   * The number of approvals that are needed.
   */
  approvals: number
  /**
   * The number of approvals that count for what would be applied now. Null for a rule by tags or fields while the flags are unavailable.
   */
  given: number | null
  /**
   * The users and groups whose approvals count. Null for all holders of the permission.
   */
  from: ApproversFromView | null
  /**
   * The users who approved.
   */
  approvedBy: PersonView[]
  /**
   * Whether there are enough users who can give these approvals. Null if that is unknown, and for a rule on trial.
   */
  satisfiable: boolean | null
  /**
   * The number of approvals that would count if they had not expired. Only with the option `approvalsExpireAfterMs`.
   */
  expired?: number
  /**
   * The time when the first approval that counts expires. Null if none counts. Only with the option `approvalsExpireAfterMs`.
   */
  expiresAt?: string | null
}
/**
 * A change that a rule matches. It has `feature` or `segment`.
 *
 * @example
 * ```ts
 * const view: RuleCauseView = { change: 7, feature: 'checkout', path: '/parameters/rollout' }
 * ```
 */
export interface RuleCauseView {
  /**
   * The id of the change, in a preview its index. Null for an implied change.
   */
  change: number | null
  /**
   * The flag.
   */
  feature?: string
  segment?: SegmentId
  /**
   * JSON pointer to the field that is altered. Null if the rule is not about fields, or if they are unknown.
   */
  path: string | null
}
/**
 * An objection to a change request. While it is open, the change request can be applied only in an emergency.
 *
 * @example
 * ```ts
 * const view: ObjectionView = {
 *   id: 1,
 *   person: { id: 2, username: 'Ben Ode', imageUrl: null },
 *   at: '2026-11-20T11:30:00.000Z',
 *   text: 'The load test of the new checkout still fails.',
 *   outdated: false,
 *   ended: null,
 * }
 * ```
 */
export interface ObjectionView {
  /**
   * The number of the objection in this change request.
   */
  id: number
  person: PersonView1
  /**
   * When the user objected.
   */
  at: string
  /**
   * The reason. It is cut where the objections of the change request have too much text; a comment may have the whole text.
   */
  text: string
  /**
   * Whether the changes are not those that the user objected to. An outdated objection blocks all the same.
   */
  outdated: boolean
  /**
   * How it ended. Null while it is open.
   */
  ended: ObjectionEndingView | null
}
/**
 * The user who did something. The name is null if the user is no longer known.
 *
 * @example
 * ```ts
 * const view: PersonView = { id: 1, username: 'Ann Lee', imageUrl: null }
 * ```
 */
export interface PersonView1 {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The full name, else the e-mail address, else the username.
   */
  username: string | null
  /**
   * The URL of an image.
   */
  imageUrl: string | null
}
/**
 * How an objection ended.
 *
 * @example
 * ```ts
 * const view: ObjectionEndingView = {
 *   how: 'dismissed',
 *   by: { id: 3, username: 'Cai Ray', imageUrl: null },
 *   at: '2026-11-20T13:02:11.518Z',
 *   reason: 'Ben is on leave, and the load test passes since noon.',
 * }
 * ```
 */
export interface ObjectionEndingView {
  /**
   * `lifted`: by the user who objected; `approved`: that user approved; `dismissed`: by an ADMIN; `replaced`: that user objected again; `applied`: an apply that had begun before it succeeded; `closed`: the change request was rejected or cancelled; `emergency`: it was applied in an emergency.
   */
  how: 'lifted' | 'approved' | 'dismissed' | 'replaced' | 'applied' | 'closed' | 'emergency'
  by: PersonView2
  /**
   * When it ended.
   */
  at: string
  /**
   * Why it was dismissed. Null if it ended otherwise.
   */
  reason: string | null
}
/**
 * The user who did something. The name is null if the user is no longer known.
 *
 * @example
 * ```ts
 * const view: PersonView = { id: 1, username: 'Ann Lee', imageUrl: null }
 * ```
 */
export interface PersonView2 {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The full name, else the e-mail address, else the username.
   */
  username: string | null
  /**
   * The URL of an image.
   */
  imageUrl: string | null
}
/**
 * A report of a check, or a check that matched at the apply and has no report.
 *
 * @example
 * ```ts
 * const view: ExportedCheckView = {
 *   name: 'ci',
 *   required: true,
 *   status: 'passed',
 *   summary: '212 tests passed.',
 *   url: 'https://ci.example/runs/81',
 *   digest: 'sha256:4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
 *   reportedBy: { id: 9, username: 'ci', imageUrl: null, kind: 'service', onBehalfOf: null },
 *   reportedAt: '2026-11-20T11:12:44.310Z',
 * }
 * ```
 */
export interface ExportedCheckView {
  /**
   * The name of the check.
   */
  name: string
  /**
   * Whether it was required when the change request was applied. Null if it did not match then, and unless the change request was applied.
   */
  required: boolean | null
  /**
   * The status that was reported. Null without a report, as all of the report.
   */
  status: CheckStatus | null
  /**
   * The result in words.
   */
  summary: string | null
  /**
   * Where the result is explained.
   */
  url: string | null
  /**
   * The digest of what was checked.
   */
  digest: string | null
  /**
   * Who reported it.
   */
  reportedBy: AuthorView | null
  /**
   * When it was reported.
   */
  reportedAt: string | null
}
/**
 * A custom field of an exported change request.
 *
 * @example
 * ```ts
 * const view: ExportedFieldView = {
 *   name: 'ticket',
 *   value: 'ABC-1',
 *   person: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   at: '2026-11-20T10:52:09.870Z',
 * }
 * ```
 */
export interface ExportedFieldView {
  /**
   * The name of the field.
   */
  name: string
  /**
   * Its value.
   */
  value: string | number | boolean
  person: PersonView
  /**
   * The time when the value was set.
   */
  at: string
}
/**
 * A comment of an exported change request.
 *
 * @example
 * ```ts
 * const view: ExportedCommentView = {
 *   id: 1,
 *   text: 'Go.',
 *   author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   changeId: null,
 *   editedAt: null,
 *   deleted: null,
 *   resolved: null,
 * }
 * ```
 */
export interface ExportedCommentView {
  /**
   * The id of the comment.
   */
  id: number
  /**
   * The text. Null once it is deleted.
   */
  text: string | null
  author: AuthorView
  /**
   * The time when it was written.
   */
  createdAt: string
  /**
   * The id of the change, even if it was removed. Null for the whole change request.
   */
  changeId: number | null
  /**
   * The time when its text was last edited. Null if it never was.
   */
  editedAt: string | null
  /**
   * Who deleted it, and when. Null if it exists.
   */
  deleted: AttributionView | null
  /**
   * Who resolved it, and when. Null while it is open.
   */
  resolved: AttributionView | null
}
/**
 * Who did something, and when.
 *
 * @example
 * ```ts
 * const view: AttributionView = {
 *   by: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   at: '2026-11-20T11:05:30.112Z',
 * }
 * ```
 */
export interface AttributionView {
  by: PersonView
  /**
   * The time.
   */
  at: string
}
/**
 * The schedule of an exported change request.
 *
 * @example
 * ```ts
 * const view: ExportedScheduleView = {
 *   scheduledAt: '2026-11-21T05:00:00.000Z',
 *   status: 'pending',
 *   reason: null,
 *   by: { id: 2, username: 'Ben Ode', imageUrl: null },
 * }
 * ```
 */
export interface ExportedScheduleView {
  /**
   * The time when it is applied.
   */
  scheduledAt: string
  /**
   * `failed`: the apply failed; `suspended`: it will not be applied.
   */
  status: 'pending' | 'failed' | 'suspended'
  /**
   * Why it failed or was suspended. Null while it is pending.
   */
  reason: string | null
  /**
   * The user who scheduled it. Null if that is unknown.
   */
  by: PersonView | null
}
/**
 * Why a change request was applied before its approval, and who acknowledged it.
 *
 * @example
 * ```ts
 * const view: ExportedEmergencyView = {
 *   reason: 'Payments fail since 10:40.',
 *   missing: [{ code: 'missing-approvals', name: 'minimum', approvals: 2, given: 1 }],
 *   acknowledgedBy: null,
 *   acknowledgedAt: null,
 * }
 * ```
 */
export interface ExportedEmergencyView {
  /**
   * The reason.
   */
  reason: string
  missing: Missing
  /**
   * The user who acknowledged it. Null until then.
   */
  acknowledgedBy: PersonView | null
  /**
   * The time when it was acknowledged. Null until then.
   */
  acknowledgedAt: string | null
}
/**
 * How a change request was closed: by whom, and when. A scheduled apply is attributed to the user who scheduled it.
 *
 * @example
 * ```ts
 * const view: EndingView = {
 *   state: 'Applied',
 *   by: { id: 2, username: 'Ben Ode', imageUrl: null },
 *   at: '2026-11-20T12:00:00.000Z',
 *   comment: null,
 *   scheduled: false,
 * }
 * ```
 */
export interface EndingView {
  /**
   * The final state.
   */
  state: 'Applied' | 'Cancelled' | 'Rejected'
  by: PersonView
  /**
   * The time when it was closed.
   */
  at: string
  /**
   * The comment that was sent with this step.
   */
  comment: string | null
  /**
   * Whether it was applied by its schedule.
   */
  scheduled: boolean
}
/**
 * Events of a flag, newest first.
 *
 * @example
 * ```ts
 * const view: FeatureEventListView = {
 *   version: 1,
 *   toggleName: 'checkout',
 *   events: [
 *     {
 *       id: 7,
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       type: 'feature-archived',
 *       createdBy: 'ann@example.com',
 *     },
 *   ],
 *   totalEvents: 1,
 * }
 * ```
 */
export interface FeatureEventListView {
  /**
   * The version of this format.
   */
  version: 1
  /**
   * The flag.
   */
  toggleName: string
  /**
   * The events.
   */
  events: EventView[]
  /**
   * The number of all events.
   */
  totalEvents: number
}
/**
 * Names of flags that match a search.
 *
 * @example
 * ```ts
 * const view: FlagNamesView = { flags: ['checkout', 'checkout-v2'] }
 * ```
 */
export interface FlagNamesView {
  /**
   * The names. Null if the host app cannot search its flags.
   *
   * @maxItems 20
   */
  flags: string[] | null
}
/**
 * The current state of a flag in an environment.
 *
 * @example
 * ```ts
 * const view: FlagView = {
 *   name: 'checkout',
 *   state: {
 *     archived: false,
 *     enabled: true,
 *     strategies: [{ id: 's1', name: 'default', disabled: false }],
 *   },
 *   segmentNames: {},
 *   targets: {
 *     s1: 'sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
 *     enabled: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   },
 *   environments: [{ name: 'development', state: { archived: false, enabled: true } }],
 * }
 * ```
 */
export interface FlagView {
  /**
   * The name of the flag.
   */
  name: string
  /**
   * The state, as the flag gateway returns it. Null without a gateway.
   */
  state: {
    /**
     * Whether the flag is archived in all environments.
     */
    archived: boolean
    /**
     * Whether the flag is on in the environment.
     */
    enabled: boolean
    [k: string]: unknown
  } | null
  /**
   * The current names of the segments in the states, by their ids.
   */
  segmentNames: {
    [k: string]: string
  }
  targets: Targets
  /**
   * The other environments of the project that the caller can read, at most 20.
   *
   * @maxItems 20
   */
  environments: {
    /**
     * The name of the environment.
     */
    name: string
    /**
     * The state of the flag there. Null without a gateway, while it fails, and if the flag is not there.
     */
    state: {
      /**
       * Whether the flag is archived in all environments.
       */
      archived: boolean
      /**
       * Whether the flag is on in the environment.
       */
      enabled: boolean
      [k: string]: unknown
    } | null
  }[]
}
/**
 * The digest of each part that a change can alter. A change sends the one of its part as `expected`. Of a flag: by the id of the strategy, and `enabled`, `activation` (enabling it with its disabled strategies), `variants`, `order` and `dependencies`; of a segment: `segment`. Parts that the flag gateway does not return are missing.
 *
 * @example
 * ```ts
 * const targets: Targets = {
 *   enabled: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 * }
 * ```
 */
export interface Targets {
  [k: string]: string
}
/**
 * The freezes of an environment.
 *
 * @example
 * ```ts
 * const view: FreezesView = {
 *   freezes: [
 *     {
 *       name: 'Black Friday',
 *       reason: 'No changes to checkout',
 *       from: '2026-11-27T00:00:00.000Z',
 *       until: '2026-12-01T00:00:00.000Z',
 *       when: { environments: ['production'], features: ['checkout*'] },
 *       scheduled: 'hold',
 *       mode: 'enforce',
 *     },
 *   ],
 * }
 * ```
 */
export interface FreezesView {
  /**
   * The freezes that have not ended, by their beginning.
   */
  freezes: FreezeView[]
}
/**
 * A time during which change requests are not applied.
 *
 * @example
 * ```ts
 * const view: FreezeView = {
 *   name: 'Black Friday',
 *   reason: 'No changes to checkout',
 *   from: '2026-11-27T00:00:00.000Z',
 *   until: '2026-12-01T00:00:00.000Z',
 *   when: { environments: ['production'], features: ['checkout*'] },
 *   scheduled: 'hold',
 *   mode: 'enforce',
 * }
 * ```
 */
export interface FreezeView {
  /**
   * The name of the freeze.
   */
  name: string
  /**
   * The reason for it.
   */
  reason: string
  /**
   * The time when it begins.
   */
  from: string
  /**
   * The time when it ends. Null if its end is not known yet.
   */
  until: string | null
  /**
   * The change requests that it matches: one of their changes matches all given properties. `*` in a name is any text. Null for all of them.
   */
  when: {
    /**
     * The names of projects.
     */
    projects?: string[]
    /**
     * The names of environments.
     */
    environments?: string[]
    /**
     * Names of flags. An alternative to `segments`.
     */
    features?: string[]
    /**
     * Ids of segments, or true for all of them. An alternative to `features`.
     */
    segments?: SegmentId[] | true
  } | null
  /**
   * What happens to change requests that become due during the freeze: `hold` applies them after it, `suspend` suspends them.
   */
  scheduled: 'hold' | 'suspend'
  mode: RuleMode
}
/**
 * The caller, and their permissions in the given project and environment.
 *
 * @example
 * ```ts
 * const view: MeView = {
 *   id: 1,
 *   username: 'Ann Lee',
 *   imageUrl: null,
 *   groups: ['payments'],
 *   kind: 'person',
 *   onBehalfOf: null,
 * }
 * ```
 */
export interface MeView {
  /**
   * The id of the user. Null for a key that belongs to no user.
   */
  id: number | null
  /**
   * The full name, else the e-mail address, else the username.
   */
  username: string | null
  /**
   * The URL of an image.
   */
  imageUrl: string | null
  /**
   * The groups of the caller.
   */
  groups: string[]
  kind: ActorKind
  /**
   * The person for whom the machine acts. Null for a person, and for a machine that acts for nobody.
   */
  onBehalfOf: PrincipalView | null
  /**
   * The permissions of the caller in the project and environment of the query. Absent without a project.
   */
  permissions?: string[]
}
/**
 * Dismisses the objection of another user.
 *
 * @example
 * ```ts
 * const dismissal: ObjectionDismissal = {
 *   reason: 'Ben is on leave, and the load test passes since noon.',
 * }
 * ```
 */
export interface ObjectionDismissal {
  /**
   * The reason, of 10 to 1,000 characters after trimming. The review shows it.
   */
  reason: string
}
/**
 * An objection. The change request cannot be applied until it ends.
 *
 * @example
 * ```ts
 * const request: ObjectionRequest = { text: 'The load test of the new checkout still fails.' }
 * ```
 */
export interface ObjectionRequest {
  /**
   * The reason, of 1 to 10,000 characters after trimming.
   */
  text: string
  /**
   * The digest of the content that the caller objects to. If it is not the current one, the objection is stored as outdated.
   */
  digest?: string
}
/**
 * The actions that can be proposed.
 *
 * @example
 * ```ts
 * const view: OfferedActionsView = {
 *   actions: [{ action: 'archiveFeature', scope: 'project', schema: { type: 'object' } }],
 * }
 * ```
 */
export interface OfferedActionsView {
  /**
   * The actions, in a fixed order.
   */
  actions: {
    action: Action
    /**
     * Where a change takes effect: in its environment, or in every environment of the project.
     */
    scope: 'environment' | 'project'
    /**
     * The JSON Schema of a change with this action. It contains no references.
     */
    schema: {
      [k: string]: unknown
    }
  }[]
}
/**
 * Where the caller can propose changes.
 *
 * @example
 * ```ts
 * const view: PlacesView = {
 *   places: [
 *     {
 *       project: 'shop',
 *       environments: [{ name: 'production', type: 'production', changeRequestsEnabled: true }],
 *     },
 *   ],
 *   complete: true,
 * }
 * ```
 */
export interface PlacesView {
  /**
   * The projects in which the caller can propose changes, by name.
   *
   * @maxItems 50
   */
  places: {
    /**
     * The name of the project.
     */
    project: string
    /**
     * The environments in which the caller can propose changes, by name.
     *
     * @maxItems 20
     */
    environments: {
      /**
       * The name of the environment.
       */
      name: string
      /**
       * Environment type, such as `production`.
       */
      type: string
      /**
       * Whether change requests are enabled there.
       */
      changeRequestsEnabled: boolean
    }[]
  }[]
  /**
   * False if there may be more: the list is cut, or the host app does not return its projects or environments.
   */
  complete: boolean
}
/**
 * The user and context to evaluate the flags for.
 *
 * @example
 * ```ts
 * const request: PlaygroundRequest = {
 *   context: { appName: 'web', userId: '17,18', properties: { country: 'NO' } },
 * }
 * ```
 */
export interface PlaygroundRequest {
  /**
   * The context. Other fields are allowed. A value can be a list, separated by commas: each item is evaluated.
   */
  context: {
    /**
     * The name of the app.
     */
    appName: string
    /**
     * The time to evaluate for.
     */
    currentTime?: string
    /**
     * @deprecated
     * Ignored: the environment is that of the change request.
     */
    environment?: string
    /**
     * Context fields of the host.
     */
    properties?: {
      [k: string]: string
    }
    /**
     * IP address of the user.
     */
    remoteAddress?: string
    /**
     * Session of the user.
     */
    sessionId?: string
    /**
     * The id of the user.
     */
    userId?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * The response of the host to an advanced playground request: how each flag is evaluated with the changes.
 *
 * @example
 * ```ts
 * const view: PlaygroundView = {
 *   input: { projects: ['shop'], environments: ['production'] },
 *   features: [],
 *   warnings: {},
 * }
 * ```
 */
export interface PlaygroundView {
  /**
   * The input of the evaluation.
   */
  input?: {
    [k: string]: unknown
  }
  /**
   * The flags, with their evaluation in each environment and for each context.
   */
  features?: {
    [k: string]: unknown
  }[]
  /**
   * Omitted parts, and the reason.
   */
  warnings?: {
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * When the change request is to be applied once it is approved.
 *
 * @example
 * ```ts
 * const request: PresetScheduleRequest = { scheduledAt: '2026-11-23T06:00:00.000Z' }
 * ```
 */
export interface PresetScheduleRequest {
  /**
   * When it is applied: at a time, or as soon as it is approved. Required without `minutesAfter`.
   */
  scheduledAt?: string | 'approval'
  /**
   * The id of a change request that must be applied first: its schedule is pending, it changes a flag or segment that this one changes, and it is scheduled for an earlier time.
   */
  after?: number
  /**
   * How many minutes after that one it is applied. In place of `scheduledAt`.
   */
  minutesAfter?: number
  /**
   * The digest of the content that the caller votes on or applies. If it is not the current one, the response is 412.
   */
  digest?: string
}
/**
 * The changes of a preview.
 *
 * @example
 * ```ts
 * const submission: PreviewSubmission = {
 *   changes: [{ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }],
 * }
 * ```
 */
export interface PreviewSubmission {
  /**
   * As they would be proposed.
   *
   * @minItems 1
   * @maxItems 100
   */
  changes: SubmittedChange[]
}
/**
 * What changes would do that are not stored.
 *
 * @example
 * ```ts
 * const view: PreviewView = {
 *   changes: [
 *     {
 *       index: 0,
 *       action: 'updateEnabled',
 *       feature: 'checkout',
 *       scope: 'environment',
 *       before: { enabled: false },
 *       after: { enabled: true },
 *       fields: [{ path: '/enabled', base: false, current: false, proposed: true, overwrites: false }],
 *       conflict: null,
 *       baseKnown: true,
 *       endsAtEverybody: false,
 *     },
 *   ],
 *   implied: [
 *     {
 *       action: 'addStrategy',
 *       feature: 'checkout',
 *       payload: { name: 'flexibleRollout', parameters: { rollout: '100' } },
 *       before: null,
 *       after: { name: 'flexibleRollout', parameters: { rollout: '100' } },
 *     },
 *   ],
 *   freezes: [],
 *   requirements: [
 *     {
 *       name: 'minimum',
 *       environment: null,
 *       mode: 'enforce',
 *       because: [],
 *       approvals: 2,
 *       given: 0,
 *       from: null,
 *       approvedBy: [],
 *       satisfiable: null,
 *     },
 *   ],
 *   otherRequests: [{ id: 43, title: 'Sale', state: 'In review' }],
 *   customFields: null,
 *   steps: [{ step: 'applyInEmergency', allowed: true, offered: true, missing: [] }],
 * }
 * ```
 */
export interface PreviewView {
  /**
   * The changes of the body, in its order.
   */
  changes: PreviewChangeView[]
  /**
   * The implied changes.
   */
  implied: ImpliedChangeView[]
  /**
   * The freezes in force now that match the changes, the latest end first.
   */
  freezes: FreezeView[]
  /**
   * The approvals that the changes would need, the minimum first. None is given yet.
   */
  requirements: RequirementView[]
  /**
   * The checks that match the changes, in the order of the option `checks`. None is reported yet. Absent without the option.
   */
  checks?: CheckView[]
  /**
   * The open change requests of the same flags or segments in the environment that the caller can see: at most 20, the newest first. Also the open one of the caller, to which the changes would be added.
   *
   * @maxItems 20
   */
  otherRequests: OtherRequestView[]
  /**
   * The custom fields of the host app, which authors set before the review. Null without the option `customFields`.
   */
  customFields: CustomFieldsSchemaView | null
  /**
   * What `applyInEmergency` would be missing for the caller, as the review of the new draft would say it.
   */
  steps: ReviewStepView[]
}
/**
 * The effect of a change that is not stored, if all changes of the body are applied now.
 *
 * @example
 * ```ts
 * const view: PreviewChangeView = {
 *   index: 0,
 *   action: 'updateEnabled',
 *   feature: 'checkout',
 *   scope: 'environment',
 *   before: { enabled: false },
 *   after: { enabled: true },
 *   fields: [{ path: '/enabled', base: false, current: false, proposed: true, overwrites: false }],
 *   conflict: null,
 *   baseKnown: true,
 *   endsAtEverybody: false,
 * }
 * ```
 */
export interface PreviewChangeView {
  /**
   * The position of the change in the body, from 0.
   */
  index: number
  action: Action
  /**
   * The flag. Null for a change of a segment.
   */
  feature: string | null
  /**
   * Where it takes effect: in the environment of the change request, or in every environment of the project.
   */
  scope: 'environment' | 'project'
  /**
   * The part of the target that the action can alter. Null if it does not exist, or if `baseKnown` is false.
   */
  before: {
    [k: string]: unknown
  } | null
  /**
   * The same part after the change, without what the flag store adds, such as ids. Null if it does not exist or is unknown.
   */
  after: {
    [k: string]: unknown
  } | null
  /**
   * The fields that it alters.
   */
  fields: FieldDiffView[]
  /**
   * The reason why it cannot be applied, or null.
   */
  conflict: string | null
  /**
   * Whether the flag gateway returns that part.
   */
  baseKnown: boolean
  /**
   * Whether everybody gets the flag once all changes are applied, does not now, and this change is a cause; for a segment, whether it loses its last constraint. Null if unknown.
   */
  endsAtEverybody: boolean | null
}
/**
 * A field that a change alters.
 *
 * @example
 * ```ts
 * const view: FieldDiffView = {
 *   path: '/enabled',
 *   base: false,
 *   current: false,
 *   proposed: true,
 *   overwrites: false,
 * }
 * ```
 */
export interface FieldDiffView {
  /**
   * A JSON pointer into the target. It names list elements by their id or name, if they have one.
   */
  path: string
  /**
   * The value when the change was proposed. Null if there was none, or if it is unknown.
   */
  base: unknown
  /**
   * The value right before the change. Null if there is none.
   */
  current: unknown
  /**
   * The value after the change. Null if there is none.
   */
  proposed: unknown
  /**
   * Whether the change would overwrite an edit that another user has made since the proposal.
   */
  overwrites: boolean
}
/**
 * A change that nobody submits: it is applied so that no flag is on without a strategy.
 *
 * @example
 * ```ts
 * const view: ImpliedChangeView = {
 *   action: 'addStrategy',
 *   feature: 'checkout',
 *   payload: { name: 'flexibleRollout', parameters: { rollout: '100' } },
 *   before: null,
 *   after: { name: 'flexibleRollout', parameters: { rollout: '100' } },
 * }
 * ```
 */
export interface ImpliedChangeView {
  action: Action
  /**
   * The flag.
   */
  feature: string
  /**
   * The payload, as for a proposed change.
   */
  payload: {
    [k: string]: unknown
  }
  /**
   * The part of the target that the action can alter. Null if it does not exist.
   */
  before: {
    [k: string]: unknown
  } | null
  /**
   * The same part after the change, without what the flag store adds, such as ids. Null if it does not exist.
   */
  after: {
    [k: string]: unknown
  } | null
}
/**
 * Another open change request of the same flags or segments.
 *
 * @example
 * ```ts
 * const view: OtherRequestView = { id: 43, title: 'Sale', state: 'In review' }
 * ```
 */
export interface OtherRequestView {
  /**
   * Its id.
   */
  id: number
  /**
   * Its title.
   */
  title: string
  state: StateName
}
/**
 * A step, and what it is missing for the caller now.
 *
 * @example
 * ```ts
 * const view: ReviewStepView = {
 *   step: 'apply',
 *   allowed: false,
 *   offered: true,
 *   missing: [{ code: 'missing-approvals', message: 'The change request has 1 of 2 approvals.' }],
 * }
 * ```
 */
export interface ReviewStepView {
  step: StepName
  /**
   * Whether the caller can take the step: true if nothing is missing.
   */
  allowed: boolean
  /**
   * Whether the step makes sense in the current state. If it is offered but not allowed, something is missing.
   */
  offered: boolean
  /**
   * The missing requirements of the first stage of checks that fails.
   */
  missing: MissingView[]
}
/**
 * Something that a step is missing. If the step is rejected, its error has the same code and message.
 *
 * @example
 * ```ts
 * const view: MissingView = {
 *   code: 'missing-approvals',
 *   message: 'The change request has 1 of 2 approvals.',
 * }
 * ```
 */
export interface MissingView {
  code: StepCode
  /**
   * The problem, and how to fix it.
   */
  message: string
}
/**
 * An error as problem details, for clients that accept application/problem+json.
 *
 * @example
 * ```ts
 * const view: ProblemView = {
 *   type: 'about:blank',
 *   title: 'Bad Request',
 *   status: 400,
 *   detail: 'The input is not valid; see details for what is wrong with it.',
 *   id: '5f0c7f5e-6a43-4a57-9e9c-3f1a2b7a9d10',
 *   name: 'BadDataError',
 *   message: 'The input is not valid; see details for what is wrong with it.',
 *   details: [{ message: 'enabled is required and missing', path: '/body/payload/enabled' }],
 * }
 * ```
 */
export interface ProblemView {
  /**
   * The type of the problem. It says no more than the status.
   */
  type: 'about:blank'
  /**
   * The text of the status.
   */
  title: string
  /**
   * The HTTP status.
   */
  status: number
  /**
   * The problem, and how to fix it.
   */
  detail: string
  /**
   * Identifies this response in the log of the server.
   */
  id: string
  /**
   * The name of the error. It never changes.
   */
  name: string
  /**
   * The same as `detail`, so that clients read one property of all errors.
   */
  message: string
  details: ErrorDetailsView
  /**
   * The permissions that were missing.
   */
  permissions?: string[]
  /**
   * Where to continue on the review page: where to propose a write that needs a review, or the change request that it would alter. Only with the option `pageUrl`.
   */
  url?: string
}
/**
 * The decisions for fields that the changes would overwrite. Fields that only one side altered are merged without a decision.
 *
 * @example
 * ```ts
 * const rebase: Rebase = { changes: [{ id: 7, take: 'ours' }] }
 * ```
 */
export interface Rebase {
  /**
   * The decision for overwrites by changes that are not listed.
   */
  take?: 'ours' | 'theirs' | 'drop'
  /**
   * The decisions for single changes.
   *
   * @maxItems 500
   */
  changes?: RebasedChange[]
}
/**
 * The decision for one change.
 *
 * @example
 * ```ts
 * const change: RebasedChange = { id: 7, take: 'ours' }
 * ```
 */
export interface RebasedChange {
  /**
   * The id of the change.
   */
  id: number
  /**
   * The decision for fields that both sides altered: keep the proposed value (`ours`), take the current one (`theirs`), or discard the change (`drop`).
   */
  take: 'ours' | 'theirs' | 'drop'
}
/**
 * What a revert of the change request would propose.
 *
 * @example
 * ```ts
 * const view: RevertPreviewView = {
 *   changes: [{ action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } }],
 *   irreversible: [{ id: 8, action: 'archiveFeature', feature: 'search' }],
 * }
 * ```
 */
export interface RevertPreviewView {
  /**
   * The changes that would be proposed, in order.
   */
  changes: RevertingChangeView[]
  /**
   * The changes that have no inverse.
   */
  irreversible: IrreversibleChangeView[]
}
/**
 * The inverse of a change.
 *
 * @example
 * ```ts
 * const view: RevertingChangeView = {
 *   action: 'updateEnabled',
 *   feature: 'checkout',
 *   payload: { enabled: false },
 * }
 * ```
 */
export interface RevertingChangeView {
  action: Action
  /**
   * The flag. Null for a change of a segment.
   */
  feature: string | null
  /**
   * The payload, as for a proposal of the action.
   */
  payload: unknown
}
/**
 * A change that has no inverse.
 *
 * @example
 * ```ts
 * const view: IrreversibleChangeView = { id: 8, action: 'archiveFeature', feature: 'search' }
 * ```
 */
export interface IrreversibleChangeView {
  /**
   * The id of the change. Null for an implied change.
   */
  id: number | null
  action: Action
  /**
   * The flag. Null for a change of a segment.
   */
  feature: string | null
}
/**
 * Options of a revert.
 *
 * @example
 * ```ts
 * const request: RevertRequest = { partial: true }
 * ```
 */
export interface RevertRequest {
  /**
   * Whether changes without an inverse are left out. Otherwise the revert is rejected if there are any.
   */
  partial?: boolean
}
/**
 * What a change request is missing, and the steps that the caller can take now.
 *
 * @example
 * ```ts
 * const view: ReviewView = {
 *   id: 42,
 *   state: 'In review',
 *   author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *   revision: '42-7',
 *   flags: 'current',
 *   digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   requirements: [
 *     {
 *       name: 'minimum',
 *       environment: null,
 *       mode: 'enforce',
 *       because: [],
 *       approvals: 2,
 *       given: 1,
 *       from: null,
 *       approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *       satisfiable: null,
 *     },
 *   ],
 *   approvers: [],
 *   votes: [
 *     {
 *       person: { id: 2, username: 'Ben Ode', imageUrl: null },
 *       at: '2026-11-20T11:05:30.112Z',
 *       digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *       current: true,
 *       changes: [{ id: 7, status: 'same' }],
 *     },
 *   ],
 *   voidedApprovals: [],
 *   changes: [
 *     {
 *       id: 7,
 *       action: 'updateEnabled',
 *       feature: 'checkout',
 *       scope: 'environment',
 *       before: { enabled: false },
 *       after: { enabled: true },
 *       fields: [{ path: '/enabled', base: false, current: false, proposed: true, overwrites: false }],
 *       conflict: null,
 *       baseKnown: true,
 *       endsAtEverybody: false,
 *       causedBy: null,
 *       digest: 'sha256:4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
 *       replaces: null,
 *       author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *     },
 *   ],
 *   customFields: null,
 *   discussion: [
 *     {
 *       id: 1,
 *       text: 'Go.',
 *       createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *       author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       changeId: null,
 *       editedAt: null,
 *       deleted: null,
 *       resolved: null,
 *       may: [],
 *     },
 *   ],
 *   revertedBy: null,
 *   applying: null,
 *   freezes: { now: [], scheduled: [] },
 *   presetSchedule: null,
 *   otherSchedules: [],
 *   emergency: null,
 *   ended: null,
 *   steps: [
 *     {
 *       step: 'apply',
 *       allowed: false,
 *       offered: true,
 *       missing: [{ code: 'missing-approvals', message: 'The change request has 1 of 2 approvals.' }],
 *     },
 *   ],
 *   segmentNames: {},
 *   segmentUse: {},
 *   changeRequest: {
 *     id: 42,
 *     title: 'Change request #42',
 *     environment: 'production',
 *     project: 'shop',
 *     minApprovals: 1,
 *     features: [
 *       {
 *         name: 'checkout',
 *         changes: [{ id: 7, action: 'updateEnabled', payload: { enabled: true } }],
 *       },
 *     ],
 *     segments: [],
 *     approvals: [],
 *     rejections: [],
 *     comments: [],
 *     createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *     createdAt: '2026-11-20T10:52:09.870Z',
 *     state: 'Draft',
 *   },
 * }
 * ```
 */
export interface ReviewView {
  /**
   * The id of the change request.
   */
  id: number
  state: StateName
  author: AuthorView
  /**
   * The entity tag of the change request, without its quotes.
   */
  revision: string
  /**
   * The change request on the review page. Only with the option `pageUrl`.
   */
  url?: string
  /**
   * `unavailable` while the flag gateway fails: what depends on the flags is then null or empty. `current` also for a closed change request, whose flags are not read.
   */
  flags: 'current' | 'unavailable'
  /**
   * The digest of the changes with their bases and of the implied changes. Votes are bound to it. Null while the flags are unavailable.
   */
  digest: string | null
  /**
   * The approvals that it needs, the minimum first.
   */
  requirements: RequirementView[]
  /**
   * The users who were asked to approve.
   */
  approvers: PersonView[]
  /**
   * The approvals, oldest first, and the last voided approval of each user who has not approved again.
   */
  votes: ReviewVoteView[]
  /**
   * Approvals that no longer count, oldest first. At most the last 50 that edits, rebases, objections and their voters ended.
   */
  voidedApprovals: VoidedApprovalView[]
  /**
   * The objections, oldest first: all open ones, and the last 50 that ended. Only with the option `objections`.
   */
  objections?: ObjectionView[]
  /**
   * The change request that it copies; null if it is no copy. Only with the option `objections`.
   */
  copiedFrom?: CopiedFromView | null
  /**
   * The changes, by id.
   */
  changes: ReviewChangeView[]
  /**
   * The custom fields of the host app, with their values. Null without the option `customFields`.
   */
  customFields: CustomFieldsView | null
  /**
   * The comments, oldest first.
   */
  discussion: DiscussionCommentView[]
  /**
   * The change request that reverts it, if the caller can see it.
   */
  revertedBy: number | null
  /**
   * The apply attempt whose result is not stored yet, or null.
   */
  applying: ApplyAttemptView | null
  /**
   * The freezes that match its changes, the latest end first. Empty once it is closed.
   */
  freezes: {
    /**
     * Those in force now.
     */
    now: FreezeView[]
    /**
     * Those in force at the scheduled time; empty without a pending schedule.
     */
    scheduled: FreezeView[]
  }
  /**
   * The checks that match its changes, in the order of the option `checks`; of an applied change request as at the apply. Absent without the option.
   */
  checks?: CheckView[]
  /**
   * The schedule that was set before the last approval; null for none, and once it is scheduled or applied.
   */
  presetSchedule: PresetScheduleView | null
  /**
   * The scheduled change requests of the same flags or segments in the environment: at most 20, the earliest first. Empty once it is closed.
   *
   * @maxItems 20
   */
  otherSchedules: OtherScheduleView[]
  follows?: FollowedScheduleView
  /**
   * The scheduled change requests that follow it, the earliest first. Absent for none.
   */
  followedBy?: OtherScheduleView[]
  /**
   * Why it was applied before its approval. Null if it was not.
   */
  emergency: ReviewEmergencyView | null
  /**
   * How it was closed. Null while it is open, and if that is unknown.
   */
  ended: EndingView | null
  /**
   * All steps, in this order. Those about objections, and `takeBackApproval`, only with the option `objections`.
   */
  steps: ReviewStepView[]
  /**
   * The current names of the segments that the change request and the review mention, by their ids.
   */
  segmentNames: {
    [k: string]: string
  }
  /**
   * The flags that use the segments that the change request changes, the first 100 each, by the ids of the segments. A segment is missing if the flag gateway does not return them, and all are once the change request is closed.
   */
  segmentUse: {
    [k: string]: SegmentUserView[]
  }
  changeRequest: ChangeRequestView
}
/**
 * An approval, and whether it still counts.
 *
 * @example
 * ```ts
 * const view: ReviewVoteView = {
 *   person: { id: 2, username: 'Ben Ode', imageUrl: null },
 *   at: '2026-11-20T11:05:30.112Z',
 *   digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   current: true,
 *   changes: [{ id: 7, status: 'same' }],
 * }
 * ```
 */
export interface ReviewVoteView {
  person: PersonView
  /**
   * The time of the approval.
   */
  at: string
  /**
   * The digest that it was given for.
   */
  digest: string
  /**
   * Whether it counts for what would be applied now.
   */
  current: boolean
  /**
   * How the changes differ from those that it was given for: the current changes, then those that are gone. Null if that is unknown.
   */
  changes: ChangedSinceView[] | null
}
/**
 * A change compared with an earlier state of the change request.
 *
 * @example
 * ```ts
 * const view: ChangedSinceView = { id: 7, status: 'same' }
 * ```
 */
export interface ChangedSinceView {
  /**
   * The id of the change.
   */
  id: number
  /**
   * What happened to it since then. An edited change has its current id.
   */
  status: 'same' | 'edited' | 'new' | 'gone'
}
/**
 * The change request of which this one is a copy.
 *
 * @example
 * ```ts
 * const view: CopiedFromView = {
 *   id: 41,
 *   objections: [
 *     {
 *       id: 1,
 *       person: { id: 2, username: 'Ben Ode', imageUrl: null },
 *       at: '2026-11-20T11:30:00.000Z',
 *       text: 'The load test of the new checkout still fails.',
 *       outdated: false,
 *       ended: {
 *         how: 'closed',
 *         by: { id: 1, username: 'Ann Lee', imageUrl: null },
 *         at: '2026-11-20T13:02:11.518Z',
 *         reason: null,
 *       },
 *     },
 *   ],
 * }
 * ```
 */
export interface CopiedFromView {
  /**
   * Its id.
   */
  id: number
  /**
   * The objections that were open when it was rejected or cancelled, oldest first.
   */
  objections: ObjectionView[]
}
/**
 * The effect of a change on its target, if all changes are applied now.
 *
 * @example
 * ```ts
 * const view: ReviewChangeView = {
 *   id: 7,
 *   action: 'updateEnabled',
 *   feature: 'checkout',
 *   scope: 'environment',
 *   before: { enabled: false },
 *   after: { enabled: true },
 *   fields: [{ path: '/enabled', base: false, current: false, proposed: true, overwrites: false }],
 *   conflict: null,
 *   baseKnown: true,
 *   endsAtEverybody: false,
 *   causedBy: null,
 *   digest: 'sha256:4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
 *   replaces: null,
 *   author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 * }
 * ```
 */
export interface ReviewChangeView {
  /**
   * The id of the change.
   */
  id: number
  action: Action
  /**
   * The flag. Null for a change of a segment.
   */
  feature: string | null
  /**
   * Where it takes effect: in the environment of the change request, or in every environment of the project.
   */
  scope: 'environment' | 'project'
  /**
   * The part of the target that the action can alter; once the change request is closed, as it was then. Null if it does not exist, or if `baseKnown` is false.
   */
  before: {
    [k: string]: unknown
  } | null
  /**
   * The same part after the change, without what the flag store adds, such as ids. Null if it does not exist or is unknown.
   */
  after: {
    [k: string]: unknown
  } | null
  /**
   * Present if `before` and `after` are not those of the current flags, but foreseen: as they will be once the change request that it follows was applied. For display only.
   */
  foreseen?: true
  /**
   * The fields that it alters. Null while the flags are unavailable.
   */
  fields: FieldDiffView[] | null
  /**
   * The reason why it cannot be applied, or null.
   */
  conflict: string | null
  /**
   * Whether the base is known. If not, nothing counts as overwritten.
   */
  baseKnown: boolean
  /**
   * Whether everybody gets the flag once all changes are applied, did not before, and this change is a cause; for a segment, whether it loses its last constraint. Null if unknown: without the flags, for a strategy of a custom kind, and for a flag of a closed change request.
   */
  endsAtEverybody: boolean | null
  /**
   * The event that caused a conflict or an overwrite. Null if the log has none, or if the caller cannot read its project.
   */
  causedBy: CauseView | null
  /**
   * The digest of the change with its base.
   */
  digest: string
  /**
   * The id that the change had before it was edited. Null if it never was.
   */
  replaces: number | null
  author: AuthorView
}
/**
 * The newest event about the target of a change since the change was proposed.
 *
 * @example
 * ```ts
 * const view: CauseView = {
 *   eventId: 1204,
 *   createdBy: 'Ben Ode',
 *   createdAt: '2026-11-20T11:53:06.724Z',
 *   changeRequestId: 41,
 * }
 * ```
 */
export interface CauseView {
  /**
   * The id of the event.
   */
  eventId: number
  /**
   * The current name of the acting user; without one in the user directory, as in the event.
   */
  createdBy: string
  /**
   * The time of the event.
   */
  createdAt: string
  /**
   * The id of the change request that was applied. Absent for any other event.
   */
  changeRequestId?: number
}
/**
 * A comment, with the change that it is about and what happened to it.
 *
 * @example
 * ```ts
 * const view: DiscussionCommentView = {
 *   id: 1,
 *   text: 'Go.',
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   changeId: null,
 *   editedAt: null,
 *   deleted: null,
 *   resolved: null,
 *   may: [],
 * }
 * ```
 */
export interface DiscussionCommentView {
  /**
   * The id of the comment.
   */
  id: number
  /**
   * The text. Null once it is deleted.
   */
  text: string | null
  createdBy: PersonView
  author: AuthorView
  /**
   * The time when it was written.
   */
  createdAt: string
  /**
   * The id of the change, even if it was removed. Null for the whole change request.
   */
  changeId: number | null
  /**
   * The time when its text was last edited. Null if it never was.
   */
  editedAt: string | null
  /**
   * Who deleted it, and when. Null if it exists.
   */
  deleted: AttributionView | null
  /**
   * Who resolved it, and when. Null while it is open.
   */
  resolved: AttributionView | null
  /**
   * What the caller can do with it now.
   */
  may: ('edit' | 'delete' | 'resolve')[]
}
/**
 * An apply attempt whose result is not stored yet.
 *
 * @example
 * ```ts
 * const view: ApplyAttemptView = {
 *   since: '2026-11-20T11:53:06.724Z',
 *   by: { id: 2, username: 'Ben Ode', imageUrl: null },
 *   interrupted: false,
 * }
 * ```
 */
export interface ApplyAttemptView {
  /**
   * The time when it began.
   */
  since: string
  by: PersonView
  /**
   * Whether it is older than `limits.applyTimeoutMs`. Then the result is unknown: the flags may have changed.
   */
  interrupted: boolean
}
/**
 * A schedule that a user set before the last approval.
 *
 * @example
 * ```ts
 * const view: PresetScheduleView = {
 *   scheduledAt: '2026-11-23T06:00:00.000Z',
 *   after: null,
 *   by: { id: 2, username: 'Ben Ode', imageUrl: null },
 *   at: '2026-11-20T11:05:30.112Z',
 *   withdrawn: null,
 * }
 * ```
 */
export interface PresetScheduleView {
  /**
   * When it is applied: at a time, or as soon as it is approved. With `minutesAfter` the time that it would have now.
   */
  scheduledAt: string | 'approval'
  /**
   * The id of the change request that it follows, or null.
   */
  after: number | null
  /**
   * How many minutes after that one it is applied. In place of `scheduledAt`.
   */
  minutesAfter?: number
  by: PersonView
  /**
   * The time when it was set.
   */
  at: string
  /**
   * Why it no longer applies the change request; null while it does.
   */
  withdrawn: {
    /**
     * The user who ended it. Null if no user did.
     */
    by: PersonView | null
    /**
     * The time when it ended.
     */
    at: string
    /**
     * What ended it. `user`: a user withdrew it; `edit`, `rebase`: the changes were edited or rebased; `closed`: the change request was closed; `expired`: it was set too long ago; `person-gone`: the user who set it no longer exists.
     */
    cause: 'user' | 'edit' | 'rebase' | 'closed' | 'expired' | 'person-gone'
  } | null
}
/**
 * A scheduled change request of the same flags or segments.
 *
 * @example
 * ```ts
 * const view: OtherScheduleView = {
 *   id: 43,
 *   title: 'Change request #43',
 *   scheduledAt: '2026-11-23T06:00:00.000Z',
 *   status: 'pending',
 * }
 * ```
 */
export interface OtherScheduleView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The title of the change request.
   */
  title: string
  /**
   * The time for which it is scheduled.
   */
  scheduledAt: string
  /**
   * The status of its schedule.
   */
  status: 'pending' | 'failed' | 'suspended'
}
/**
 * The change request that a schedule follows.
 *
 * @example
 * ```ts
 * const view: FollowedScheduleView = {
 *   id: 12,
 *   title: 'Change request #12',
 *   scheduledAt: '2026-11-23T09:00:00.000Z',
 *   status: 'pending',
 *   minutesAfter: 480,
 * }
 * ```
 */
export interface FollowedScheduleView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The title of the change request.
   */
  title: string
  /**
   * The time for which it is scheduled; once it is applied, when it was. Null if it is neither.
   */
  scheduledAt: string | null
  /**
   * The status of its schedule; `applied`, or `ended` if it is neither scheduled nor applied.
   */
  status: 'pending' | 'failed' | 'suspended' | 'applied' | 'ended'
  /**
   * How many minutes after it this one is applied; null if this one has a time of its own.
   */
  minutesAfter: number | null
}
/**
 * Why a change request was applied before its approval.
 *
 * @example
 * ```ts
 * const view: ReviewEmergencyView = {
 *   reason: 'Payments fail since 10:40.',
 *   missing: [{ code: 'missing-approvals', name: 'minimum', approvals: 2, given: 1 }],
 *   acknowledgedBy: null,
 * }
 * ```
 */
export interface ReviewEmergencyView {
  /**
   * The reason.
   */
  reason: string
  missing: Missing
  /**
   * The user who acknowledged it. Null until then.
   */
  acknowledgedBy: PersonView | null
}
/**
 * A flag that uses the segment.
 *
 * @example
 * ```ts
 * const view: UsingFlagView = { project: 'shop', feature: 'checkout' }
 * ```
 */
export interface UsingFlagView {
  /**
   * The project of the flag.
   */
  project: string
  /**
   * The name of the flag.
   */
  feature: string
}
/**
 * Further flags that use the segment.
 *
 * @example
 * ```ts
 * const view: OtherUsersView = { others: 3 }
 * ```
 */
export interface OtherUsersView {
  /**
   * The number of flags beyond the first 100 or in projects that you cannot read.
   */
  others: number
}
/**
 * The requested approvers, or users who can be requested.
 *
 * @example
 * ```ts
 * const view: ReviewersView = { reviewers: [{ id: 2, email: 'ben@example.com' }] }
 * ```
 */
export interface ReviewersView {
  /**
   * The users.
   */
  reviewers: ReviewerView[]
}
/**
 * A user who can approve.
 *
 * @example
 * ```ts
 * const view: ReviewerView = { id: 2, email: 'ben@example.com', username: 'Ben Ode', name: 'Ben Ode' }
 * ```
 */
export interface ReviewerView {
  /**
   * The id of the user.
   */
  id: number
  /**
   * The e-mail address. Empty if there is none.
   */
  email: string
  /**
   * The full name, else the e-mail address, else the username, as in votes and comments.
   */
  username?: string | null
  /**
   * The full name.
   */
  name?: string | null
  /**
   * The URL of an image.
   */
  imageUrl?: string | null
}
/**
 * One page of the inbox.
 *
 * @example
 * ```ts
 * const view: ReviewsView = {
 *   reviews: [
 *     {
 *       id: 42,
 *       project: 'shop',
 *       environment: 'production',
 *       title: 'Checkout for everybody',
 *       state: 'In review',
 *       stateSince: '2026-11-20T10:58:31.004Z',
 *       revision: '42-7',
 *       createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *       author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       updatedAt: '2026-11-20T11:05:30.112Z',
 *       features: ['checkout'],
 *       segments: [],
 *       waitsFor: [
 *         {
 *           name: 'minimum',
 *           environment: null,
 *           mode: 'enforce',
 *           because: [],
 *           approvals: 2,
 *           given: 1,
 *           from: null,
 *           approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *           satisfiable: null,
 *         },
 *       ],
 *       because: ['review', 'requested'],
 *       approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *       endedBy: null,
 *       effects: [
 *         {
 *           name: 'checkout',
 *           changes: [
 *             { action: 'updateEnabled', before: { enabled: false }, after: { enabled: true } },
 *           ],
 *         },
 *       ],
 *       conflict: false,
 *       overwrites: false,
 *       needsAcknowledgement: false,
 *     },
 *   ],
 *   next: null,
 *   totals: {
 *     me: { count: 3, atLeast: false },
 *     mine: { count: 12, atLeast: false },
 *     all: { count: 1000, atLeast: true },
 *     toFix: { count: 1, atLeast: false },
 *   },
 * }
 * ```
 */
export interface ReviewsView {
  /**
   * The change requests of the page.
   */
  reviews: ReviewListItemView[]
  /**
   * The `cursor` of the next page. Null on the last page.
   */
  next: string | null
  /**
   * The number of matches in each part, with the same parameters. Null where `cursor` is given.
   */
  totals: InboxTotalsView | null
}
/**
 * A change request in the inbox.
 *
 * @example
 * ```ts
 * const view: ReviewListItemView = {
 *   id: 42,
 *   project: 'shop',
 *   environment: 'production',
 *   title: 'Checkout for everybody',
 *   state: 'In review',
 *   stateSince: '2026-11-20T10:58:31.004Z',
 *   revision: '42-7',
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   author: { id: 1, username: 'Ann Lee', imageUrl: null, kind: 'person', onBehalfOf: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   updatedAt: '2026-11-20T11:05:30.112Z',
 *   features: ['checkout'],
 *   segments: [],
 *   waitsFor: [
 *     {
 *       name: 'minimum',
 *       environment: null,
 *       mode: 'enforce',
 *       because: [],
 *       approvals: 2,
 *       given: 1,
 *       from: null,
 *       approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *       satisfiable: null,
 *     },
 *   ],
 *   because: ['review', 'requested'],
 *   approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *   endedBy: null,
 *   effects: [
 *     {
 *       name: 'checkout',
 *       changes: [{ action: 'updateEnabled', before: { enabled: false }, after: { enabled: true } }],
 *     },
 *   ],
 *   conflict: false,
 *   overwrites: false,
 *   needsAcknowledgement: false,
 * }
 * ```
 */
export interface ReviewListItemView {
  /**
   * The id of the change request.
   */
  id: number
  project: Name
  environment: Name
  /**
   * The title. The default title contains the id.
   */
  title: string
  state: StateName
  /**
   * The time when it entered its state.
   */
  stateSince: string
  /**
   * The entity tag of the change request, without its quotes.
   */
  revision: string
  /**
   * The change request on the review page. Only with the option `pageUrl`.
   */
  url?: string
  createdBy: PersonView
  author: AuthorView
  /**
   * The time when it was created.
   */
  createdAt: string
  /**
   * The time when it was last changed.
   */
  updatedAt: string
  /**
   * The names of the flags that it changes.
   */
  features: FeatureName[]
  /**
   * The names of the segments that it changes.
   */
  segments: string[]
  schedule?: ScheduleView
  /**
   * The id of the change request that its schedule follows. Absent for none.
   */
  follows?: number
  /**
   * The name of the freeze that delays its schedule. Absent for none.
   */
  held?: string
  /**
   * The approvals that are missing. Empty once it is closed.
   */
  waitsFor: RequirementView[]
  /**
   * Why it needs the caller. Empty if it does not.
   */
  because: (
    | 'review'
    | 'requested'
    | 'approvals-voided'
    | 'apply'
    | 'suspended'
    | 'failed'
    | 'acknowledge'
    | 'objection'
    | 'conflict'
    | 'overwrite'
  )[]
  /**
   * Who has approved it, oldest first.
   */
  approvedBy: PersonView[]
  /**
   * Who applied, rejected or cancelled it; for a scheduled apply, who scheduled it. Null while it is open.
   */
  endedBy: PersonView | null
  /**
   * What it does to the first two flags or segments now, implied changes included; if it is closed, what it did to them. Null while the flag gateway fails.
   *
   * @maxItems 2
   */
  effects: EffectView[] | null
  /**
   * Whether it cannot be applied to the current flags. Null while the flag gateway fails.
   */
  conflict: boolean | null
  /**
   * Whether it would overwrite edits that were made after it was proposed. Null while the flag gateway fails.
   */
  overwrites: boolean | null
  /**
   * How many objections are open. Only with the option `objections`.
   */
  objections?: number
  /**
   * Whether it was applied in an emergency, and nobody has acknowledged that yet.
   */
  needsAcknowledgement: boolean
}
/**
 * What a change request does to a flag or segment.
 *
 * @example
 * ```ts
 * const view: EffectView = {
 *   name: 'checkout',
 *   changes: [{ action: 'updateEnabled', before: { enabled: false }, after: { enabled: true } }],
 * }
 * ```
 */
export interface EffectView {
  /**
   * The name of the flag or segment.
   */
  name: string
  /**
   * Its changes, in the order in which they are applied.
   */
  changes: EffectChangeView[]
}
/**
 * What one change does to its target.
 *
 * @example
 * ```ts
 * const view: EffectChangeView = {
 *   action: 'updateEnabled',
 *   before: { enabled: false },
 *   after: { enabled: true },
 * }
 * ```
 */
export interface EffectChangeView {
  action: Action
  /**
   * The part of the target that the action can alter. Null if it does not exist or is unknown.
   */
  before: {
    [k: string]: unknown
  } | null
  /**
   * The same part after the change. Null if it does not exist or is unknown.
   */
  after: {
    [k: string]: unknown
  } | null
}
/**
 * The number of matches in each part of the inbox. What only the current flags say, such as conflicts, is counted in `toFix`.
 *
 * @example
 * ```ts
 * const view: InboxTotalsView = {
 *   me: { count: 3, atLeast: false },
 *   mine: { count: 12, atLeast: false },
 *   all: { count: 1000, atLeast: true },
 *   toFix: { count: 1, atLeast: false },
 * }
 * ```
 */
export interface InboxTotalsView {
  me: InboxTotalView
  mine: InboxTotalView
  all: InboxTotalView
  /**
   * The caller's own change requests with a conflict or an overwrite that `me` does not count, among the 50 newest open ones. Null while the flag gateway fails.
   */
  toFix: InboxTotalView | null
}
/**
 * A number of change requests.
 *
 * @example
 * ```ts
 * const view: InboxTotalView = { count: 12, atLeast: false }
 * ```
 */
export interface InboxTotalView {
  /**
   * Exact unless `atLeast` is true.
   */
  count: number
  /**
   * Whether there are more.
   */
  atLeast: boolean
}
/**
 * A scheduled change request that touches a flag.
 *
 * @example
 * ```ts
 * const view: ScheduledChangeRequestItemView = {
 *   id: 7,
 *   environment: 'production',
 *   title: 'Checkout for everybody',
 * }
 * ```
 */
export interface ScheduledChangeRequestItemView {
  /**
   * The id of the change request.
   */
  id: number
  /**
   * The environment that it changes.
   */
  environment: string
  /**
   * The title. Absent if it is the default title.
   */
  title?: string
}
/**
 * Segments that match a search.
 *
 * @example
 * ```ts
 * const view: SegmentNamesView = { segments: [{ id: 4, name: 'Beta testers' }] }
 * ```
 */
export interface SegmentNamesView {
  /**
   * The segments. Null if the host app cannot search its segments.
   *
   * @maxItems 20
   */
  segments:
    | {
        id: SegmentId
        /**
         * The name of the segment.
         */
        name: string
      }[]
    | null
}
/**
 * The current state of a segment.
 *
 * @example
 * ```ts
 * const view: SegmentView = {
 *   id: 4,
 *   state: { name: 'Beta testers', project: 'shop', constraints: [] },
 *   targets: { segment: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
 *   usedBy: [{ project: 'shop', feature: 'checkout' }],
 * }
 * ```
 */
export interface SegmentView {
  id: SegmentId
  /**
   * The state, as the flag gateway returns it. Null without a gateway.
   */
  state: {
    /**
     * The name of the segment.
     */
    name: string
    [k: string]: unknown
  } | null
  targets: Targets
  /**
   * The first 100 flags that use it. Null if the flag gateway does not return them.
   */
  usedBy: SegmentUserView[] | null
}
/**
 * Whether change requests are enabled in an environment, and how many approvals they need.
 *
 * @example
 * ```ts
 * const view: EnvironmentSettingsView = {
 *   environment: 'production',
 *   type: 'production',
 *   changeRequestEnabled: true,
 *   requiredApprovals: 2,
 * }
 * ```
 */
export interface EnvironmentSettingsView {
  environment: Name
  /**
   * The type of the environment, such as production.
   */
  type: string
  /**
   * Whether change requests are enabled.
   */
  changeRequestEnabled: boolean
  /**
   * The approvals that a new change request needs. Null while change requests are disabled.
   */
  requiredApprovals: number | null
}
/**
 * Whether change requests are enabled in an environment, and how many approvals they need.
 *
 * @example
 * ```ts
 * const update: SettingsUpdate = { changeRequestsEnabled: true, requiredApprovals: 2 }
 * ```
 */
export interface SettingsUpdate {
  /**
   * Whether change requests are enabled.
   */
  changeRequestsEnabled: boolean
  /**
   * The approvals that a new change request needs, clamped to 1 to 10. If absent or null, the current value does not change.
   */
  requiredApprovals?: number | null
  [k: string]: unknown
}
/**
 * Sets any state but Scheduled.
 *
 * @example
 * ```ts
 * const update: UnscheduledStateUpdate = { state: 'Approved', comment: 'Go.' }
 * ```
 */
export interface UnscheduledStateUpdate {
  /**
   * The new state. The schema accepts Draft, but no change request can return to it.
   */
  state: 'Draft' | 'In review' | 'Approved' | 'Applied' | 'Cancelled' | 'Rejected'
  /**
   * A comment to add, of up to 10,000 characters after trimming. A blank text adds none.
   */
  comment?: string
  /**
   * The digest of the content that the caller votes on or applies. If it is not the current one, the response is 412.
   */
  digest?: string
  /**
   * Applies without the required approvals, if the option `emergency` is on. Requires the state Applied.
   */
  emergency?: {
    /**
     * The reason, of 10 to 1,000 characters after trimming. The log stores it.
     */
    reason: string
  }
  [k: string]: unknown
}
/**
 * Schedules the change request.
 *
 * @example
 * ```ts
 * const update: ScheduledStateUpdate = { state: 'Scheduled', scheduledAt: '2026-11-23T06:00:00.000Z' }
 * ```
 */
export interface ScheduledStateUpdate {
  /**
   * The new state.
   */
  state: 'Scheduled'
  /**
   * The time to apply it. It must not be in the past. Required without `minutesAfter`.
   */
  scheduledAt?: string
  /**
   * The id of a change request that must be applied first: its schedule is pending, it changes a flag or segment that this one changes, and it is scheduled for an earlier time.
   */
  after?: number
  /**
   * How many minutes after that one it is applied. In place of `scheduledAt`.
   */
  minutesAfter?: number
  /**
   * A comment to add, of up to 10,000 characters after trimming. A blank text adds none.
   */
  comment?: string
  /**
   * The digest of the content that the caller votes on or applies. If it is not the current one, the response is 412.
   */
  digest?: string
  [k: string]: unknown
}
/**
 * One page of the events of a change request, oldest first.
 *
 * @example
 * ```ts
 * const view: TimelineView = {
 *   events: [
 *     {
 *       id: 7,
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       type: 'change-request-created',
 *       createdBy: 'ann@example.com',
 *     },
 *   ],
 *   next: null,
 * }
 * ```
 */
export interface TimelineView {
  /**
   * The events of the page.
   */
  events: EventView[]
  /**
   * The `cursor` of the next page. Null on the last page.
   */
  next: string | null
}
/**
 * The new title of a change request.
 *
 * @example
 * ```ts
 * const update: TitleUpdate = { title: 'Checkout for everybody' }
 * ```
 */
export interface TitleUpdate {
  /**
   * The title, of 1 to 200 characters after trimming, without control characters and characters that change the direction of text.
   */
  title: string
  [k: string]: unknown
}
