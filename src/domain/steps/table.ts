import { closedStates } from '../lifecycle'
import * as caller from './caller-rules'
import * as comment from './comment-rules'
import * as content from './content-rules'
import * as fields from './custom-field-rules'
import * as emergency from './emergency-rules'
import type { Fact } from './facts'
import * as follow from './follow-rules'
import * as objection from './objection-rules'
import * as rebase from './rebase-rules'
import * as report from './report-rules'
import { readyFacts } from './requirements'
import * as revision from './revision-rules'
import type { Rule } from './rule'
import * as state from './state-rules'

const isCurrent = [revision.isCurrentRevision] as const
const isSeen = [...isCurrent, revision.decidesOnSeenContent] as const

/**
 * What a caller must state about the revision. `readsDigest`: a digest in the body is compared with the current one;
 * `seesContent`: in addition, a step on other content is rejected, not decided again.
 */
export const revisionNeeds = {
  none: { rules: [], readsDigest: false, seesContent: false, seesPreset: false },
  any: { rules: isCurrent, readsDigest: false, seesContent: false, seesPreset: false },
  'any with bases': {
    rules: [...isCurrent, revision.basesAreCurrent],
    readsDigest: false,
    seesContent: false,
    seesPreset: false,
  },
  compared: { rules: isCurrent, readsDigest: true, seesContent: false, seesPreset: false },
  seen: { rules: isSeen, readsDigest: true, seesContent: true, seesPreset: false },
  'seen by check': {
    rules: [report.isKnownCheck, ...isSeen],
    readsDigest: true,
    seesContent: true,
    seesPreset: false,
  },
  'seen with preset': {
    rules: [...isCurrent, revision.approvesSeenContent, revision.seesPresetSchedule],
    readsDigest: true,
    seesContent: true,
    seesPreset: true,
  },
  lift: { rules: [...isCurrent, objection.liftSeesPreset], readsDigest: false, seesContent: false, seesPreset: true },
  dismissal: {
    rules: [...isCurrent, objection.dismissalSeesPreset],
    readsDigest: false,
    seesContent: false,
    seesPreset: true,
  },
} as const

/** The rules of a step by stage, in the order of their messages, and the further facts that its decision needs. */
export interface StepDefinition {
  /** What it begins with: a stored change request, a proposal of changes, or neither, because there is no caller. */
  readonly arrival: 'stored' | 'proposal' | 'no caller'
  /**
   * What an interrupted apply means for it. By default it is settled first; `completes`: if it had succeeded, the step is
   * complete; `keeps`: settling it is the step.
   */
  readonly interruptedApply?: 'completes' | 'keeps'
  /** Whether only its snapshots need the current flags: it goes on if they cannot be read, unless the caller states a digest. */
  readonly flagsAreOptional?: true
  /** Checked first: no other facts are gathered for a caller who is denied. */
  readonly caller: readonly Rule[]
  readonly revision: keyof typeof revisionNeeds
  readonly input: readonly Rule[]
  readonly state: readonly Rule[]
  readonly decision: readonly Fact[]
}

const anyReader = [caller.permission('READ_CHANGE_REQUEST'), caller.hasUserId] as const

const creator = [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId] as const
const approver = [caller.permissionThroughout('APPROVE_CHANGE_REQUEST'), caller.hasUserId] as const
const applier = [caller.permissionThroughout('APPLY_CHANGE_REQUEST'), caller.hasUserId] as const

const fitting = [state.noConflicts, state.noOverwrites, state.gatewayConfigured] as const

const stored = { arrival: 'stored', revision: 'any', input: [], decision: [] } as const
const withoutCaller = { arrival: 'no caller', caller: [], revision: 'none', input: [] } as const

const applyRules = {
  input: [content.isValidOnApply, content.segmentsInProject],
  state: [state.isReviewed('apply', 'Applied'), report.checksPassed, objection.noObjections, ...fitting],
} as const

/** What an apply leaves in its event depends on these, and on its approvals. */
const traced = ['flags', 'overwritten', 'policyDigest', 'freezes', 'options'] as const

/** The only rules of all steps: the review lists their findings, and the step throws them (contract 12). */
export const stepTable = {
  edit: {
    ...stored,
    caller: authorOnly('edit its changes'),
    revision: 'any with bases',
    input: [content.isAcceptedProposal, content.withinLimits, content.isValidProposal],
    state: [state.notBeingApplied, state.isEditable],
    decision: ['gatedMinimum'],
  },
  submit: {
    ...stored,
    caller: authorOnly('submit it for review'),
    input: [content.isValidOnSubmit, content.segmentsInProject],
    state: [
      state.notBeingApplied,
      state.transition('submit', 'In review'),
      state.hasChanges('review'),
      fields.hasRequiredFields,
    ],
    decision: ['requiredApprovals', 'gatedMinimum', 'options'],
  },
  approve: {
    ...stored,
    caller: [caller.onlyForPeople('approve', ...approver, caller.notOwnChangeRequest('approve'))],
    revision: 'seen with preset',
    state: [state.notBeingApplied, state.isApprovable],
    decision: ['preset', 'votedChanges', 'options'],
  },
  reject: {
    ...stored,
    caller: [caller.mayReject, caller.hasUserId],
    revision: 'seen',
    state: [state.notBeingApplied, state.transition('reject', 'Rejected'), state.notApproved],
    flagsAreOptional: true,
    decision: ['flags', 'votedChanges', 'options'],
  },
  object: {
    ...stored,
    // It is stored with the attempt and blocks the next one.
    interruptedApply: 'keeps',
    caller: [caller.onlyForPeople('object to', objection.mayObject, caller.hasUserId)],
    revision: 'compared',
    state: [objection.isStoppable],
    flagsAreOptional: true,
    decision: ['options'],
  },
  liftObjection: {
    ...stored,
    caller: [caller.onlyForPeople('lift an objection to', ...anyReader)],
    revision: 'lift',
    state: [state.notBeingApplied, objection.isStoppable, objection.hasObjected],
    decision: ['preset', 'options'],
  },
  dismissObjection: {
    ...stored,
    caller: [caller.onlyForPeople('dismiss an objection to', objection.mayDismiss, caller.hasUserId)],
    revision: 'dismissal',
    state: [state.notBeingApplied, objection.isStoppable, objection.isDismissible],
    decision: ['preset', 'options'],
  },
  takeBackApproval: {
    ...stored,
    caller: [caller.onlyForPeople('take back an approval of', ...anyReader)],
    state: [state.notBeingApplied, objection.isStoppable, objection.hasStoredApproval],
    decision: ['options'],
  },
  cancel: {
    ...stored,
    caller: [...creator, caller.isAuthorOrAdmin('cancel it')],
    state: [state.notBeingApplied, state.transition('cancel', 'Cancelled')],
    flagsAreOptional: true,
    decision: ['flags', 'digest', 'options'],
  },
  discard: {
    ...stored,
    caller: authorOnly('discard it'),
    state: [state.notBeingApplied, state.isDraft],
  },
  schedule: {
    ...stored,
    caller: applier,
    revision: 'seen',
    input: applyRules.input,
    state: [
      state.schedulerConfigured,
      state.notBeingApplied,
      state.isReviewed('schedule', 'Scheduled'),
      state.staysApproved,
      objection.noObjections,
      ...fitting,
      state.notFrozen,
      follow.canFollow,
    ],
    decision: ['flags', 'targets', 'options'],
  },
  presetSchedule: {
    ...stored,
    caller: applier,
    revision: 'seen',
    input: [state.onceReady(...applyRules.input)],
    state: [
      state.schedulerExpected,
      state.notBeingApplied,
      state.isBeforeSchedule,
      state.onceReady(state.staysApproved, state.noConflicts, state.noOverwrites),
      state.gatewayConfigured,
      state.notFrozen,
      follow.canFollow,
    ],
    decision: ['targets'],
  },
  withdrawPresetSchedule: {
    ...stored,
    caller: [caller.mayWithdrawPresetSchedule, caller.hasUserId],
    state: [state.notBeingApplied, state.isBeforeSchedule],
  },
  reportCheck: {
    ...stored,
    caller: [caller.permissionThroughout('REPORT_CHECK'), report.meetsSources, caller.hasUserId, report.isUninvolved],
    revision: 'seen by check',
    state: [state.notBeingApplied, report.isReportable],
    decision: ['preset', 'options', 'digest', 'checks'],
  },
  /** What a preset schedule requires when the change request is ready: there is no caller. */
  scheduleOnceReady: {
    ...withoutCaller,
    input: applyRules.input,
    state: [state.schedulerExpected, state.staysApproved, ...fitting, state.notFrozen, follow.canStillFollow],
    decision: ['targets', 'checks'],
  },
  apply: {
    ...stored,
    interruptedApply: 'completes',
    caller: applier,
    revision: 'seen',
    input: applyRules.input,
    state: [state.notBeingApplied, ...applyRules.state, state.notFrozen],
    decision: traced,
  },
  /** Applying a scheduled change request when it is time: there is no caller. */
  applyScheduled: {
    ...withoutCaller,
    ...applyRules,
    decision: [...traced, 'targets'],
  },
  applyInEmergency: {
    ...stored,
    interruptedApply: 'completes',
    caller: [
      caller.onlyForPeople('bypass the approvals of', caller.permissionThroughout('SKIP_CHANGE_REQUEST'), ...applier),
    ],
    revision: 'seen',
    input: applyRules.input,
    state: [
      emergency.emergenciesEnabled,
      state.notBeingApplied,
      emergency.notClosed,
      state.hasChanges('apply'),
      ...fitting,
    ],
    // What an ordinary apply would miss is stored with it.
    decision: [...traced, ...readyFacts],
  },
  settle: {
    ...stored,
    interruptedApply: 'keeps',
    caller: [caller.permission('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    state: [emergency.hasAttempt, emergency.isInterrupted, emergency.outcomeIsKnown],
  },
  acknowledge: {
    ...stored,
    caller: [caller.onlyForPeople('acknowledge', ...approver, emergency.notOwnEmergency)],
    state: [state.notBeingApplied, emergency.needsAcknowledgement],
    decision: ['options'],
  },
  rebase: {
    ...stored,
    caller: authorOnly('rebase it'),
    input: [content.withinLimits],
    state: [
      state.notBeingApplied,
      rebase.isRebasable,
      rebase.noOtherOpen('Scheduled'),
      rebase.decidesOnOverwrites,
      rebase.keepsAChange,
    ],
    decision: ['flags', 'gatedMinimum'],
  },
  revert: {
    ...stored,
    caller: creator,
    input: [rebase.enabledIn('Applied', 'Scheduled'), rebase.isRevertValid],
    state: [rebase.isRevertible, rebase.noOtherOpen('Applied', 'Scheduled'), rebase.isReversible],
    decision: ['options', 'requiredApprovals', 'revertOrigin'],
  },
  copy: {
    ...stored,
    caller: creator,
    input: [rebase.enabledIn(...closedStates), rebase.isCopyValid],
    state: [rebase.isClosed, state.hasChanges('copy', closedStates), rebase.noOtherOpen(...closedStates)],
    decision: ['options', 'requiredApprovals', 'copyOrigin', 'customFields'],
  },
  previewRevert: {
    ...withoutCaller,
    state: [rebase.isRevertible],
    decision: ['possibleRevert'],
  },
  add: {
    arrival: 'proposal',
    // The open change request of the caller is always their own.
    caller: creator,
    revision: 'any with bases',
    input: [content.isEnabled, content.isAcceptedProposal, content.withinLimits, content.isValidProposal],
    state: [state.notBeingApplied, state.isEditable],
    decision: ['requiredApprovals', 'gatedMinimum'],
  },
  discardChange: {
    ...stored,
    caller: authorOnly('discard its changes'),
    state: [state.notBeingApplied, state.isEditable, state.keepsOneAfterDraft],
    decision: ['gatedMinimum'],
  },
  comment: {
    ...stored,
    caller: anyReader,
    input: [content.withinLimits],
    state: [state.notBeingApplied],
  },
  editComment: {
    ...stored,
    caller: [...anyReader, comment.isCommentAuthor('edit')],
    input: [content.withinLimits],
    state: [state.notBeingApplied, comment.isDiscussionOpen, comment.isUnanswered],
  },
  deleteComment: {
    ...stored,
    caller: [...anyReader, comment.isCommentAuthor('delete')],
    state: [state.notBeingApplied, comment.isDiscussionOpen, comment.isUnanswered],
  },
  resolveComment: {
    ...stored,
    caller: [...anyReader, comment.mayResolve],
    state: [state.notBeingApplied, comment.isDiscussionOpen],
  },
  rename: {
    ...stored,
    caller: [caller.maySetDetails('set its title'), caller.hasUserId],
    state: [state.notBeingApplied, state.isTitleEditable],
  },
  setCustomFields: {
    ...stored,
    caller: authorOnly('set its custom fields'),
    state: [state.notBeingApplied, state.isBeforeApproval('Custom fields can be set'), fields.keepsRequiredFields],
  },
  requestApprovers: {
    ...stored,
    caller: [caller.maySetDetails('request approvers'), caller.hasUserId],
    state: [state.notBeingApplied, state.isBeforeApproval('Approvers can be requested')],
    decision: ['reviewers'],
  },
} as const satisfies { readonly [step: string]: StepDefinition }

function authorOnly(what: string) {
  return [...creator, caller.isAuthor(what)] as const
}

export type Step = keyof typeof stepTable

export type StoredStep = {
  [S in Step]: (typeof stepTable)[S]['arrival'] extends 'stored' ? S : never
}[Step]
