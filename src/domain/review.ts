import { ChangeRequestError } from '../errors'
import type { ChangeRequest, Vote } from './change-request'
import type { Decision, StepOccasion } from './decision'
import { withComment } from './discussion'
import { changeRequestEvent } from './events/events'
import { alreadyIs, enterState, requireAuthor, requireAuthorOrAdmin, requireTransition } from './rules'
import { hasApproved, isApproved } from './votes'

/** The input of a vote. */
export interface VoteOccasion extends StepOccasion {
  /** Of all that would be applied now: a vote is bound to it. */
  readonly digest: string
  /** An ADMIN may vote on their own change request; the event says so. */
  readonly adminSelfApproval: boolean
}

/** The input of sending to review. */
export interface SubmitOccasion extends StepOccasion {
  /** The present setting of the environment. */
  readonly requiredApprovals: number
}

/** Draft -> In review, by its author. If the minimum was raised meanwhile, the new one applies (contract 3.3). */
export function submit(current: ChangeRequest, occasion: SubmitOccasion): Decision {
  requireAuthor(current, occasion.by, 'send it to review')
  const commented = withComment(current, occasion)
  const state = requireTransition(current, 'submit', 'In review')
  if (current.changes.length === 0) {
    throw new ChangeRequestError('ConflictError', 'There is nothing to review: the change request has no changes.')
  }
  const minApprovals = Math.max(current.minApprovals, occasion.requiredApprovals)
  const sent = enterState({ ...commented, minApprovals }, state, occasion.now)
  return { changeRequest: sent, events: [changeRequestEvent('change-request-sent-to-review', sent, occasion)] }
}

/**
 * Adds an approval; at the minimum the change request becomes Approved (contract 6.2). An Approved one takes approvals
 * while too few of them are for what would be applied now (contract 6.3).
 */
export function approve(current: ChangeRequest, occasion: VoteOccasion): Decision {
  const { by, now, digest } = occasion
  const own = requireSecondPair(current, occasion, 'approve')
  const commented = withComment(current, occasion)
  const reached = requireTransition(current, 'approve', 'Approved')
  if (current.state === 'Approved' && isApproved(current, digest)) throw alreadyIs('Approved')
  if (hasApproved(current, by.author.person, digest)) {
    throw new ChangeRequestError('ConflictError', 'You have approved this change request already.')
  }
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest }
  // Replaces a vote of the same person that no longer counts.
  const others = current.approvals.filter(({ createdBy }) => createdBy.id !== by.author.person.id)
  const counted = { ...commented, approvals: [...others, vote] }
  const enough = isApproved(counted, digest)
  const voted = enterState(counted, enough ? reached : current.state, now)
  const facts = { digest, ...(own ? { selfApproval: true } : {}) }
  const events = [changeRequestEvent('change-request-approval-added', voted, occasion, facts)]
  if (voted.state !== current.state) events.push(changeRequestEvent('change-request-approved', voted, occasion))
  return { changeRequest: voted, events }
}

/** In review -> Rejected by somebody else than its authors; Scheduled -> Rejected by anybody with the permission. */
export function reject(current: ChangeRequest, occasion: VoteOccasion): Decision {
  const { by, now, digest } = occasion
  if (current.state !== 'Scheduled') requireSecondPair(current, occasion, 'reject')
  const commented = withComment(current, occasion)
  const state = requireTransition(current, 'reject', 'Rejected')
  if (current.state === 'In review' && hasApproved(current, by.author.person, digest)) {
    throw new ChangeRequestError(
      'ConflictError',
      'You have approved this change request; it cannot be rejected by you.',
    )
  }
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest }
  const rejections = [...current.rejections, vote]
  const changeRequest = enterState({ ...commented, rejections, schedule: null }, state, now)
  return { changeRequest, events: [changeRequestEvent('change-request-rejected', changeRequest, occasion)] }
}

/** -> Cancelled, by its author or an ADMIN. */
export function cancel(current: ChangeRequest, occasion: StepOccasion): Decision {
  requireAuthorOrAdmin(current, occasion.by, 'cancel it')
  const commented = withComment(current, occasion)
  const changeRequest = enterState(commented, requireTransition(current, 'cancel', 'Cancelled'), occasion.now)
  return { changeRequest, events: [changeRequestEvent('change-request-cancelled', changeRequest, occasion)] }
}

/**
 * Requires that the voter neither made nor changed the change request. Returns true if an ADMIN votes on their own.
 *
 * @throws OperationDeniedError that says which vote is denied.
 */
function requireSecondPair(current: ChangeRequest, { by, adminSelfApproval }: VoteOccasion, what: string): boolean {
  const { id } = by.author.person
  const own = current.createdBy.id === id || current.changes.some(({ createdBy }) => createdBy.id === id)
  if (!own || (adminSelfApproval && by.admin)) return own
  throw new ChangeRequestError(
    'OperationDeniedError',
    `You cannot ${what} a change request that you made or changed: it takes a second pair of eyes.`,
  )
}
