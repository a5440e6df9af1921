import { ChangeRequestError } from '../errors'
import type { ChangeRequest } from './change-request'
import { type CommentLimits, requireRoomForComments } from './content/size'
import type { Decision, Occasion, StepOccasion } from './decision'
import { changeRequestEvent } from './events/events'
import { requireAuthorOrAdmin, requireNotClosed, requireSettled } from './rules'

interface DetailsOccasion extends Occasion {
  /** Everybody who may see the change request may edit its details, not only its author (contract 3.6). */
  readonly anyone: boolean
}

/** Sets the title; there is no event type for it (contract 3.6). */
export function rename(current: ChangeRequest, { by, anyone }: DetailsOccasion, title: string): Decision {
  if (!anyone) requireAuthorOrAdmin(current, by, 'give it a title')
  requireNotClosed(current, 'its title is fixed')
  return { changeRequest: { ...current, title }, events: [] }
}

/** Adds a comment, in any state; there is no event type for it (contract 3.6). */
export function comment(current: ChangeRequest, occasion: Occasion, text: string, limits: CommentLimits): Decision {
  const changeRequest = withComment(current, { ...occasion, comment: text, commentLimits: limits })
  requireSettled(current)
  return { changeRequest, events: [] }
}

/**
 * The change request with one more comment, or as it is when there is none.
 *
 * @throws ExceedsLimitError when there is no room for it.
 */
export function withComment(current: ChangeRequest, { by, now, comment, commentLimits }: StepOccasion): ChangeRequest {
  if (comment === null) return current
  const id = current.comments.length + 1
  const comments = [...current.comments, { id, text: comment, createdBy: by.author.person, createdAt: now }]
  requireRoomForComments(comments, commentLimits)
  return { ...current, comments }
}

/** Sets who is asked to approve; advisory (contract 3.7). */
export function requestApprovers(
  current: ChangeRequest,
  { by, now, anyone }: DetailsOccasion,
  reviewers: readonly number[],
): Decision {
  if (!anyone) requireAuthorOrAdmin(current, by, 'request approvers')
  requireSettled(current)
  if (current.state !== 'Draft' && current.state !== 'In review') {
    throw new ChangeRequestError(
      'ConflictError',
      `Approvers are requested before the approval; this change request is ${current.state}.`,
    )
  }
  const changeRequest = { ...current, requestedApprovers: reviewers }
  const same = [...current.requestedApprovers].join() === [...reviewers].join()
  if (same) return { changeRequest: current, events: [] }
  const facts = { reviewers: [...reviewers] }
  const event = changeRequestEvent('change-request-requested-approvers-updated', changeRequest, { by, now }, facts)
  const preData = { changeRequestId: current.id, reviewers: [...current.requestedApprovers] }
  return { changeRequest, events: [{ ...event, preData }] }
}
