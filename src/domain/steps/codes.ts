import type { ChangeRequestError, ErrorName } from '../../errors'
import type { StepCode } from '../../generated/index'

/** The stages of contract 11.4 in their order. An error lists what is missing at the first stage that fails. */
export const stages = ['caller', 'revision', 'input', 'state'] as const

export type Stage = (typeof stages)[number]

/** Every code of a missing requirement: the error that it causes, and the stage at which it is checked (contract 12). */
export const codeTable: {
  readonly [code in StepCode]: { readonly error: ErrorName; readonly stage: Stage }
} = {
  'missing-permission': { error: 'PermissionError', stage: 'caller' },
  'no-user-id': { error: 'OperationDeniedError', stage: 'caller' },
  'not-the-author': { error: 'OperationDeniedError', stage: 'caller' },
  'own-change-request': { error: 'OperationDeniedError', stage: 'caller' },
  'not-for-machines': { error: 'OperationDeniedError', stage: 'caller' },
  'outdated-revision': { error: 'PreconditionFailedError', stage: 'revision' },
  'outdated-base': { error: 'PreconditionFailedError', stage: 'revision' },
  'revision-required': { error: 'PreconditionRequiredError', stage: 'revision' },
  'change-requests-disabled': { error: 'BadDataError', stage: 'input' },
  invalid: { error: 'BadDataError', stage: 'input' },
  'limit-exceeded': { error: 'ExceedsLimitError', stage: 'input' },
  'flags-unavailable': { error: 'UnavailableError', stage: 'state' },
  'being-applied': { error: 'ConflictError', stage: 'state' },
  'no-scheduler': { error: 'ConflictError', stage: 'state' },
  'emergencies-disabled': { error: 'ConflictError', stage: 'state' },
  'wrong-state': { error: 'ConflictError', stage: 'state' },
  'other-open-change-request': { error: 'ConflictError', stage: 'state' },
  'no-changes': { error: 'ConflictError', stage: 'state' },
  'already-voted': { error: 'ConflictError', stage: 'state' },
  'missing-approvals': { error: 'ConflictError', stage: 'state' },
  'missing-check': { error: 'ConflictError', stage: 'state' },
  objection: { error: 'ConflictError', stage: 'state' },
  'missing-custom-fields': { error: 'ConflictError', stage: 'state' },
  conflict: { error: 'ConflictError', stage: 'state' },
  overwrite: { error: 'ConflictError', stage: 'state' },
  frozen: { error: 'ConflictError', stage: 'state' },
  'cannot-follow': { error: 'ConflictError', stage: 'state' },
  'no-flag-gateway': { error: 'ConflictError', stage: 'state' },
  'already-acknowledged': { error: 'ConflictError', stage: 'state' },
  irreversible: { error: 'ConflictError', stage: 'state' },
}

export interface Missing {
  readonly code: StepCode
  /** For the caller: what is wrong, and what to do about it. */
  readonly message: string
  /** The permission; only for `missing-permission`. */
  readonly permission?: string
  /** JSON pointer into the request; only for proposed changes. */
  readonly path?: string
  /** Thrown unchanged: a hook of the host app threw it to reject the changes. */
  readonly error?: ChangeRequestError
}
