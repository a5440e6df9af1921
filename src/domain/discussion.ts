import { ChangeRequestError } from '../errors'
import type { ChangeRequest } from './change-request'
import type { CommentLimits } from './content/size'
import type { Decision } from './decision'
import { type Occasion, tell, withComment } from './review'
import { requireAuthorOrAdmin, requireNotClosed, requireSettled } from './rules'

interface DetailsOccasion extends Occasion {
  /** Not the author's matter alone here: whoever got this far may (contract 3.6). */
  readonly anyone: boolean
}

/** A title of its own; no event type exists for it (contract 3.6). */
export function rename(current: ChangeRequest, { by, anyone }: DetailsOccasion, title: string): Decision {
  if (!anyone) requireAuthorOrAdmin(current, by, 'give it a title')
  requireNotClosed(current, 'its title is fixed')
  return { changeRequest: { ...current, title }, events: [] }
}

/** One more comment, in any state; no event type exists for it (contract 3.6). */
export function comment(current: ChangeRequest, occasion: Occasion, text: string, limits: CommentLimits): Decision {
  const changeRequest = withComment(current, { ...occasion, comment: text, commentLimits: limits })
  requireSettled(current)
  return { changeRequest, events: [] }
}

/** The people asked to approve; advisory (contract 3.7). */
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
  const event = tell('change-request-requested-approvers-updated', changeRequest, { by, now }, facts)
  const preData = { changeRequestId: current.id, reviewers: [...current.requestedApprovers] }
  return { changeRequest, events: [{ ...event, preData }] }
}
