import type { ChangeRequest, Comment } from '../change-request'
import { excessOfComments } from '../content/size'
import { changeRequestEvent } from '../events/events'
import { requireStep, type Step } from '../steps/steps'
import { findChange } from './changes'
import type { Decision, DecisionOccasion, StepOccasion } from './decision'

/** Sets the title; there is no event type for it (contract 3.6). */
export function rename(current: ChangeRequest, { facts }: DecisionOccasion, title: string): Decision {
  requireStep('rename', current, facts)
  return { changeRequest: { ...current, title }, events: [] }
}

/** A step with a comment, which may be about one change. */
export interface CommentOccasion extends StepOccasion {
  /** Null for a comment on the whole change request. */
  readonly changeId: number | null
}

/** Adds a comment, in any state; there is no event type for it (contract 3.6). */
export function comment(current: ChangeRequest, occasion: CommentOccasion): Decision {
  const { changeId } = occasion
  if (changeId !== null) findChange(current, changeId)
  return { changeRequest: requireStepWithComment('comment', current, occasion, changeId), events: [] }
}

/**
 * Requires the step, and returns the change request with the comment that goes with it, or as it is when there is none.
 *
 * @throws ChangeRequestError that lists all that is missing for the step.
 */
export function requireStepWithComment(
  step: Step,
  current: ChangeRequest,
  occasion: StepOccasion,
  changeId: number | null = null,
): ChangeRequest {
  const commented = withComment(current, occasion, changeId)
  const excess = commented === current ? undefined : excessOfComments(commented.comments, occasion.commentLimits)
  requireStep(step, current, occasion.facts, { excess })
  return commented
}

/** The change request with one more comment, or as it is when there is none. */
export function withComment(
  current: ChangeRequest,
  { by, now, comment: text }: Pick<StepOccasion, 'by' | 'now' | 'comment'>,
  changeId: number | null = null,
): ChangeRequest {
  if (text === null) return current
  const id = current.comments.length + 1
  const about = changeId === null ? {} : { changeId }
  const added: Comment = { id, text, createdBy: by.author.person, createdAt: now, ...about }
  return { ...current, comments: [...current.comments, added] }
}

/** Sets who is asked to approve; advisory (contract 3.7). */
export function requestApprovers(
  current: ChangeRequest,
  { by, now, facts }: DecisionOccasion,
  reviewers: readonly number[],
): Decision {
  requireStep('requestApprovers', current, facts)
  const changeRequest = { ...current, requestedApprovers: reviewers }
  const same = [...current.requestedApprovers].join() === [...reviewers].join()
  if (same) return { changeRequest: current, events: [] }
  const asked = { reviewers: [...reviewers] }
  const event = changeRequestEvent('change-request-requested-approvers-updated', changeRequest, { by, now }, asked)
  const preData = { changeRequestId: current.id, reviewers: [...current.requestedApprovers] }
  return { changeRequest, events: [{ ...event, preData }] }
}
