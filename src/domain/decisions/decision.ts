import { affectsProject } from '../actions/table'
import type { ApprovalRecord, ChangeRequest, Ending } from '../change-request'
import type { CommentLimits } from '../content/size'
import { type LifeEventType, stateAfter } from '../events/effects'
import type { Attribution, EventDraft } from '../events/events'
import type { State } from '../lifecycle'
import type { Facts } from '../steps/facts'
import type { FactsOf, Step } from '../steps/steps'

/** The result of a decision: the new aggregate and its events, to be stored together. */
export interface Decision {
  readonly changeRequest: ChangeRequest
  readonly events: readonly EventDraft[]
  /** The change request itself is deleted; its events stay. */
  readonly removed?: true
}

export interface StepCommand<S extends Step> extends Attribution {
  readonly facts: FactsOf<S>
}

export interface CommentedCommand<S extends Step> extends StepCommand<S> {
  /** Stored as an ordinary comment together with the step (contract 3.7); null for none. */
  readonly comment: string | null
}

/** The input of a step that a change request can take repeatedly, each time with a comment. */
export interface LimitedCommand<S extends Step> extends CommentedCommand<S> {
  readonly commentLimits: CommentLimits
}

/** What the option `logComments` adds to the event of a step: its comment and the custom title, where there are any. */
export function loggedTexts(
  { options }: Pick<Facts, 'options'>,
  { comment = null, title = null }: { readonly comment?: string | null; readonly title?: string | null },
): { readonly comment?: string; readonly title?: string } {
  if (!options.logComments) return {}
  return { ...(comment !== null && { comment }), ...(title !== null && { title }) }
}

/** Stores who closed it, the comment of that step, and what its approvals were compared with. */
export function withEnding(
  changeRequest: ChangeRequest,
  { by, comment }: Pick<CommentedCommand<Step>, 'by' | 'comment'>,
  record: ApprovalRecord | undefined,
  scheduled?: true,
): ChangeRequest {
  const ended: Ending = {
    ...record,
    by: by.author.person,
    ...(comment === null ? {} : { commentId: lastCommentId(changeRequest) }),
    ...(scheduled === true ? { scheduled } : {}),
  }
  return { ...changeRequest, ended }
}

/** Sets the state after the event, and its timestamp. Scheduling again sets a new timestamp. */
export function enterState(
  current: ChangeRequest,
  event: Exclude<LifeEventType, 'change-request-discarded'>,
  now: string,
): ChangeRequest {
  const state = stateAfter(event, current.state) as State
  if (state === current.state && state !== 'Scheduled') return current
  return withFinalComments({ ...current, state, stateTimestamps: { ...current.stateTimestamps, [state]: now } })
}

/** At a vote or a change of the state, the comments up to then become final: others have relied on them. */
export function withFinalComments(changeRequest: ChangeRequest): ChangeRequest {
  const finalComments = lastCommentId(changeRequest)
  return finalComments === 0 ? changeRequest : { ...changeRequest, finalComments }
}

/** 0 before the first comment. A comment that was sent with a step is the last one. */
export function lastCommentId({ comments }: ChangeRequest): number {
  return comments.at(-1)?.id ?? 0
}

/** The minimum of its own environment, even if its changes affect other environments. */
export function ownMinimum({ minApprovals, ownMinApprovals = minApprovals }: ChangeRequest): number {
  return ownMinApprovals
}

/** The minimum of its environment, or the highest of all gated ones if a change affects the project (contract 3.3). */
export function withMinimum(
  changeRequest: ChangeRequest,
  own: number,
  gatedMinimum: number | undefined,
): ChangeRequest {
  const { ownMinApprovals: _, ...others } = changeRequest
  if (!affectsProject(changeRequest.changes)) return { ...others, minApprovals: own }
  if (gatedMinimum === undefined) throw new Error('The minimum of the other environments was not looked up.')
  return { ...others, minApprovals: Math.max(own, gatedMinimum), ownMinApprovals: own }
}
