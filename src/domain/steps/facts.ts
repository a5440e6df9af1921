import type { ChangeRequestError } from '../../errors'
import type { PlacedRule } from '../approval/approval-rule'
import type { ApprovalExpiry } from '../approval/expiry'
import type { MachineKind, RecordedCheck, Scheduling, VotedChange } from '../change-request'
import type { Check } from '../checks/check'
import type { Predecessor } from '../content/follow'
import type { CustomFieldRules } from '../custom-fields/custom-fields'
import type { Overwrites } from '../diff/overwrites'
import type { Revert } from '../diff/revert'
import type { FlagState } from '../flag-state'
import type { PlacedFreeze } from '../freezes/freeze'
import type { Missing } from './codes'

/** The permissions that the rules of the steps check, in the project and environment of the change request. */
export const stepPermissions = [
  'READ_CHANGE_REQUEST',
  'CREATE_CHANGE_REQUEST',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  'REPORT_CHECK',
  'ADMIN',
] as const

/** The permissions that are needed in every environment that the changes affect (contract 18). */
export const permissionsElsewhere = [
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  'REPORT_CHECK',
] as const

export type StepPermission = (typeof stepPermissions)[number]
export type PermissionElsewhere = (typeof permissionsElsewhere)[number]

/** What the rules depend on of the options of the router, each as yes or no. */
export const stepOptionNames = [
  /** An ADMIN may vote on their own change request. */
  'adminSelfApproval',
  /** Anyone who can create or approve there can set the title and request approvers. */
  'detailsByAnyone',
  /** Something applies scheduled change requests. */
  'scheduler',
  /** Something will apply them, even if it has not started yet. */
  'presetsSchedules',
  /** Urgent changes may be applied before they are approved. */
  'emergency',
  /** Changes may overwrite what another user altered. */
  'overwrites',
  /** Something applies changes: a flag gateway, or the host app that follows the log. */
  'canApply',
  /** The flag gateway knows the outcome of an apply attempt. */
  'knowsOutcome',
  /** Segments may be changed that belong to other projects as well. */
  'globalSegments',
  /** Votes and applies must state which revision they decide on. */
  'requireRevision',
  /** Events have the comment of their step, and the title. */
  'logComments',
] as const

export type StepOptions = { readonly [name in (typeof stepOptionNames)[number]]: boolean }

/** The input of rules and decisions in addition to the change request, gathered in `kernel/facts`. */
export interface Facts extends PermissionFacts, PermissionElsewhereFacts, CallFacts {
  readonly revision: RevisionFacts
  /** The id of the caller; null for a key without a user id (contract 2.3). */
  readonly userId: number | null
  /** Whether the caller is a person or a machine; a key without a user id counts as a person. */
  readonly callerKind: 'person' | MachineKind
  /** The names of the caller's groups. */
  readonly callerGroups: readonly string[]
  /** The id of the person for whom the caller acts; null for none. */
  readonly callerFor: number | null
  readonly options: StepOptions
  /** The id of the comment that the step is about; undefined for other steps. */
  readonly commentId: number | undefined
  /** The name of the check that the step reports; undefined for other steps. */
  readonly checkName: string | undefined
  /** Whether the caller may approve in one of the environments that the changes affect. */
  readonly approvesSomewhere: boolean
  /** Whether the caller has a permission that lets users other than the author set title and approvers (contract 3.6). */
  readonly editsDetails: boolean
  /** The current flags; undefined without a gateway, and for closed change requests, which are never applied. */
  readonly flags: FlagState | undefined
  /** The digest of everything that would be applied now, implied changes included. */
  readonly digest: string
  /** The changes with the digest of each, for the vote that is given. */
  readonly votedChanges: readonly VotedChange[]
  readonly rules: readonly PlacedRule[]
  /** All checks in the environments that the changes affect, also those that do not match. */
  readonly placeChecks: readonly Check[]
  /** The checks that match these changes. */
  readonly checks: readonly RecordedCheck[]
  /** The users whose approvals still count; undefined if the approvals of all users count. */
  readonly approvers: ReadonlySet<number> | undefined
  /** The freezes that match these changes, also those that are not in force. */
  readonly freezes: readonly PlacedFreeze[]
  /** When approvals expire, at the time of the decision; undefined if they never do. */
  readonly expiry: ApprovalExpiry | undefined
  /** The change request that the schedule follows, by the request or as stored; undefined for none. */
  readonly predecessor: Predecessor | undefined
  /** What its preset schedule needs to take effect; undefined if none is in force. */
  readonly preset: PresetFacts | undefined
  /** Digests of what each change can alter now, by the id of the change. */
  readonly targets: Scheduling['targets']
  /** Why the changes cannot be applied to the current flags, one sentence each (contract 5.6). */
  readonly conflicts: readonly string[]
  /** What the changes would overwrite, one sentence for each field (contract 16). */
  readonly overwrites: readonly string[]
  /** The fields that they would overwrite. */
  readonly overwritten: Overwrites
  /**
   * SHA-256 of all rules and freezes of the place, also of those that do not match; undefined without the option `applyTrace`.
   */
  readonly policyDigest: string | undefined
  /** Segments in the changes that belong to other projects as well, one sentence for each change (contract 18). */
  readonly foreignSegments: readonly Missing[]
  /** The custom fields of the host app; undefined for none. */
  readonly customFields: CustomFieldRules | undefined
  readonly proposal: ProposalFacts
  readonly enabled: boolean
  /** Another open change request of the same author in the project and environment. */
  readonly otherOpen: number | undefined
  /** What the validator of the host app finds wrong with the changes when they are submitted, and when they are applied. */
  readonly invalidOnSubmit: readonly Missing[]
  readonly invalidOnApply: readonly Missing[]
  readonly interrupted: boolean
  /** The changes that revert this one, and those that cannot be reverted; undefined unless it is applied or scheduled. */
  readonly possibleRevert: Revert | undefined
  readonly revert: RevertFacts | undefined
  readonly revertOrigin: DraftOrigin
  /** What is wrong with a copy of the changes; undefined unless it is closed. */
  readonly copy: CopyFacts | undefined
  readonly copyOrigin: DraftOrigin
  /** The highest minimum of all gated environments; undefined if the changes affect only their own one (contract 18). */
  readonly gatedMinimum: number | undefined
  readonly requiredApprovals: number
  readonly reviewers: readonly number[]
}

type PermissionFacts = { readonly [permission in StepPermission]: boolean }

/** The other gated environments in which the caller lacks a permission; undefined stands for unnamed ones. */
type PermissionElsewhereFacts = {
  readonly [permission in PermissionElsewhere as `${permission} elsewhere`]: readonly (string | undefined)[]
}

/** Facts that depend on the body of the call. The review assumes {@link wellFormedCall}. */
export interface CallFacts {
  /** The proposed changes whose targets the caller saw in another state. */
  readonly outdatedBases: readonly Missing[]
  readonly excess: string | undefined
  /** What the changes overwrite without a decision in the body. */
  readonly undecided: readonly string[]
  readonly leavesNone: boolean
  /** The required custom fields that lose their value. */
  readonly emptiedFields: readonly string[]
  /** Irreversible changes may stay applied. */
  readonly partial: boolean
  /** The objection that is dismissed; null if the review cannot know, because the path says it. */
  readonly objectionId: number | null
  /** When the step takes effect; null if the review cannot know, because the body says it. */
  readonly at: string | null
  /** A freeze with `hold` only delays it. */
  readonly waits: boolean
  /** The schedule is to follow the predecessor. */
  readonly follows: boolean
}

/** The revision that the caller stated, compared with the stored one. */
export interface RevisionFacts {
  /** Whether `If-Match` accepts the stored revision; true without the header. */
  readonly matches: boolean
  readonly exists: boolean
  /** The path of that change request if the caller sent `If-None-Match: *`; undefined otherwise. */
  readonly forbidden: string | undefined
  /** Whether `If-Match` or `digest` states a revision. */
  readonly isStated: boolean
  /** Whether a preset schedule is in force. */
  readonly hasPreset: boolean
  /** Whether a digest alone states the revision while a preset schedule is in force: the caller cannot have seen it. */
  readonly missesPreset: boolean
  /** Whether the digest in the body matches what would be applied, and the content has not changed since the request arrived. */
  readonly isSeen: boolean
}

export interface ProposalFacts extends Pick<DraftOrigin, 'flags'> {
  readonly rejected: ChangeRequestError | undefined
  readonly invalid: readonly Missing[]
}

export interface DraftFacts {
  readonly invalid: readonly Missing[]
  readonly excess: string | undefined
}

export interface RevertFacts extends Revert, DraftFacts {}

export interface CopyFacts extends DraftFacts {
  /** The error that names flags which the host app does not know. */
  readonly rejected: ChangeRequestError | undefined
}

/** The facts by which a preset schedule takes effect, for the user who set it. */
export interface PresetFacts
  extends Pick<
    Facts,
    | 'digest'
    | 'rules'
    | 'approvers'
    | 'checks'
    | 'invalidOnApply'
    | 'foreignSegments'
    | 'conflicts'
    | 'overwrites'
    | 'freezes'
    | 'targets'
    | 'predecessor'
  > {
  readonly personGone: boolean
}

/** For the review, which describes the revision that it returns. */
export const returnedRevision: RevisionFacts = {
  matches: true,
  exists: true,
  forbidden: undefined,
  isStated: true,
  hasPreset: false,
  missesPreset: false,
  isSeen: true,
}

export interface DraftOrigin {
  /** The current flags behind them; undefined without a gateway. */
  readonly flags: FlagState | undefined
  readonly gatedMinimum: number | undefined
}

/** A call without options whose body is within the limits. */
export const wellFormedCall: CallFacts = {
  outdatedBases: [],
  excess: undefined,
  undecided: [],
  leavesNone: false,
  emptiedFields: [],
  partial: false,
  objectionId: null,
  at: null,
  waits: false,
  follows: false,
}

/** The facts that are known only when a step is decided: they are not gathered before. */
export type DecisionFact = 'revision' | 'expiry'

export type Fact = keyof Facts
