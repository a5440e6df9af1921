import { ChangeRequestError } from '../../errors'
import type { ChangeRequest, Comment } from '../change-request'
import { type CommentLimits, excessOfComments } from '../content/size'
import { approversEvent } from '../events/events'
import { findComment } from '../steps/comment-rules'
import { type CallFacts, wellFormedCall } from '../steps/facts'
import { type RuleFactsOf, requireStep, type Step } from '../steps/steps'
import { findChange } from './changes'
import { type CommentedCommand, type Decision, type LimitedCommand, lastCommentId, type StepCommand } from './decision'

/** Sets the title; there is no event type for it (contract 3.6). */
export function rename(current: ChangeRequest, { facts }: StepCommand<'rename'>, title: string): Decision {
  requireStep('rename', current, facts, {})
  return { changeRequest: { ...current, title }, events: [] }
}

export interface CommentCommand extends LimitedCommand<'comment'> {
  /** Null for a comment on the whole change request. */
  readonly changeId: number | null
}

export function comment(current: ChangeRequest, command: CommentCommand): Decision {
  const { changeId, facts, commentLimits } = command
  if (changeId !== null) findChange(current, changeId)
  const commented = withComment(current, command, changeId)
  const excess = excessOfComments(current.comments, commented.comments, commentLimits)
  requireStep('comment', current, facts, { excess })
  return { changeRequest: commented, events: [] }
}

type CommentedStep =
  | 'submit'
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'schedule'
  | 'acknowledge'
  | 'apply'
  | 'applyInEmergency'

/** Returns the change request with the comment, if any. The text of a step is never rejected for its size (contract 2.2). */
export function requireStepWithComment<S extends CommentedStep>(
  step: S,
  current: ChangeRequest,
  command: Omit<CommentedCommand<S>, 'facts'> & { readonly facts: RuleFactsOf<S> },
  given: Partial<Pick<CallFacts, 'at' | 'follows'>> = {},
): ChangeRequest {
  const call: CallFacts = { ...wellFormedCall, at: command.now, ...given }
  requireStep(step, current, command.facts, call)
  return withComment(current, command)
}

export function withComment(
  current: ChangeRequest,
  { by, now, comment: text }: Pick<CommentedCommand<Step>, 'by' | 'now' | 'comment'>,
  changeId: number | null = null,
): ChangeRequest {
  if (text === null) return current
  const id = lastCommentId(current) + 1
  const about = changeId === null ? {} : { changeId }
  const added: Comment = { id, text, createdBy: by.author.person, createdAt: now, ...about }
  return { ...current, comments: [...current.comments, added] }
}

export interface EditCommentCommand extends StepCommand<'editComment'> {
  readonly text: string
  readonly commentLimits: CommentLimits
}

export function editComment(current: ChangeRequest, command: EditCommentCommand): Decision {
  const { now, facts, text, commentLimits } = command
  const found = requireComment(current, facts.commentId)
  const edited = found.text === text ? current : withEdited(current, { ...found, text, editedAt: now })
  const excess = excessOfComments(current.comments, edited.comments, commentLimits)
  requireStep('editComment', current, facts, { excess, at: now })
  return { changeRequest: edited, events: [] }
}

/** The entries of deleted comments that stay, so that users who post and delete comments do not make it grow. */
const maxDeleted = 100

/** The entry stays without its text, so that ids are never reused. */
export function deleteComment(current: ChangeRequest, { now, facts }: StepCommand<'deleteComment'>): Decision {
  const found = requireComment(current, facts.commentId)
  requireStep('deleteComment', current, facts, { at: now })
  const edited = withEdited(current, { ...found, text: null, deletedAt: now })
  return { changeRequest: withoutOldDeleted(edited), events: [] }
}

/** Only the last comment can be deleted, so the entry of the highest id is never among the removed ones. */
function withoutOldDeleted(changeRequest: ChangeRequest): ChangeRequest {
  const removed = new Set(changeRequest.comments.filter(({ text }) => text === null).slice(0, -maxDeleted))
  return { ...changeRequest, comments: changeRequest.comments.filter((one) => !removed.has(one)) }
}

export interface ResolveCommentCommand extends StepCommand<'resolveComment'> {
  readonly resolved: boolean
}

/** No event is written. The same again changes nothing. */
export function resolveComment(current: ChangeRequest, command: ResolveCommentCommand): Decision {
  const { by, now, facts } = command
  const found = requireComment(current, facts.commentId)
  requireStep('resolveComment', current, facts, {})
  const { resolved, ...open } = found
  if (command.resolved === (resolved !== undefined)) return { changeRequest: current, events: [] }
  const edited = command.resolved ? { ...open, resolved: { by: by.author.person, at: now } } : open
  return { changeRequest: withEdited(current, edited), events: [] }
}

/** A comment that has a text. @throws NotFoundError if there is none with this id, and if it was deleted. */
export function requireComment(current: ChangeRequest, commentId: number | undefined): Comment {
  const found = findComment(current, commentId)
  if (found !== undefined) return found
  throw new ChangeRequestError('NotFoundError', `The change request ${current.id} has no such comment.`)
}

function withEdited(current: ChangeRequest, edited: Comment): ChangeRequest {
  return { ...current, comments: current.comments.map((one) => (one.id === edited.id ? edited : one)) }
}

/**
 * Sets the requested approvers; advisory (contract 3.7). Each must be able to approve, except for those who were requested or
 * have approved before: clients send the whole list, so a user who can no longer approve must not block every further edit.
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
  if (requestedApprovers.join() === approvers.join()) return { changeRequest: current, events: [] }
  const changeRequest = { ...current, requestedApprovers: approvers }
  return { changeRequest, events: [approversEvent(changeRequest, { by, now }, requestedApprovers)] }
}
