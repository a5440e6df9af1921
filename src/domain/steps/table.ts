import * as caller from './caller-rules'
import * as content from './content-rules'
import * as emergency from './emergency-rules'
import type { StepOptions, StepPermission } from './facts'
import * as rebase from './rebase-rules'
import * as revert from './revert-rules'
import * as settle from './settle-rules'
import * as state from './state-rules'

export interface StepDefinition {
  /** What the rules ask of the host's `authorize`. */
  readonly permissions: readonly StepPermission[] | ((options: StepOptions) => readonly StepPermission[])
  readonly rules: readonly caller.Rule[]
}

/**
 * Everything that anybody can do to a change request, and the rules of each, in the order of their sentences. Nothing else
 * refuses a step: the review lists what these rules answer, and carrying a step out throws it (extensions 1).
 */
export const stepTable = {
  edit: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [...authorOnly('edit its changes'), state.room, content.validProposal, state.settled, state.takesChanges],
  },
  submit: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [
      ...authorOnly('send it to review'),
      state.room,
      content.valid('submit'),
      content.segmentsInProject,
      state.settled,
      state.transition('submit', 'In review'),
      state.hasChanges,
    ],
  },
  approve: {
    permissions: ['APPROVE_CHANGE_REQUEST', 'ADMIN'],
    rules: [
      caller.permissionThroughout('APPROVE_CHANGE_REQUEST'),
      caller.person,
      caller.secondPair('approve'),
      state.room,
      state.settled,
      state.approvable,
    ],
  },
  reject: {
    permissions: ['APPROVE_CHANGE_REQUEST', 'ADMIN'],
    rules: [
      caller.mayReject,
      caller.person,
      state.room,
      state.settled,
      state.transition('reject', 'Rejected'),
      state.notApproved,
    ],
  },
  cancel: {
    permissions: ['CREATE_CHANGE_REQUEST', 'ADMIN'],
    rules: [
      caller.permission('CREATE_CHANGE_REQUEST'),
      caller.person,
      caller.authorOrAdmin('cancel it'),
      state.room,
      state.settled,
      state.transition('cancel', 'Cancelled'),
    ],
  },
  discard: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [...authorOnly('discard it'), state.settled, state.isDraft],
  },
  schedule: {
    permissions: ['APPLY_CHANGE_REQUEST'],
    rules: [
      caller.permissionThroughout('APPLY_CHANGE_REQUEST'),
      caller.person,
      state.room,
      content.valid('apply'),
      content.segmentsInProject,
      state.scheduler,
      state.settled,
      state.reviewed('schedule', 'Scheduled'),
      state.fits,
      state.keepsOthers,
      state.carriedOut,
    ],
  },
  apply: {
    permissions: ['APPLY_CHANGE_REQUEST'],
    rules: [
      caller.permissionThroughout('APPLY_CHANGE_REQUEST'),
      caller.person,
      state.room,
      content.valid('apply'),
      content.segmentsInProject,
      state.settled,
      state.reviewed('apply', 'Applied'),
      state.fits,
      state.keepsOthers,
      state.carriedOut,
    ],
  },
  /** The application of what is scheduled, once it is time: nobody calls. */
  applyScheduled: {
    permissions: [],
    rules: [
      content.valid('apply'),
      content.segmentsInProject,
      state.reviewed('apply', 'Applied'),
      state.fits,
      state.keepsOthers,
      state.carriedOut,
    ],
  },
  applyInEmergency: {
    permissions: ['SKIP_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'],
    rules: [
      caller.permissionThroughout('SKIP_CHANGE_REQUEST'),
      caller.permissionThroughout('APPLY_CHANGE_REQUEST'),
      caller.person,
      state.room,
      content.valid('apply'),
      content.segmentsInProject,
      emergency.emergencies,
      state.settled,
      emergency.notClosed,
      emergency.somethingToApply,
      state.fits,
      state.keepsOthers,
      state.carriedOut,
    ],
  },
  settle: {
    permissions: ['APPLY_CHANGE_REQUEST'],
    rules: [
      caller.permission('APPLY_CHANGE_REQUEST'),
      caller.person,
      settle.hasAttempt,
      settle.isInterrupted,
      settle.outcomeIsKnown,
    ],
  },
  acknowledge: {
    permissions: ['APPROVE_CHANGE_REQUEST'],
    rules: [
      caller.permissionThroughout('APPROVE_CHANGE_REQUEST'),
      caller.person,
      emergency.otherEyes,
      state.room,
      state.settled,
      emergency.needsSecondLook,
    ],
  },
  rebase: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [
      ...authorOnly('rebase it'),
      state.room,
      state.settled,
      rebase.rebasable,
      rebase.noOtherOpen('Scheduled'),
      rebase.allNamed,
      rebase.leavesOne,
    ],
  },
  revert: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [
      caller.permission('CREATE_CHANGE_REQUEST'),
      caller.person,
      revert.proposable,
      revert.onlyApplied,
      rebase.noOtherOpen('Applied'),
      revert.reversible,
    ],
  },
  previewRevert: { permissions: [], rules: [revert.onlyApplied] },
  add: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [...authorOnly('add changes to it'), state.room, content.validProposal, state.settled, state.takesChanges],
  },
  discardChange: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [...authorOnly('discard its changes'), state.settled, state.takesChanges, state.keepsOne],
  },
  comment: {
    permissions: ['READ_CHANGE_REQUEST'],
    rules: [caller.permission('READ_CHANGE_REQUEST'), caller.person, state.room, state.settled],
  },
  rename: {
    permissions: caller.detailsPermissions,
    rules: [caller.details('give it a title'), caller.person, state.settled, state.titleNotFixed],
  },
  requestApprovers: {
    permissions: caller.detailsPermissions,
    rules: [caller.details('request approvers'), caller.person, state.settled, state.beforeApproval],
  },
} as const satisfies { readonly [step: string]: StepDefinition }

function authorOnly(what: string): readonly caller.Rule[] {
  return [caller.permission('CREATE_CHANGE_REQUEST'), caller.person, caller.author(what)]
}

/** Something that a caller does to a change request. */
export type Step = keyof typeof stepTable
