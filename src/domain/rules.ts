import { ChangeRequestError } from '../errors'
import type { ChangeRequest } from './change-request'
import type { Reviewer } from './decision'
import { closedStates, nextState, type State, type Step } from './lifecycle'

/** @throws OperationDeniedError unless the caller made the change request. */
export function requireAuthor(current: ChangeRequest, { author }: Reviewer, what: string): void {
  if (current.createdBy.id === author.person.id) return
  throw new ChangeRequestError('OperationDeniedError', `Only the author of the change request may ${what}.`)
}

/** @throws OperationDeniedError unless the caller made the change request or holds ADMIN. */
export function requireAuthorOrAdmin(current: ChangeRequest, by: Reviewer, what: string): void {
  if (by.admin || current.createdBy.id === by.author.person.id) return
  throw new ChangeRequestError('OperationDeniedError', `Only the author of the change request or an admin may ${what}.`)
}

/** The state that the step leads to. @throws ConflictError that names both states. */
export function follow(current: ChangeRequest, step: Step, target: State): State {
  const state = nextState(current.state, step)
  if (state !== undefined) return state
  if (current.state !== target) throw cannotBecome(current, target)
  throw new ChangeRequestError('ConflictError', `The change request is ${target} already.`)
}

/** Says that no step leads from the one state to the other. */
export function cannotBecome({ state }: ChangeRequest, target: State): ChangeRequestError {
  return new ChangeRequestError('ConflictError', `A change request in the state ${state} cannot become ${target}.`)
}

/** @throws ConflictError when the change request is closed for good. */
export function requireNotClosed(current: ChangeRequest, what: string): void {
  if (!closedStates.includes(current.state)) return
  throw new ChangeRequestError('ConflictError', `The change request is ${current.state}: ${what}.`)
}
