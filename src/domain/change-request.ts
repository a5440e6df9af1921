import type { Action, CheckStatus, RuleCauseView } from '../generated/index'
import type { State } from './lifecycle'

/** Any value that JSON can hold, such as the payload of a change. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/**
 * A caller that is no person: a program with fixed work, or an AI agent. Machines propose and apply, but never count as
 * reviewers (contract 23).
 */
export type MachineKind = 'service' | 'agent'

/** Who did something, stored with it so that it is still readable after the user is deleted (contract 5.2). */
export interface Person extends Machine {
  /** The id of the user. */
  readonly id: number
  /** The user's name, else the e-mail address, else the login name; null if there is none. */
  readonly username: string | null
  /** URL of a picture. */
  readonly imageUrl: string | null
}

/** What is stored about a machine; empty for a person. */
export interface Machine {
  /** Absent for a person. */
  readonly kind?: MachineKind
  /** The person for whom the machine acted; absent for none. */
  readonly onBehalfOf?: { readonly id: number; readonly username: string | null }
}

/** The author of a step, as stored: the person for the change request, the signature for the log. */
export interface Author {
  /** Shown with change requests, votes and comments. */
  readonly person: Person
  /** `createdBy` of the events: e-mail, else username, else `unknown` (contract 8.3). */
  readonly signature: string
  /** Null unless the host app enables IP addresses in the log. */
  readonly ip: string | null
}

/** A change as a caller proposes it, after validation. */
export interface NewChange {
  /** What it does. */
  readonly action: Action
  /** The flag; null for the two segment actions. */
  readonly feature: string | null
  /** `{}` if the action has none. */
  readonly payload: JsonValue
}

/** A change with what only its proposal says; it is not stored. */
export interface ProposedChange extends NewChange {
  /** The digest of the part of its target that the caller saw; absent if the caller did not say. */
  readonly expected?: string
}

/** A change in a stored change request. Ids come from one sequence for all change requests. */
export interface Change extends NewChange {
  /** The id of the change; an edit gives it a new one. */
  readonly id: number
  /** The id that it had before it was last edited; absent if it never was. */
  readonly replaces?: number
  /**
   * The part of the target that the action can alter, as it was when the change was added or edited: null if it did not
   * exist, absent if unknown. Once the change request is closed, as it was then, and only if there is no `snapshot`.
   */
  readonly base?: JsonValue
  /** Hash of the base, for the digest that votes are bound to. Unlike the base it is kept when the change request is closed. */
  readonly baseHash?: string
  /** When a rebase last replaced the base; absent if the base is as old as the change. */
  readonly rebasedAt?: string
  /** The target as it was when the change request was closed; absent while it is open, if unknown, or if clients do not get it. */
  readonly snapshot?: JsonValue
  /** The id that the flag store gave to what the change added; absent if the gateway did not report it. */
  readonly created?: string
  /** The ids of the strategies that it switched on without naming them. */
  readonly activated?: readonly string[]
  /**
   * Only in a revert: the part of the target that it restores, as it was before the reverted change. Validators compare the
   * change with it, because a revert is never invalid for what the target had.
   */
  readonly restores?: JsonValue
  /** Who added it, or edited it last. */
  readonly createdBy: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
}

/** An implied change: applied although nobody submitted it (contract 5.5), as it is stored. */
export interface AppliedDefault extends NewChange, Pick<Change, 'snapshot' | 'base' | 'created'> {}

/** An approval or a rejection as it is stored. */
export interface Vote {
  /** Who voted. */
  readonly createdBy: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** The digest of the changes that were voted on; names one of {@link ChangeRequest.votedContents}. */
  readonly digest: string
  /** The groups of the voter at that time; absent for none. Approval rules count by them. */
  readonly groups?: readonly string[]
}

/** The changes that users voted on, once for all votes with the same digest. */
export interface VotedContent {
  /** The digest of these votes. */
  readonly digest: string
  /** The changes as they were then. */
  readonly changes: readonly VotedChange[]
}

/** A change as it was when a user voted on it. */
export interface VotedChange {
  /** The id of the change; after the votes were voided, that of the change that replaced it. */
  readonly id: number
  /** The first 128 bits of the digest of its content and base at the time of the vote, in hexadecimal digits. */
  readonly digest: string
}

/** An approval that no longer counts: an edit or a rebase of the changes removed it, or the voter did. */
export interface VoidedApproval {
  /** Whose approval it was. */
  readonly by: Person
  /** When it was voided: UTC, ISO 8601 with milliseconds. */
  readonly at: string
  /** What voided it. `objected`: the voter objected; `taken-back`: the voter took it back. */
  readonly cause: 'edit' | 'rebase' | 'objected' | 'taken-back'
  /** Who did that. */
  readonly causedBy: Person
  /** The vote as it was; absent if an earlier version voided it. */
  readonly vote?: Omit<Vote, 'createdBy' | 'groups'>
}

/** An objection: while it is open, the change request can be applied only in an emergency. */
export interface Objection {
  /** The number of the objection in this change request. */
  readonly id: number
  /** Who objected. */
  readonly by: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string
  /** Up to 10,000 characters; cut if the objections together have too much text. */
  readonly text: string
  /** True if the changes are not those that the user objected to. */
  readonly outdated?: true
  /** How it ended; absent while it is open. */
  readonly ended?: ObjectionEnding
}

/** How an objection ended. */
export interface ObjectionEnding {
  /**
   * `applied`: an apply that had begun before it succeeded; `approved`: the user who objected approved; `closed`: the change
   * request was rejected or cancelled; `replaced`: the user objected again.
   */
  readonly how: 'lifted' | 'approved' | 'dismissed' | 'replaced' | 'applied' | 'closed' | 'emergency'
  /** Who ended it. */
  readonly by: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string
  /** Only if it was dismissed: 10 to 1,000 characters. */
  readonly reason?: string
}

/**
 * What a change request needed and had when it was closed, so that it is not judged again by later flags, rules and users.
 */
export interface ApprovalRecord {
  /** The digest of everything that was or would have been applied, implied changes included. */
  readonly digest: string
  /** The approval rules that matched; absent unless it was applied. */
  readonly rules?: readonly RecordedRule[]
  /** The ids of the users whose approvals counted; absent unless it was applied. */
  readonly counted?: readonly number[]
  /** The checks that matched, in the order of the option; absent for none, and unless it was applied. */
  readonly checks?: readonly RecordedCheck[]
}

/** An approval rule as it was when a change request was applied. */
export interface RecordedRule {
  /** The name of the rule. */
  readonly name: string
  /** The environment whose rule it is. */
  readonly environment: string
  /** The number of approvals that it needs. */
  readonly approvals: number
  /** Whose approvals count; absent for everyone who can approve. */
  readonly from?: { readonly groups?: readonly string[]; readonly users?: readonly number[] }
  /** Absent for a rule that was enforced. */
  readonly mode?: 'trial'
  /** What made it match, at most 5; absent for nothing in particular. */
  readonly because?: readonly RuleCauseView[]
}

/** A check that matches a change request. */
export interface RecordedCheck {
  /** The name of the check. */
  readonly name: string
  /** Whether it must have passed. */
  readonly required: boolean
  /** What it checks; absent for none. */
  readonly description?: string
  /** Absent for a check that was enforced. */
  readonly mode?: 'trial'
}

/** The result of a check, as it was reported for the content with a digest. */
export interface CheckReport {
  /** The name of the check. */
  readonly name: string
  /** Only `passed` counts. */
  readonly status: CheckStatus
  /** The digest of everything that would have been applied. */
  readonly digest: string
  /** The result in words, 1 to 1,000 characters; absent for none. */
  readonly summary?: string
  /** An https address that explains the result; absent for none. */
  readonly url?: string
  /** Who reported it. */
  readonly by: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string
}

/** Who closed a change request, and what it needed and had at that time. */
export interface Ending extends Partial<ApprovalRecord> {
  /** Who applied, rejected or cancelled it; for a scheduled apply, who scheduled it. */
  readonly by: Person
  /** The comment that was sent with that step; absent without one. */
  readonly commentId?: number
  /** True if the scheduler applied it. */
  readonly scheduled?: true
}

/** A comment as it is stored. */
export interface Comment {
  /** The number of the comment in this change request, deleted ones included. Only the last 100 deleted ones are stored. */
  readonly id: number
  /** 1 to 10,000 characters; null once it is deleted. */
  readonly text: string | null
  /** Who wrote it. */
  readonly createdBy: Person
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** The change it is about, even if that was discarded; absent for a comment on the whole change request. */
  readonly changeId?: number
  /** When its author last edited it: UTC, ISO 8601 with milliseconds. Absent if never. */
  readonly editedAt?: string
  /** When its author deleted it: UTC, ISO 8601 with milliseconds. Absent while it has a text. */
  readonly deletedAt?: string
  /** Who resolved it, and when; absent while it is open. */
  readonly resolved?: { readonly by: Person; readonly at: string }
}

/** An apply attempt that has begun and whose result is not stored yet. */
export interface ApplyAttempt extends ApprovalRecord {
  /** The idempotency key that the {@link FlagGateway} received. */
  readonly applyId: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly startedAt: string
  /** The comment of the request; absent without one. */
  readonly comment?: string
  /** Who applies it; for a scheduled change request, who scheduled it. */
  readonly by: Author
  /** What it leaves in its event once it succeeded; absent for nothing. */
  readonly trace?: ApplyTrace
  /** True if the scheduler applies it. */
  readonly scheduled?: true
}

/**
 * What an apply leaves in `data` of change-request-applied. It is stored with the attempt, so that an interrupted apply leaves
 * the same. Without the option `applyTrace` it has only `emergency`, `checks`, `trial`, `comment` and `title`.
 */
export interface ApplyTrace {
  /** Absent unless it was applied before its approval. */
  readonly emergency?: EmergencyTrace
  /** The checks that matched, in the order of the option; absent for none. */
  readonly checks?: readonly TracedCheck[]
  /** The rules, freezes and checks on trial that matched, in this order; absent for none. */
  readonly trial?: readonly TrialResult[]
  /** The approvals that counted, oldest first. */
  readonly approvals?: readonly CountedApproval[]
  /** All requirements, the minimum of the environment first. */
  readonly requirements?: readonly RecordedRequirement[]
  /** The newer edits that it overwrote, at most 100; absent for none. */
  readonly overwrote?: readonly OverwrittenField[]
  /** True without a flag gateway: the host app applies the changes. */
  readonly recordOnly?: true
  /**
   * SHA-256 of the rules, checks and freezes of the project and environments at that moment, freezes that are not in force included; 64
   * hexadecimal digits. Equal for equal ones.
   */
  readonly policy?: string
  /** The comment of the apply, with the option `logComments`; absent for none. */
  readonly comment?: string
  /** The title, with the option `logComments`; absent if no user set one. */
  readonly title?: string
}

/** What a rule, a freeze or a check on trial would have done when a change request was applied. */
export interface TrialResult {
  /** What is on trial. */
  readonly kind: 'rule' | 'freeze' | 'check'
  /** Its name. */
  readonly name: string
  /** Whether the apply was in accordance with it: false if it would have blocked the apply. A freeze in force is never met. */
  readonly met: boolean
}

/** A check that matched when a change request was applied. */
export interface TracedCheck extends Pick<RecordedCheck, 'name' | 'required'> {
  /** The status of its last report for what was applied; null without one, as all of the report. */
  readonly status: CheckStatus | null
  /** Who reported it, with the name at that time. */
  readonly reportedBy: (Pick<Person, 'id' | 'username'> & { readonly kind: 'person' | MachineKind }) | null
  /** UTC, ISO 8601 with milliseconds. */
  readonly reportedAt: string | null
}

/** An approval that counted when a change request was applied. */
export interface CountedApproval {
  /** Who approved it, with the name at that time. */
  readonly by: Pick<Person, 'id' | 'username'>
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string
  /** The names of the approval rules that it counted for. */
  readonly rules: readonly string[]
}

/** A requirement when a change request was applied. */
export interface RecordedRequirement {
  /** The name of the approval rule; `minimum` for the minimum of the environment. */
  readonly name: string
  /** The environment whose rule it is; null for the minimum. */
  readonly environment: string | null
  /** The number of approvals that it needs. */
  readonly approvals: number
  /** The number of approvals that it had. */
  readonly given: number
}

/** A field with a newer edit that an apply overwrote: of a flag, or of a segment. */
export type OverwrittenField = ({ readonly feature: string } | { readonly segment: number }) & {
  /** JSON pointer into the flag or segment, of at most 1,000 characters. */
  readonly path: string
}

/** Why a change request was applied before its approval, and what was missing. */
export interface EmergencyTrace {
  /** 10 to 1,000 characters. */
  readonly reason: string
  /** The requirements that were not met, the freezes in force, the required checks that had not passed and the open objections. */
  readonly missing: readonly (MissingApprovals | BypassedFreeze | MissingCheck | BypassedObjection)[]
}

/** A requirement that an emergency did not meet. */
export interface MissingApprovals {
  /** Absent if an earlier version stored it. */
  readonly code?: 'missing-approvals'
  /** The name of the requirement. */
  readonly name: string
  /** The number of approvals that it needs. */
  readonly approvals: number
  /** The number of approvals that it had. */
  readonly given: number
}

/** A freeze that was in force at an emergency. */
export interface BypassedFreeze {
  /** Always `frozen`. */
  readonly code: 'frozen'
  /** The name of the freeze. */
  readonly name: string
  /** When it ends: UTC, ISO 8601 with milliseconds. Null without an end. */
  readonly until: string | null
}

/** A required check that had not passed at an emergency. */
export interface MissingCheck {
  /** Always `missing-check`. */
  readonly code: 'missing-check'
  /** The name of the check. */
  readonly name: string
  /** The status of its last report for what was applied; null without one. */
  readonly status: CheckStatus | null
}

/** An objection that was open at an emergency. */
export interface BypassedObjection {
  /** Always `objection`. */
  readonly code: 'objection'
  /** The name of the user who objected. */
  readonly name: string
  /** Who objected. */
  readonly by: { readonly id: number; readonly username: string | null }
  /** When the user objected: UTC, ISO 8601 with milliseconds. */
  readonly at: string
}

/** An apply before its approval, which another user must acknowledge. */
export interface Emergency extends EmergencyTrace {
  /** Who applied it. */
  readonly appliedBy: Person
  /** Who acknowledged it, and when; null until then. */
  readonly acknowledgement: { readonly createdBy: Person; readonly createdAt: string } | null
}

/** When the scheduler applies a change request, and whether it will. */
export interface Schedule {
  /** UTC, ISO 8601 with milliseconds. */
  readonly scheduledAt: string
  /** `failed`: the apply failed; `suspended`: it will not be applied. */
  readonly status: 'pending' | 'failed' | 'suspended'
  /** Why it failed or was suspended; null while pending. */
  readonly reason: string | null
}

/** On whose behalf a scheduled change request is applied, and the state of its targets when it was scheduled. */
export interface Scheduling {
  /** Who scheduled it last. */
  readonly by: Author
  /** A digest of what each change can alter, by the id of the change; absent for a change whose target is unknown. */
  readonly targets: { readonly [changeId: string]: string }
  /** Why it has to wait although it is due; absent if it does not. */
  readonly held?: Hold
  /** When the last hold ended: UTC, ISO 8601 with milliseconds. Absent without one. */
  readonly holdEndedAt?: string
  /** The id of its predecessor: the change request that it follows. Absent for none. */
  readonly follows?: number
  /** How many minutes after its predecessor it is applied. Absent if it has a time of its own, and once that is known. */
  readonly minutesAfter?: number
  /** When its predecessor was applied: UTC, ISO 8601 with milliseconds. Absent while it waits, and without a predecessor. */
  readonly predecessorAppliedAt?: string
}

/** A schedule that a user set before the last approval, which then schedules the change request. */
export interface PresetSchedule {
  /** UTC, ISO 8601 with milliseconds. Null for the moment of the approval. With `minutesAfter` the time when it was set. */
  readonly scheduledAt: string | null
  /** The id of the change request that the schedule follows; absent for none. */
  readonly after?: number
  /** How many minutes after that one; absent if it has a time of its own. */
  readonly minutesAfter?: number
  /** Who set it. */
  readonly by: Author
  /** When it was set: UTC, ISO 8601 with milliseconds. */
  readonly at: string
  /** From this time on it has no effect: UTC, ISO 8601 with milliseconds. */
  readonly expiresAt: string
  /** Why it has no effect; absent while it has one, and after it expired. */
  readonly withdrawn?: WithdrawnSchedule
}

/** How a preset schedule ended. */
export interface WithdrawnSchedule {
  /** Null if no user ended it. */
  readonly by: Person | null
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string
  /** What ended it. */
  readonly cause: 'user' | 'edit' | 'rebase' | 'closed' | 'expired' | 'person-gone'
}

/** A value of a custom field, as an author set it. */
export interface CustomField {
  /** The name of the field. */
  readonly name: string
  /** Never a blank text. */
  readonly value: string | number | boolean
  /** Who set this value. */
  readonly by: Person
  /** When it was set: UTC, ISO 8601 with milliseconds. */
  readonly at: string
  /** True if the inbox finds the change request by it. */
  readonly searchable?: true
}

/** A freeze that delays a scheduled change request. */
export interface Hold {
  /** The name of the freeze. */
  readonly by: string
  /** When it ends: UTC, ISO 8601 with milliseconds. Null without an end. */
  readonly until: string | null
}

/**
 * The aggregate: everything about one change request that is decided and stored together. It holds only JSON values, with
 * dates as ISO strings, so a {@link Storage} can store it as one text.
 */
export interface ChangeRequest {
  /** The id of the change request; from one sequence for all projects. */
  readonly id: number
  /** The project that its flags belong to. */
  readonly project: string
  /** The environment that it changes. */
  readonly environment: string
  /** Null until a user sets a title. */
  readonly title: string | null
  /** Its state. */
  readonly state: State
  /** Approvals needed, copied from the setting at creation; later settings do not change it (contract 3.3). */
  readonly minApprovals: number
  /**
   * Only while a change affects the whole project: the approvals needed without such a change. `minApprovals` is then the
   * highest minimum of all environments that have change requests enabled.
   */
  readonly ownMinApprovals?: number
  /** In the order of their ids. */
  readonly changes: readonly Change[]
  /** The custom fields of the host app that have a value; absent for none. */
  readonly customFields?: readonly CustomField[]
  /** Oldest first; an edit of the changes removes them. */
  readonly approvals: readonly Vote[]
  /** The last 50 approvals that were removed, oldest first; absent for none. */
  readonly voidedApprovals?: readonly VoidedApproval[]
  /** All open objections and the last 50 that ended, by id; absent for none. */
  readonly objections?: readonly Objection[]
  /** Oldest first. */
  readonly rejections: readonly Vote[]
  /** What these votes, voided ones included, were for, the last vote last. Absent for none; old ones are dropped. */
  readonly votedContents?: readonly VotedContent[]
  /**
   * The last report of each check and the ten before it, oldest first for each; an edit of the changes removes them. Absent for
   * none.
   */
  readonly checkReports?: readonly CheckReport[]
  /** Oldest first. */
  readonly comments: readonly Comment[]
  /**
   * The id of the last comment at the last vote or change of the state, its own comment included: up to it, comments can no
   * longer be edited. Absent for none.
   */
  readonly finalComments?: number
  /** User ids; advisory. */
  readonly requestedApprovers: readonly number[]
  /** Its author. */
  readonly createdBy: Person
  /**
   * The ids of its other authors: users who added or edited a change, or for whom a machine did, even if that change was
   * discarded since. Nobody is ever removed; absent for none.
   */
  readonly otherAuthors?: readonly number[]
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** When it was last changed, by the clock of the router; never earlier than before, nor than any of its events. */
  readonly updatedAt: string
  /** The latest entry into each state. */
  readonly stateTimestamps: { readonly [state in State]?: string }
  /** Null unless the state is Scheduled. */
  readonly schedule: Schedule | null
  /** Only in the state Scheduled. */
  readonly scheduling?: Scheduling
  /** A schedule that was set before the last approval; absent for none, and after it was scheduled or applied. */
  readonly presetSchedule?: PresetSchedule
  /** Only while a flag gateway without a shared transaction applies it. */
  readonly applying?: ApplyAttempt | null
  /** Only if it was applied before its approval. */
  readonly emergency?: Emergency
  /** Only in the state Applied: the implied changes that were applied with it; absent for none. */
  readonly defaultChanges?: readonly AppliedDefault[]
  /** Only once it is closed. */
  readonly ended?: Ending
  /** The id of the change request that this one copies. */
  readonly copies?: number
  /** The id of the change request that this one reverts. */
  readonly reverts?: number
  /** Digests of the changes by which it reverts that one, as they were proposed: it counts while it has an equal change for each. */
  readonly restores?: readonly string[]
}
