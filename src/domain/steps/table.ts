import { closedStates } from '../lifecycle'
import * as caller from './caller-rules'
import * as comment from './comment-rules'
import * as content from './content-rules'
import * as emergency from './emergency-rules'
import * as settle from './emergency-rules'
import type { Fact } from './facts'
import * as copy from './rebase-rules'
import * as rebase from './rebase-rules'
import * as revert from './rebase-rules'
import * as revision from './revision-rules'
import type { Rule } from './rule'
import * as state from './state-rules'

const isCurrent = [revision.isCurrentRevision] as const
const isSeen = [...isCurrent, revision.decidesOnSeenContent] as const

/** What a caller must state about the revision. `seesContent`: a step on other content is rejected, not decided again. */
export const revisionNeeds = {
  none: { rules: [], seesContent: false, seesPreset: false },
  any: { rules: isCurrent, seesContent: false, seesPreset: false },
  'any with bases': { rules: [...isCurrent, revision.basesAreCurrent], seesContent: false, seesPreset: false },
  seen: { rules: isSeen, seesContent: true, seesPreset: false },
  'seen with preset': { rules: [...isSeen, revision.seesPresetSchedule], seesContent: true, seesPreset: true },
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
  /** Checked first: no other facts are gathered for a caller who is denied. */
  readonly caller: readonly Rule[]
  readonly revision: keyof typeof revisionNeeds
  readonly input: readonly Rule[]
  readonly state: readonly Rule[]
  readonly decision: readonly Fact[]
}

const anyReader = [caller.permission('READ_CHANGE_REQUEST'), caller.hasUserId] as const

const fitting = [state.noConflicts, state.noOverwrites, state.gatewayConfigured] as const

const applyRules = {
  input: [content.isValidOnApply, content.segmentsInProject],
  state: [state.isReviewed('apply', 'Applied'), ...fitting],
} as const

/**
 * Everything that a user can do to a change request, and the rules of each step. These are the only rules: the review lists
 * their findings, and the step throws them (contract 12).
 */
export const stepTable = {
  edit: {
    arrival: 'stored',
    caller: authorOnly('edit its changes'),
    revision: 'any with bases',
    input: [content.isAcceptedProposal, content.withinLimits, content.isValidProposal],
    state: [state.notBeingApplied, state.isEditable],
    decision: ['gatedMinimum'],
  },
  submit: {
    arrival: 'stored',
    caller: authorOnly('submit it for review'),
    revision: 'any',
    input: [content.isValidOnSubmit, content.segmentsInProject],
    state: [state.notBeingApplied, state.transition('submit', 'In review'), state.hasChanges],
    decision: ['requiredApprovals', 'gatedMinimum'],
  },
  approve: {
    arrival: 'stored',
    caller: [
      caller.onlyForPeople(
        'approve',
        caller.permissionThroughout('APPROVE_CHANGE_REQUEST'),
        caller.hasUserId,
        caller.notOwnChangeRequest('approve'),
      ),
    ],
    revision: 'seen with preset',
    input: [],
    state: [state.notBeingApplied, state.isApprovable],
    decision: ['preset', 'votedChanges'],
  },
  reject: {
    arrival: 'stored',
    caller: [caller.mayReject, caller.hasUserId],
    revision: 'seen',
    input: [],
    state: [state.notBeingApplied, state.transition('reject', 'Rejected'), state.notApproved],
    decision: ['flags', 'votedChanges'],
  },
  cancel: {
    arrival: 'stored',
    caller: [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId, caller.isAuthorOrAdmin('cancel it')],
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, state.transition('cancel', 'Cancelled')],
    decision: ['flags', 'digest'],
  },
  discard: {
    arrival: 'stored',
    caller: authorOnly('discard it'),
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, state.isDraft],
    decision: [],
  },
  schedule: {
    arrival: 'stored',
    caller: [caller.permissionThroughout('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: 'seen',
    input: applyRules.input,
    state: [
      state.schedulerConfigured,
      state.notBeingApplied,
      state.isReviewed('schedule', 'Scheduled'),
      state.staysApproved,
      ...fitting,
      state.notFrozen,
    ],
    decision: ['flags', 'targets'],
  },
  presetSchedule: {
    arrival: 'stored',
    caller: [caller.permissionThroughout('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: 'seen',
    input: [state.onceApproved(content.isValidOnApply), state.onceApproved(content.segmentsInProject)],
    state: [
      state.schedulerExpected,
      state.notBeingApplied,
      state.isBeforeSchedule,
      state.onceApproved(state.staysApproved),
      state.onceApproved(state.noConflicts),
      state.onceApproved(state.noOverwrites),
      state.gatewayConfigured,
      state.notFrozen,
    ],
    decision: ['targets'],
  },
  withdrawPresetSchedule: {
    arrival: 'stored',
    caller: [caller.mayWithdrawPresetSchedule, caller.hasUserId],
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, state.isBeforeSchedule],
    decision: [],
  },
  /** What the last approval requires of a preset schedule: there is no caller. */
  scheduleOnApproval: {
    arrival: 'no caller',
    caller: [],
    revision: 'none',
    input: applyRules.input,
    state: [state.schedulerExpected, state.staysApproved, ...fitting, state.notFrozen],
    decision: ['targets'],
  },
  apply: {
    arrival: 'stored',
    interruptedApply: 'completes',
    caller: [caller.permissionThroughout('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: 'seen',
    input: applyRules.input,
    state: [state.notBeingApplied, ...applyRules.state, state.notFrozen],
    decision: ['flags'],
  },
  /** Applying a scheduled change request when it is time: there is no caller. */
  applyScheduled: {
    arrival: 'no caller',
    caller: [],
    revision: 'none',
    input: applyRules.input,
    state: applyRules.state,
    decision: ['flags', 'targets'],
  },
  applyInEmergency: {
    arrival: 'stored',
    interruptedApply: 'completes',
    caller: [
      caller.onlyForPeople(
        'bypass the approvals of',
        caller.permissionThroughout('SKIP_CHANGE_REQUEST'),
        caller.permissionThroughout('APPLY_CHANGE_REQUEST'),
        caller.hasUserId,
      ),
    ],
    revision: 'seen',
    input: applyRules.input,
    state: [
      emergency.emergenciesEnabled,
      state.notBeingApplied,
      emergency.notClosed,
      emergency.hasChangesToApply,
      ...fitting,
    ],
    // What an ordinary apply would miss is stored with it.
    decision: ['flags', 'digest', 'rules', 'approvers', 'expiry', 'freezes'],
  },
  settle: {
    arrival: 'stored',
    interruptedApply: 'keeps',
    caller: [caller.permission('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: 'any',
    input: [],
    state: [settle.hasAttempt, settle.isInterrupted, settle.outcomeIsKnown],
    decision: [],
  },
  acknowledge: {
    arrival: 'stored',
    caller: [
      caller.onlyForPeople(
        'acknowledge',
        caller.permissionThroughout('APPROVE_CHANGE_REQUEST'),
        caller.hasUserId,
        emergency.notOwnEmergency,
      ),
    ],
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, emergency.needsAcknowledgement],
    decision: [],
  },
  rebase: {
    arrival: 'stored',
    caller: authorOnly('rebase it'),
    revision: 'any',
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
    arrival: 'stored',
    caller: [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId],
    revision: 'any',
    input: [revert.isRevertEnabled, revert.isRevertValid],
    state: [revert.isApplied, rebase.noOtherOpen('Applied'), revert.isReversible],
    decision: ['options', 'requiredApprovals', 'revertOrigin'],
  },
  copy: {
    arrival: 'stored',
    caller: [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId],
    revision: 'any',
    input: [copy.isCopyEnabled, copy.isCopyValid],
    state: [copy.isClosed, copy.hasChangesToCopy, rebase.noOtherOpen(...closedStates)],
    decision: ['options', 'requiredApprovals', 'copyOrigin'],
  },
  previewRevert: {
    arrival: 'no caller',
    caller: [],
    revision: 'none',
    input: [],
    state: [revert.isApplied],
    decision: ['possibleRevert'],
  },
  add: {
    arrival: 'proposal',
    // The open change request of the caller is always their own.
    caller: [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId],
    revision: 'any with bases',
    input: [content.isEnabled, content.isAcceptedProposal, content.withinLimits, content.isValidProposal],
    state: [state.notBeingApplied, state.isEditable],
    decision: ['requiredApprovals', 'gatedMinimum'],
  },
  discardChange: {
    arrival: 'stored',
    caller: authorOnly('discard its changes'),
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, state.isEditable, state.keepsOneAfterDraft],
    decision: ['gatedMinimum'],
  },
  comment: {
    arrival: 'stored',
    caller: anyReader,
    revision: 'any',
    input: [content.withinLimits],
    state: [state.notBeingApplied],
    decision: [],
  },
  editComment: {
    arrival: 'stored',
    caller: [...anyReader, comment.isCommentAuthor('edit')],
    revision: 'any',
    input: [content.withinLimits],
    state: [state.notBeingApplied, comment.isDiscussionOpen, comment.isUnanswered],
    decision: [],
  },
  deleteComment: {
    arrival: 'stored',
    caller: [...anyReader, comment.isCommentAuthor('delete')],
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, comment.isDiscussionOpen, comment.isUnanswered],
    decision: [],
  },
  resolveComment: {
    arrival: 'stored',
    caller: [...anyReader, comment.mayResolve],
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, comment.isDiscussionOpen],
    decision: [],
  },
  rename: {
    arrival: 'stored',
    caller: [caller.maySetDetails('set its title'), caller.hasUserId],
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, state.isTitleEditable],
    decision: [],
  },
  requestApprovers: {
    arrival: 'stored',
    caller: [caller.maySetDetails('request approvers'), caller.hasUserId],
    revision: 'any',
    input: [],
    state: [state.notBeingApplied, state.isBeforeApproval],
    decision: ['reviewers'],
  },
} as const satisfies { readonly [step: string]: StepDefinition }

function authorOnly(what: string) {
  return [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId, caller.isAuthor(what)] as const
}

export type Step = keyof typeof stepTable

export type StoredStep = {
  [S in Step]: (typeof stepTable)[S]['arrival'] extends 'stored' ? S : never
}[Step]
