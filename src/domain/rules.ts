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

/** The state that the step leads to. @throws ConflictError while it is being applied, or naming both states. */
export function requireTransition(current: ChangeRequest, step: Step, target: State): State {
  requireSettled(current)
  const state = nextState(current.state, step)
  if (state !== undefined) return state
  throw current.state === target ? alreadyIs(target) : cannotBecome(current, target)
}

/** In its new state, with the time of it. Scheduling again counts as a new entry. */
export function enterState(current: ChangeRequest, state: State, now: string): ChangeRequest {
  if (state === current.state && state !== 'Scheduled') return current
  return { ...current, state, stateTimestamps: { ...current.stateTimestamps, [state]: now } }
}

/** Says that the step was taken before. */
export function alreadyIs(state: State): ChangeRequestError {
  return new ChangeRequestError('ConflictError', `The change request is ${state} already.`)
}

/** Says that no step leads from the one state to the other. */
export function cannotBecome({ state }: ChangeRequest, target: State): ChangeRequestError {
  return new ChangeRequestError('ConflictError', `A change request in the state ${state} cannot become ${target}.`)
}

/** @throws ConflictError while a flag gateway without a shared transaction is at work on the change request. */
export function requireSettled({ applying }: ChangeRequest): void {
  if (applying == null) return
  const { startedAt, by } = applying
  throw new ChangeRequestError(
    'ConflictError',
    `The change request is being applied, since ${startedAt} by ${by.person.username ?? 'a user'}. Try again in a ` +
      'moment. If that application has broken off, somebody who runs this server can end it with the command ' +
      '"express-change-requests settle".',
    { retryAfter: 1 },
  )
}

/** @throws ConflictError when the change request is being applied, or closed for good. */
export function requireNotClosed(current: ChangeRequest, what: string): void {
  requireSettled(current)
  if (!closedStates.includes(current.state)) return
  throw new ChangeRequestError('ConflictError', `The change request is ${current.state}: ${what}.`)
}
