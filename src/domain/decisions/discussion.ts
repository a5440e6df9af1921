import { ChangeRequestError } from '../../errors'
import type { ChangeRequest, Comment } from '../change-request'
import { excessOfComments } from '../content/size'
import { changeRequestEvent } from '../events/events'
import { type CallFacts, wellFormedCall } from '../steps/facts'
import { type CallFactsOf, type RuleFactsOf, requireStep, type Step } from '../steps/steps'
import { findChange } from './changes'
import type { CommentedCommand, Decision, StepCommand } from './decision'

/** Sets the title; there is no event type for it (contract 3.6). */
export function rename(current: ChangeRequest, { facts }: StepCommand<'rename'>, title: string): Decision {
  requireStep('rename', current, facts, {})
  return { changeRequest: { ...current, title }, events: [] }
}

/** The input of adding a comment, which can be about one change. */
export interface CommentCommand extends CommentedCommand<'comment'> {
  /** Null for a comment on the whole change request. */
  readonly changeId: number | null
}

/** Adds a comment, in any state; there is no event type for it (contract 3.6). */
export function comment(current: ChangeRequest, command: CommentCommand): Decision {
  const { changeId } = command
  if (changeId !== null) findChange(current, changeId)
  return { changeRequest: requireStepWithComment('comment', current, command, { changeId }), events: [] }
}

/** The steps that check nothing of their body except the size of its comment, and the time of a schedule. */
type CommentedStep = { [S in Step]: CallFactsOf<S> extends Pick<CallFacts, 'excess'> ? S : never }[Step]

/**
 * Requires the step. Returns the change request with the comment, or unchanged if there is none.
 *
 * @param at when it would be applied
 * @throws ChangeRequestError that lists all that is missing for the step.
 */
export function requireStepWithComment<S extends CommentedStep>(
  step: S,
  current: ChangeRequest,
  command: Omit<CommentedCommand<S>, 'facts'> & { readonly facts: RuleFactsOf<S> },
  { changeId = null, at = command.now }: { readonly changeId?: number | null; readonly at?: string } = {},
): ChangeRequest {
  const commented = withComment(current, command, changeId)
  const excess = commented === current ? undefined : excessOfComments(commented.comments, command.commentLimits)
  const call: CallFacts = { ...wellFormedCall, excess, at }
  requireStep(step, current, command.facts, call)
  return commented
}

/** The change request with the comment, or unchanged if there is none. */
export function withComment(
  current: ChangeRequest,
  { by, now, comment: text }: Pick<CommentedCommand<Step>, 'by' | 'now' | 'comment'>,
  changeId: number | null = null,
): ChangeRequest {
  if (text === null) return current
  const id = current.comments.length + 1
  const about = changeId === null ? {} : { changeId }
  const added: Comment = { id, text, createdBy: by.author.person, createdAt: now, ...about }
  return { ...current, comments: [...current.comments, added] }
}

/**
 * Sets the requested approvers; advisory (contract 3.7). Each must be able to approve, except for those who were requested or
 * have approved before: clients send the whole list, so a user who can no longer approve must not block every further edit.
 *
 * @throws BadDataError that names the users who cannot approve.
 */
export function requestApprovers(
  current: ChangeRequest,
  { by, now, facts }: StepCommand<'requestApprovers'>,
  approvers: readonly number[],
): Decision {
  requireStep('requestApprovers', current, facts, wellFormedCall)
  const { requestedApprovers, approvals } = current
  const able = new Set([...facts.reviewers, ...requestedApprovers, ...approvals.map(({ createdBy }) => createdBy.id)])
  const unable = approvers.filter((id) => !able.has(id))
  if (unable.length > 0) {
    throw new ChangeRequestError('BadDataError', `These users cannot approve here: ${unable.join(', ')}.`)
  }
  const changeRequest = { ...current, requestedApprovers: approvers }
  const same = [...requestedApprovers].join() === [...approvers].join()
  if (same) return { changeRequest: current, events: [] }
  const data = { reviewers: [...approvers] }
  const event = changeRequestEvent('change-request-requested-approvers-updated', changeRequest, { by, now }, data)
  const preData = { changeRequestId: current.id, reviewers: [...requestedApprovers] }
  return { changeRequest, events: [{ ...event, preData }] }
}
