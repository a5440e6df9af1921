import { closedStates } from '../lifecycle'
import * as caller from './caller-rules'
import * as comment from './comment-rules'
import * as content from './content-rules'
import * as copy from './copy-rules'
import * as emergency from './emergency-rules'
import type { Fact } from './facts'
import * as rebase from './rebase-rules'
import * as revert from './revert-rules'
import * as revision from './revision-rules'
import type { Rule } from './rule'
import * as settle from './settle-rules'
import * as state from './state-rules'

/** The rules of a step by stage, in the order of their messages, and the further facts that its decision needs. */
export interface StepDefinition {
  /** Checked first: no other facts are gathered for a caller who is denied. */
  readonly caller: readonly Rule[]
  readonly revision: readonly Rule[]
  readonly input: readonly Rule[]
  readonly state: readonly Rule[]
  readonly decision: readonly Fact[]
}

const anyRevision = [revision.isCurrentRevision] as const
const seenRevision = [revision.isCurrentRevision, revision.decidesOnSeenContent] as const

const anyReader = [caller.permission('READ_CHANGE_REQUEST'), caller.hasUserId] as const

const fitting = [state.noConflicts, state.noOverwrites, state.gatewayConfigured] as const

/** The rules for applying, by a user or by a schedule. */
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
    caller: authorOnly('edit its changes'),
    revision: [...anyRevision, revision.basesAreCurrent],
    input: [content.isAcceptedProposal, content.withinLimits, content.isValidProposal],
    state: [state.notBeingApplied, state.isEditable],
    decision: ['gatedMinimum'],
  },
  submit: {
    caller: authorOnly('submit it for review'),
    revision: anyRevision,
    input: [content.isValidOnSubmit, content.segmentsInProject],
    state: [state.notBeingApplied, state.transition('submit', 'In review'), state.hasChanges],
    decision: ['requiredApprovals', 'gatedMinimum'],
  },
  approve: {
    caller: [
      caller.onlyForPeople(
        'approve',
        caller.permissionThroughout('APPROVE_CHANGE_REQUEST'),
        caller.hasUserId,
        caller.notOwnChangeRequest('approve'),
      ),
    ],
    revision: [...seenRevision, revision.seesPresetSchedule],
    input: [],
    state: [state.notBeingApplied, state.isApprovable],
    decision: ['preset', 'votedChanges'],
  },
  reject: {
    caller: [caller.mayReject, caller.hasUserId],
    revision: seenRevision,
    input: [],
    state: [state.notBeingApplied, state.transition('reject', 'Rejected'), state.notApproved],
    decision: ['flags', 'votedChanges'],
  },
  cancel: {
    caller: [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId, caller.isAuthorOrAdmin('cancel it')],
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, state.transition('cancel', 'Cancelled')],
    decision: ['flags', 'digest'],
  },
  discard: {
    caller: authorOnly('discard it'),
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, state.isDraft],
    decision: [],
  },
  schedule: {
    caller: [caller.permissionThroughout('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: seenRevision,
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
    caller: [caller.permissionThroughout('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: seenRevision,
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
    caller: [caller.mayWithdrawPresetSchedule, caller.hasUserId],
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, state.isBeforeSchedule],
    decision: [],
  },
  /** What the last approval requires of a preset schedule: there is no caller. */
  scheduleOnApproval: {
    caller: [],
    revision: [],
    input: applyRules.input,
    state: [state.schedulerExpected, state.staysApproved, ...fitting, state.notFrozen],
    decision: ['targets'],
  },
  apply: {
    caller: [caller.permissionThroughout('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: seenRevision,
    input: applyRules.input,
    state: [state.notBeingApplied, ...applyRules.state, state.notFrozen],
    decision: ['flags'],
  },
  /** Applying a scheduled change request when it is time: there is no caller. */
  applyScheduled: {
    caller: [],
    revision: [],
    input: applyRules.input,
    state: applyRules.state,
    decision: ['flags', 'targets'],
  },
  applyInEmergency: {
    caller: [
      caller.onlyForPeople(
        'bypass the approvals of',
        caller.permissionThroughout('SKIP_CHANGE_REQUEST'),
        caller.permissionThroughout('APPLY_CHANGE_REQUEST'),
        caller.hasUserId,
      ),
    ],
    revision: seenRevision,
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
    caller: [caller.permission('APPLY_CHANGE_REQUEST'), caller.hasUserId],
    revision: anyRevision,
    input: [],
    state: [settle.hasAttempt, settle.isInterrupted, settle.outcomeIsKnown],
    decision: [],
  },
  acknowledge: {
    caller: [
      caller.onlyForPeople(
        'acknowledge',
        caller.permissionThroughout('APPROVE_CHANGE_REQUEST'),
        caller.hasUserId,
        emergency.notOwnEmergency,
      ),
    ],
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, emergency.needsAcknowledgement],
    decision: [],
  },
  rebase: {
    caller: authorOnly('rebase it'),
    revision: anyRevision,
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
    caller: [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId],
    revision: anyRevision,
    input: [revert.isRevertEnabled, revert.isRevertValid],
    state: [revert.isApplied, rebase.noOtherOpen('Applied'), revert.isReversible],
    decision: ['options', 'requiredApprovals', 'revertOrigin'],
  },
  copy: {
    caller: [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId],
    revision: anyRevision,
    input: [copy.isCopyEnabled, copy.isCopyValid],
    state: [copy.isClosed, copy.hasChangesToCopy, rebase.noOtherOpen(...closedStates)],
    decision: ['options', 'requiredApprovals', 'copyOrigin'],
  },
  previewRevert: { caller: [], revision: [], input: [], state: [revert.isApplied], decision: ['possibleRevert'] },
  add: {
    caller: authorOnly('add changes to it'),
    revision: [...anyRevision, revision.basesAreCurrent],
    input: [content.isEnabled, content.isAcceptedProposal, content.withinLimits, content.isValidProposal],
    state: [state.notBeingApplied, state.isEditable],
    decision: ['requiredApprovals', 'gatedMinimum'],
  },
  discardChange: {
    caller: authorOnly('discard its changes'),
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, state.isEditable, state.keepsOneAfterDraft],
    decision: ['gatedMinimum'],
  },
  comment: {
    caller: anyReader,
    revision: anyRevision,
    input: [content.withinLimits],
    state: [state.notBeingApplied],
    decision: [],
  },
  editComment: {
    caller: [...anyReader, comment.isCommentAuthor('edit')],
    revision: anyRevision,
    input: [content.withinLimits],
    state: [state.notBeingApplied, comment.isDiscussionOpen, comment.isUnanswered],
    decision: [],
  },
  deleteComment: {
    caller: [...anyReader, comment.isCommentAuthor('delete')],
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, comment.isDiscussionOpen, comment.isUnanswered],
    decision: [],
  },
  resolveComment: {
    caller: [...anyReader, comment.mayResolve],
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, comment.isDiscussionOpen],
    decision: [],
  },
  rename: {
    caller: [caller.maySetDetails('set its title'), caller.hasUserId],
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, state.isTitleEditable],
    decision: [],
  },
  requestApprovers: {
    caller: [caller.maySetDetails('request approvers'), caller.hasUserId],
    revision: anyRevision,
    input: [],
    state: [state.notBeingApplied, state.isBeforeApproval],
    decision: ['reviewers'],
  },
} as const satisfies { readonly [step: string]: StepDefinition }

function authorOnly(what: string) {
  return [caller.permission('CREATE_CHANGE_REQUEST'), caller.hasUserId, caller.isAuthor(what)] as const
}

/** The name of a step: an action of a caller on a change request. */
export type Step = keyof typeof stepTable
