// Generated from schemas/ by `node schemas/generate.js`. Edit the schemas, not this file.

/**
 * What a change does. The last two are older names of the two release plan safeguard actions.
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
 * Number of a segment.
 *
 * @example
 * ```ts
 * const id: SegmentId = 4
 * ```
 */
export type SegmentId = number
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
 * Name of a project, an environment or a flag: URL-friendly characters, but neither "." nor "..".
 *
 * @example
 * ```ts
 * const name: Name = 'checkout'
 * ```
 */
export type Name = string
/**
 * When a change request is applied by itself, and whether it will be.
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
 * A change request among those found: with a schedule in the state Scheduled, without one in all others.
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
 * A change request: with a schedule in the state Scheduled, without one in all others.
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
 * A change as it is proposed; the action decides which payload it takes.
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
 * How a constraint compares the context field with its values.
 *
 * @example
 * ```ts
 * const operator: Operator = 'IN'
 * ```
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
 *
 * @example
 * ```ts
 * const constraints: Constraints = [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }]
 * ```
 */
export type Constraints = Constraint[]
/**
 * What a step is missing. The review never lists `outdated-revision` and `revision-required`: it describes the revision that it returns.
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
  | 'outdated-revision'
  | 'revision-required'
  | 'change-requests-disabled'
  | 'invalid'
  | 'limit-exceeded'
  | 'being-applied'
  | 'no-scheduler'
  | 'emergencies-disabled'
  | 'wrong-state'
  | 'other-open-change-request'
  | 'no-changes'
  | 'already-voted'
  | 'missing-approvals'
  | 'conflict'
  | 'overwrite'
  | 'no-flag-gateway'
  | 'already-acknowledged'
  | 'irreversible'
/**
 * What is wrong, item by item.
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
   * What is wrong.
   */
  message: string
  /**
   * Where in the request.
   */
  path?: string
  code?: StepCode
}[]
/**
 * Everybody who has written events, by id.
 *
 * @example
 * ```ts
 * const view: EventCreatorsView = [{ id: 1, name: 'Ann Lee' }]
 * ```
 */
export type EventCreatorsView = {
  /**
   * Number of the user.
   */
  id: number
  /**
   * What the user is called.
   */
  name: string
}[]
/**
 * What an event reports.
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
 * Facts about what happened, such as the state before or after.
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
 * Tags of the flag.
 *
 * @example
 * ```ts
 * const tags: Tags = [{ type: 'team', value: 'payments' }]
 * ```
 */
export type Tags = Tag[] | null
/**
 * Where a change request stands.
 *
 * @example
 * ```ts
 * const name: StateName = 'Draft'
 * ```
 */
export type StateName = 'Draft' | 'In review' | 'Approved' | 'Scheduled' | 'Applied' | 'Cancelled' | 'Rejected'
/**
 * Something that can be done to a change request.
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
  | 'cancel'
  | 'discard'
  | 'schedule'
  | 'apply'
  | 'applyInEmergency'
  | 'settle'
  | 'acknowledge'
  | 'rebase'
  | 'revert'
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
 * The state that a change request is to go to.
 *
 * @example
 * ```ts
 * const update: StateUpdate = { state: 'Approved', comment: 'Go.' }
 * ```
 */
export type StateUpdate = UnscheduledStateUpdate | ScheduledStateUpdate

/**
 * The second look at what was applied in an emergency.
 *
 * @example
 * ```ts
 * const acknowledgement: Acknowledgement = { comment: 'Looks right, thank you.' }
 * ```
 */
export interface Acknowledgement {
  /**
   * Kept as a comment: up to 10,000 characters, surrounding blanks not counted; a blank text counts as none.
   */
  comment?: string
}
/**
 * How many change requests of a project the caller can move on.
 *
 * @example
 * ```ts
 * const view: ActionableView = { total: 3 }
 * ```
 */
export interface ActionableView {
  /**
   * Those to be approved or applied by the caller.
   */
  total: number
}
/**
 * The approval rules of an environment.
 *
 * @example
 * ```ts
 * const view: ApprovalRulesView = {
 *   rules: [
 *     {
 *       name: 'payments owners',
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
   * Those in force.
   */
  rules: ApprovalRuleView[]
}
/**
 * Approvals that certain change requests need beside the minimum.
 *
 * @example
 * ```ts
 * const view: ApprovalRuleView = {
 *   name: 'payments owners',
 *   when: { environments: ['production'], features: ['pay*'] },
 *   approvals: 1,
 *   from: { groups: ['payments'], users: [] },
 * }
 * ```
 */
export interface ApprovalRuleView {
  /**
   * Shown to people.
   */
  name: string
  /**
   * The change requests that it is for; null for every one.
   */
  when: ApprovalRuleWhenView | null
  /**
   * How many it needs.
   */
  approvals: number
  /**
   * Whose approvals count; null for every holder of the permission.
   */
  from: ApproversFromView | null
}
/**
 * The change requests that a rule is for: one of their changes fits all that is given. In names, `*` is any text.
 *
 * @example
 * ```ts
 * const view: ApprovalRuleWhenView = { environments: ['production'], features: ['pay*'] }
 * ```
 */
export interface ApprovalRuleWhenView {
  /**
   * Names of projects.
   */
  projects?: string[]
  /**
   * Names of environments.
   */
  environments?: string[]
  /**
   * What the change does.
   */
  actions?: Action[]
  /**
   * Names of flags; an alternative to `segments`.
   */
  features?: string[]
  /**
   * Numbers of segments, or true for all of them; an alternative to `features`.
   */
  segments?: SegmentId[] | true
  /**
   * The flag has one of these.
   */
  tags?: {
    /**
     * Kind of the tag.
     */
    type: string
    /**
     * Text of the tag.
     */
    value: string
  }[]
}
/**
 * Whose approvals count.
 *
 * @example
 * ```ts
 * const view: ApproversFromView = { groups: ['payments'], users: [2] }
 * ```
 */
export interface ApproversFromView {
  /**
   * Groups of users.
   */
  groups: string[]
  /**
   * Numbers of users.
   */
  users: number[]
}
/**
 * Who is asked to approve a change request, in place of those asked before.
 *
 * @example
 * ```ts
 * const update: ApproversUpdate = { reviewers: [2, 3] }
 * ```
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
 * How many change requests of a project the caller can see, by state.
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
 *
 * @example
 * ```ts
 * const view: PersonView = { id: 1, username: 'Ann Lee', imageUrl: null }
 * ```
 */
export interface PersonView {
  /**
   * Number of the user.
   */
  id: number
  /**
   * Name, else e-mail address, else the name to sign in with.
   */
  username: string | null
  /**
   * Address of a picture.
   */
  imageUrl: string | null
}
/**
 * Scheduled change requests that touch the same target. A warning only.
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
   * The strategy to add, or the environment to switch off.
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
   * When it was given.
   */
  createdAt: string
}
/**
 * Who voted, by the last name known.
 *
 * @example
 * ```ts
 * const view: VoterView = { id: 2, username: 'Ben Ode' }
 * ```
 */
export interface VoterView {
  /**
   * Number of the user.
   */
  id: number
  /**
   * Name, else e-mail address, else the name to sign in with.
   */
  username?: string
  /**
   * Address of a picture.
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
 *
 * @example
 * ```ts
 * const view: PendingScheduleView = { scheduledAt: '2026-11-23T06:00:00.000Z', status: 'pending' }
 * ```
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
 * One page of the change requests that were searched for, newest first.
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
 *
 * @example
 * ```ts
 * const constraint: Constraint = { contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }
 * ```
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
 *
 * @example
 * ```ts
 * const change: DeleteSegmentChange = { action: 'deleteSegment', payload: { id: 4 } }
 * ```
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
    parameters: StrategyParameters
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
 * Changes a strategy; what is not sent stays.
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
  parameters?: StrategyParameters
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
 *
 * @example
 * ```ts
 * const change: ArchiveFeatureChange = { action: 'archiveFeature', feature: 'checkout' }
 * ```
 */
export interface ArchiveFeatureChange {
  action: 'archiveFeature'
  feature: Name
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
 *
 * @example
 * ```ts
 * const change: DeleteDependencyChange = { action: 'deleteDependency', feature: 'checkout' }
 * ```
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
  action: 'updateMilestoneStrategy'
  feature: Name
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
  action: 'changeReleasePlanSafeguard'
  feature: Name
  payload: PlanSafeguard
  [k: string]: unknown
}
/**
 * A release plan and the safeguard it gets.
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
   * Id of the release plan.
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
  action: 'deleteReleasePlanSafeguard'
  feature: Name
  payload: PlanSafeguardRemoval
  [k: string]: unknown
}
/**
 * A release plan and the safeguard it loses.
 *
 * @example
 * ```ts
 * const removal: PlanSafeguardRemoval = { planId: 'plan-1', safeguardId: 'safeguard-1' }
 * ```
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
  action: 'changeSafeguard'
  feature: Name
  payload: PlanSafeguard
  [k: string]: unknown
}
/**
 * Older name of deleteReleasePlanSafeguard.
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
  action: 'deleteSafeguard'
  feature: Name
  payload: PlanSafeguardRemoval
  [k: string]: unknown
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
   * 1 to 10,000 characters, surrounding blanks not counted.
   */
  text: string
  /**
   * The change that it is about; left out or null for a comment on the whole change request.
   */
  changeId?: number | null
}
/**
 * Why a request was refused or failed.
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
 * How many events each day has.
 *
 * @example
 * ```ts
 * const view: EventActivityView = { days: [{ date: '2026-11-20', total: 42 }] }
 * ```
 */
export interface EventActivityView {
  /**
   * The days that have events, in their order.
   */
  days: {
    /**
     * The day, UTC.
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
 * An entry of the event log.
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
 *   data: { changeRequestId: 42 },
 *   preData: null,
 *   tags: [],
 * }
 * ```
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
 *
 * @example
 * ```ts
 * const tag: Tag = { type: 'team', value: 'payments' }
 * ```
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
 * An event that the host adds to the log. Its number and time are given by the log.
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
 * One page of the events that were searched for, newest first.
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
   * Those of the page.
   */
  events: EventView[]
  /**
   * How many there are on all pages.
   */
  total: number
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
   * Version of this format.
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
   * How many there are in all.
   */
  totalEvents: number
}
/**
 * The caller of the request: who they are and, where they ask, what they hold.
 *
 * @example
 * ```ts
 * const view: MeView = { id: 1, username: 'Ann Lee', imageUrl: null, groups: ['payments'] }
 * ```
 */
export interface MeView {
  /**
   * Number of the user; null for a key that stands for no person.
   */
  id: number | null
  /**
   * Name, else e-mail address, else the name to sign in with.
   */
  username: string | null
  /**
   * Address of a picture.
   */
  imageUrl: string | null
  /**
   * The groups of the caller.
   */
  groups: string[]
  /**
   * What the caller holds in the project and environment of the query; left out without one.
   */
  permissions?: string[]
}
/**
 * For whom the flags are evaluated.
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
   * The context; other fields are allowed. Values that are separated by commas are all tried.
   */
  context: {
    /**
     * Name of the app.
     */
    appName: string
    /**
     * The time to evaluate for.
     */
    currentTime?: string
    /**
     * @deprecated
     * Has no effect: the environment is that of the change request.
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
     * Id of the user.
     */
    userId?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * What the host answers to an advanced playground: how each flag is evaluated with the changes.
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
   * What was evaluated, and for whom.
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
   * What was left out, and why.
   */
  warnings?: {
    [k: string]: unknown
  }
  [k: string]: unknown
}
/**
 * The same as problem details, sent to clients that accept application/problem+json.
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
 *   details: [{ message: 'enabled is required and missing', path: '/body/payload/enabled' }],
 * }
 * ```
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
/**
 * What becomes of what the changes overwrite. What is altered on one side alone is merged without a question.
 *
 * @example
 * ```ts
 * const rebase: Rebase = { changes: [{ id: 7, take: 'ours' }] }
 * ```
 */
export interface Rebase {
  /**
   * For all changes that overwrite and are not named.
   */
  take?: 'ours' | 'theirs' | 'drop'
  /**
   * For the changes with these numbers.
   *
   * @maxItems 500
   */
  changes?: RebasedChange[]
}
/**
 * What becomes of one change.
 *
 * @example
 * ```ts
 * const change: RebasedChange = { id: 7, take: 'ours' }
 * ```
 */
export interface RebasedChange {
  /**
   * Number of the change.
   */
  id: number
  /**
   * What becomes of what both sides altered: the proposed value, the present one, or the change is discarded.
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
   * What would be proposed, in its order.
   */
  changes: RevertingChangeView[]
  /**
   * The changes that nothing takes back.
   */
  irreversible: IrreversibleChangeView[]
}
/**
 * A change that takes another one back.
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
   * The flag; null for a change of a segment.
   */
  feature: string | null
  /**
   * As it is submitted for the action.
   */
  payload: unknown
}
/**
 * A change that nothing takes back.
 *
 * @example
 * ```ts
 * const view: IrreversibleChangeView = { id: 8, action: 'archiveFeature', feature: 'search' }
 * ```
 */
export interface IrreversibleChangeView {
  /**
   * Number of the change; null for a default change.
   */
  id: number | null
  action: Action
  /**
   * The flag; null for a change of a segment.
   */
  feature: string | null
}
/**
 * How a change request is taken back.
 *
 * @example
 * ```ts
 * const request: RevertRequest = { partial: true }
 * ```
 */
export interface RevertRequest {
  /**
   * Whether changes that nothing takes back may stay as they are.
   */
  partial?: boolean
}
/**
 * What a change request is missing, and who may do what with it now.
 *
 * @example
 * ```ts
 * const view: ReviewView = {
 *   id: 42,
 *   state: 'In review',
 *   revision: '42-7',
 *   digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   requirements: [
 *     {
 *       name: 'minimum',
 *       environment: null,
 *       approvals: 2,
 *       given: 1,
 *       from: null,
 *       approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *       satisfiable: null,
 *     },
 *   ],
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
 *       causedBy: null,
 *     },
 *   ],
 *   discussion: [
 *     {
 *       id: 1,
 *       text: 'Go.',
 *       createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       changeId: null,
 *     },
 *   ],
 *   revertedBy: null,
 *   applying: null,
 *   steps: [
 *     {
 *       step: 'apply',
 *       allowed: false,
 *       missing: [{ code: 'missing-approvals', message: 'The change request has 1 of 2 approvals.' }],
 *     },
 *   ],
 * }
 * ```
 */
export interface ReviewView {
  /**
   * Number of the change request.
   */
  id: number
  state: StateName
  /**
   * The entity tag of the change request, without its quotes.
   */
  revision: string
  /**
   * Of everything a vote stands for: the changes with their bases, and the default changes.
   */
  digest: string
  /**
   * The approvals that it needs; the minimum first.
   */
  requirements: RequirementView[]
  /**
   * The changes, by id.
   */
  changes: ReviewChangeView[]
  /**
   * The comments, oldest first.
   */
  discussion: DiscussionCommentView[]
  /**
   * The change request that reverts it and that the caller may see.
   */
  revertedBy: number | null
  /**
   * The apply attempt whose outcome is not stored yet; null without one.
   */
  applying: ApplyAttemptView | null
  /**
   * Every step there is, in this order.
   */
  steps: ReviewStepView[]
}
/**
 * Approvals that a change request needs.
 *
 * @example
 * ```ts
 * const view: RequirementView = {
 *   name: 'minimum',
 *   environment: null,
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
   * Shown to people. `minimum` is the minimum of the environment, or the highest one of all environments that a change of the whole project affects.
   */
  name: string
  /**
   * The environment whose approval rule it is; null for the minimum.
   */
  environment: string | null
  /**
   * How many it needs.
   */
  approvals: number
  /**
   * How many it has, for what would be applied now.
   */
  given: number
  /**
   * Whose approvals count; null for every holder of the permission.
   */
  from: ApproversFromView | null
  /**
   * Who gave them.
   */
  approvedBy: PersonView[]
  /**
   * Whether there are enough people who could; null where nobody knows.
   */
  satisfiable: boolean | null
}
/**
 * What a change does to its target if everything is applied now, in the order in which it is applied.
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
 *   causedBy: null,
 * }
 * ```
 */
export interface ReviewChangeView {
  /**
   * Number of the change.
   */
  id: number
  action: Action
  /**
   * The flag; null for a change of a segment.
   */
  feature: string | null
  /**
   * Where it takes effect: in the environment of the change request, or in every environment of the project.
   */
  scope: 'environment' | 'project'
  /**
   * The part of the target that the action can alter; null where it does not exist, or baseKnown is false.
   */
  before: {
    [k: string]: unknown
  } | null
  /**
   * The same after the change, without what the store adds, such as ids; null where it does not exist or is not known.
   */
  after: {
    [k: string]: unknown
  } | null
  /**
   * Only the fields that it alters.
   */
  fields: FieldDiffView[]
  /**
   * Why it cannot be applied; null where nothing speaks against it.
   */
  conflict: string | null
  /**
   * Whether it is known what the target was when the change was proposed. Without it, nothing counts as overwritten.
   */
  baseKnown: boolean
  /**
   * Who caused a conflict or an overwrite; null if the log does not say, or if the caller may not read the project in which it happened.
   */
  causedBy: CauseView | null
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
   * JSON pointer into the target; an element of a list is named by its id or name, where it has one.
   */
  path: string
  /**
   * The value when the change was proposed; null where it had none, or where that is not known.
   */
  base: unknown
  /**
   * The value right before the change; null where it has none.
   */
  current: unknown
  /**
   * The value that the change leaves; null where it leaves none.
   */
  proposed: unknown
  /**
   * Whether somebody else altered it since, and the change would alter it again.
   */
  overwrites: boolean
}
/**
 * Who altered the target of a change since it was proposed: the newest event about it in the log.
 *
 * @example
 * ```ts
 * const view: CauseView = {
 *   eventId: 1204,
 *   createdBy: 'ben@example.com',
 *   createdAt: '2026-11-20T11:53:06.724Z',
 *   changeRequestId: 41,
 * }
 * ```
 */
export interface CauseView {
  /**
   * Number of the event.
   */
  eventId: number
  /**
   * Name of the acting user.
   */
  createdBy: string
  /**
   * When it happened.
   */
  createdAt: string
  /**
   * The change request that was applied; absent for any other event.
   */
  changeRequestId?: number
}
/**
 * A comment, with the change it is about.
 *
 * @example
 * ```ts
 * const view: DiscussionCommentView = {
 *   id: 1,
 *   text: 'Go.',
 *   createdBy: { id: 1, username: 'Ann Lee', imageUrl: null },
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   changeId: null,
 * }
 * ```
 */
export interface DiscussionCommentView {
  /**
   * Number of the comment.
   */
  id: number
  /**
   * What it says.
   */
  text: string
  createdBy: PersonView
  /**
   * When it was written.
   */
  createdAt: string
  /**
   * The change, also when that is gone; null for the whole change request.
   */
  changeId: number | null
}
/**
 * An apply attempt whose outcome is not stored yet.
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
   * When it began.
   */
  since: string
  by: PersonView
  /**
   * True once it is older than `limits.applyTimeoutMs`: the flags may be changed.
   */
  interrupted: boolean
}
/**
 * A step, and what it is missing for the caller at this moment.
 *
 * @example
 * ```ts
 * const view: ReviewStepView = {
 *   step: 'apply',
 *   allowed: false,
 *   missing: [{ code: 'missing-approvals', message: 'The change request has 1 of 2 approvals.' }],
 * }
 * ```
 */
export interface ReviewStepView {
  step: StepName
  /**
   * True exactly when nothing is missing.
   */
  allowed: boolean
  /**
   * What is missing, at the first stage of checks that fails.
   */
  missing: MissingView[]
}
/**
 * One thing that a step is missing; the refusal of the step says the same.
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
   * What is wrong, and what to do about it.
   */
  message: string
}
/**
 * People who are asked to approve, or who could be.
 *
 * @example
 * ```ts
 * const view: ReviewersView = { reviewers: [{ id: 2, email: 'ben@example.com' }] }
 * ```
 */
export interface ReviewersView {
  /**
   * The people.
   */
  reviewers: ReviewerView[]
}
/**
 * A person who may approve.
 *
 * @example
 * ```ts
 * const view: ReviewerView = { id: 2, email: 'ben@example.com', username: 'Ben Ode', name: 'Ben Ode' }
 * ```
 */
export interface ReviewerView {
  /**
   * Number of the user.
   */
  id: number
  /**
   * E-mail address; empty where there is none.
   */
  email: string
  /**
   * Name, else e-mail address, else the name to sign in with: the same as in votes and comments.
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
 * One page of change requests, newest first.
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
 *       createdAt: '2026-11-20T10:52:09.870Z',
 *       updatedAt: '2026-11-20T11:05:30.112Z',
 *       features: ['checkout'],
 *       segments: [],
 *       waitsFor: [
 *         {
 *           name: 'minimum',
 *           environment: null,
 *           approvals: 2,
 *           given: 1,
 *           from: null,
 *           approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *           satisfiable: null,
 *         },
 *       ],
 *     },
 *   ],
 *   next: null,
 * }
 * ```
 */
export interface ReviewsView {
  /**
   * Those of the page.
   */
  reviews: ReviewListItemView[]
  /**
   * For the next page, as the parameter `cursor`; null when nothing is left.
   */
  next: string | null
}
/**
 * A change request in the list of reviews.
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
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   updatedAt: '2026-11-20T11:05:30.112Z',
 *   features: ['checkout'],
 *   segments: [],
 *   waitsFor: [
 *     {
 *       name: 'minimum',
 *       environment: null,
 *       approvals: 2,
 *       given: 1,
 *       from: null,
 *       approvedBy: [{ id: 2, username: 'Ben Ode', imageUrl: null }],
 *       satisfiable: null,
 *     },
 *   ],
 * }
 * ```
 */
export interface ReviewListItemView {
  /**
   * Number of the change request.
   */
  id: number
  project: Name
  environment: Name
  /**
   * Its title, else one made of its number.
   */
  title: string
  state: StateName
  /**
   * When it came into its state.
   */
  stateSince: string
  /**
   * The entity tag of the change request, without its quotes.
   */
  revision: string
  createdBy: PersonView
  /**
   * When it was made.
   */
  createdAt: string
  /**
   * The newest of its times: of its changes, votes, comments and states.
   */
  updatedAt: string
  /**
   * Names of the flags it changes.
   */
  features: Name[]
  /**
   * Names of the segments it changes.
   */
  segments: string[]
  schedule?: ScheduleView
  /**
   * The approvals that are missing; empty once it is closed.
   */
  waitsFor: RequirementView[]
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
   * Number of the change request.
   */
  id: number
  /**
   * The environment that it changes.
   */
  environment: string
  /**
   * Left out unless it has a title of its own.
   */
  title?: string
}
/**
 * Whether changes take a review in an environment, and by how many.
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
 * Whether changes take a review in one environment, and by how many.
 *
 * @example
 * ```ts
 * const update: SettingsUpdate = { changeRequestsEnabled: true, requiredApprovals: 2 }
 * ```
 */
export interface SettingsUpdate {
  /**
   * Whether change requests are accepted.
   */
  changeRequestsEnabled: boolean
  /**
   * Approvals that a new change request needs; 0 counts as 1 and more than 10 as 10. Left out or null, it stays as it is.
   */
  requiredApprovals?: number | null
  [k: string]: unknown
}
/**
 * Any state but Scheduled.
 *
 * @example
 * ```ts
 * const update: UnscheduledStateUpdate = { state: 'Approved', comment: 'Go.' }
 * ```
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
  /**
   * Of what the caller decides on; any other than the present one is refused with 412. Read for votes and applications.
   */
  digest?: string
  /**
   * Applies before the approval, where the server allows it; only with the state Applied.
   */
  emergency?: {
    /**
     * Why it cannot wait: 10 to 1,000 characters, surrounding blanks not counted. It is kept in the log.
     */
    reason: string
  }
  [k: string]: unknown
}
/**
 * To be applied at a set time.
 *
 * @example
 * ```ts
 * const update: ScheduledStateUpdate = { state: 'Scheduled', scheduledAt: '2026-11-23T06:00:00.000Z' }
 * ```
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
  /**
   * Of what the caller decides on; any other than the present one is refused with 412. Read for votes and applications.
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
   * Those of the page.
   */
  events: EventView[]
  /**
   * For the next page, as the parameter `cursor`; null when nothing is left.
   */
  next: string | null
}
/**
 * A title of its own for a change request.
 *
 * @example
 * ```ts
 * const update: TitleUpdate = { title: 'Checkout for everybody' }
 * ```
 */
export interface TitleUpdate {
  /**
   * 1 to 200 characters, surrounding blanks not counted; no control characters and nothing that turns the direction of text.
   */
  title: string
  [k: string]: unknown
}
