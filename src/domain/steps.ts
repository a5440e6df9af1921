import { ChangeRequestError } from '../errors'
import type { StepCode } from '../generated/index'
import type { ChangeRequest } from './change-request'
import * as caller from './steps/caller-rules'
import { type Missing, stages, stepCodes } from './steps/codes'
import type { StepCall, StepFacts, StepOptions, StepPermission } from './steps/facts'
import * as state from './steps/state-rules'

interface StepDefinition {
  /** What the rules ask of the host's `authorize`. */
  readonly permissions: readonly StepPermission[] | ((options: StepOptions) => readonly StepPermission[])
  readonly rules: readonly caller.Rule[]
}

/**
 * Everything that anybody can do to a change request, and the rules of each, in the order of their sentences. Nothing else
 * refuses a step: the review lists what these rules answer, and carrying a step out throws it (extensions 1).
 */
const table = {
  edit: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [...authorOnly('edit its changes'), state.room, state.settled, state.takesChanges],
  },
  submit: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [
      ...authorOnly('send it to review'),
      state.room,
      state.settled,
      state.transition('submit', 'In review'),
      state.hasChanges,
    ],
  },
  approve: {
    permissions: ['APPROVE_CHANGE_REQUEST', 'ADMIN'],
    rules: [
      caller.permission('APPROVE_CHANGE_REQUEST'),
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
      caller.permission('APPLY_CHANGE_REQUEST'),
      caller.person,
      state.room,
      state.scheduler,
      state.settled,
      state.reviewed('schedule', 'Scheduled'),
      state.fits,
      state.carriedOut,
    ],
  },
  apply: {
    permissions: ['APPLY_CHANGE_REQUEST'],
    rules: [
      caller.permission('APPLY_CHANGE_REQUEST'),
      caller.person,
      state.room,
      state.settled,
      state.reviewed('apply', 'Applied'),
      state.fits,
      state.carriedOut,
    ],
  },
  applyInEmergency: {
    permissions: ['SKIP_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'],
    rules: [
      caller.permission('SKIP_CHANGE_REQUEST'),
      caller.permission('APPLY_CHANGE_REQUEST'),
      caller.person,
      state.room,
      state.emergencies,
      state.settled,
      state.notClosed,
      state.fits,
      state.carriedOut,
    ],
  },
  acknowledge: {
    permissions: ['APPROVE_CHANGE_REQUEST'],
    rules: [caller.permission('APPROVE_CHANGE_REQUEST'), caller.person, state.settled, state.needsSecondLook],
  },
  add: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [...authorOnly('add changes to it'), state.room, state.settled, state.takesChanges],
  },
  discardChange: {
    permissions: ['CREATE_CHANGE_REQUEST'],
    rules: [...authorOnly('discard its changes'), state.settled, state.takesChanges, state.keepsOne],
  },
  returnToDraft: {
    permissions: ['READ_CHANGE_REQUEST'],
    rules: [caller.permission('READ_CHANGE_REQUEST'), caller.person, state.neverDraft],
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
export type Step = keyof typeof table

/** The steps that a review lists, in its order. */
export const reviewSteps = [
  'edit',
  'submit',
  'approve',
  'reject',
  'cancel',
  'discard',
  'schedule',
  'apply',
  'applyInEmergency',
  'acknowledge',
] as const satisfies readonly Step[]

/** The permissions that the rules of these steps ask about, each once. */
export function permissionsFor(options: StepOptions, ...steps: readonly Step[]): readonly StepPermission[] {
  const asked = steps.flatMap((step) => {
    const { permissions }: StepDefinition = table[step]
    return typeof permissions === 'function' ? permissions(options) : permissions
  })
  return [...new Set(asked)]
}

/** All that is missing for the step at the first stage that fails; empty when it may be taken. */
export function missingFor(
  step: Step,
  current: ChangeRequest,
  facts: StepFacts,
  call: StepCall = {},
): readonly Missing[] {
  const missing = table[step].rules.flatMap((rule) => rule({ current, facts, call }) ?? [])
  for (const stage of stages) {
    const found = missing.filter(({ code }) => stepCodes[code].stage === stage)
    if (found.length > 0) return found
  }
  return []
}

/** @throws ChangeRequestError that lists all that is missing for the step. */
export function requireStep(step: Step, current: ChangeRequest, facts: StepFacts, call: StepCall = {}): void {
  const [first, ...others] = missingFor(step, current, facts, call)
  if (first !== undefined) throw refusalFor(first, ...others)
}

/**
 * The part of {@link requireStep} that depends on the caller alone, before a hook is asked about anything else.
 *
 * @throws PermissionError
 * @throws OperationDeniedError
 */
export function requireCaller(step: Step, current: ChangeRequest, facts: StepFacts): void {
  const [first, ...others] = missingFor(step, current, facts)
  if (first !== undefined && stepCodes[first.code].stage === 'caller') throw refusalFor(first, ...others)
}

const retryAfter: { readonly [code in StepCode]?: number } = { applying: 1 }

/** The error for what is missing: the first names it, its details list all. */
export function refusalFor(first: Missing, ...others: readonly Missing[]): ChangeRequestError {
  const all = [first, ...others]
  const permissions = all.flatMap(({ permission }) => permission ?? [])
  const seconds = retryAfter[first.code]
  return new ChangeRequestError(stepCodes[first.code].error, first.message, {
    details: all.map(({ code, message }) => ({ message, code })),
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  })
}
