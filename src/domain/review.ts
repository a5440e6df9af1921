import { ChangeRequestError } from '../errors'
import type { ChangeRequest, JsonValue, Vote } from './change-request'
import { onlyFeature } from './content/grouping'
import { type CommentLimits, requireRoomForComments } from './content/size'
import type { Decision, Reviewer } from './decision'
import { changeRequestEvent, type EventDraft } from './events/events'
import type { State } from './lifecycle'
import { alreadyIs, requireAuthor, requireAuthorOrAdmin, requireTransition } from './rules'

/** Who does something, and when. */
export interface Occasion {
  readonly by: Reviewer
  readonly now: string
}

/** What every step to another state goes by. */
export interface StepOccasion extends Occasion {
  /** Becomes an ordinary comment with the transition (contract 3.7); null for none. */
  readonly comment: string | null
  readonly commentLimits: CommentLimits
}

/** What a vote goes by. */
export interface VoteOccasion extends StepOccasion {
  /** Of all that would be carried out now: what a vote is bound to. */
  readonly digest: string
  /** An ADMIN may vote on an own change request; the event says so. */
  readonly adminSelfApproval: boolean
}

/** What sending to review goes by. */
export interface SubmitOccasion extends StepOccasion {
  /** As the environment has it now. */
  readonly requiredApprovals: number
}

/** The votes after the changes were altered: none, because nobody has seen what is there now (contract 6.3). */
export function votesAfterEdit(): Pick<ChangeRequest, 'approvals'> {
  return { approvals: [] }
}

/** Draft -> In review, by its author. A minimum that was raised meanwhile holds for it too (contract 3.3). */
export function submit(current: ChangeRequest, occasion: SubmitOccasion): Decision {
  requireAuthor(current, occasion.by, 'send it to review')
  const commented = withComment(current, occasion)
  const state = requireTransition(current, 'submit', 'In review')
  if (current.changes.length === 0) {
    throw new ChangeRequestError('ConflictError', 'There is nothing to review: the change request has no changes.')
  }
  const minApprovals = Math.max(current.minApprovals, occasion.requiredApprovals)
  const sent = enter({ ...commented, minApprovals }, state, occasion)
  return { changeRequest: sent, events: [tell('change-request-sent-to-review', sent, occasion)] }
}

/**
 * One more approval; at the minimum the change request becomes Approved (contract 6.2). An Approved one takes approvals
 * while too few of them are for what would be carried out now (contract 6.3).
 */
export function approve(current: ChangeRequest, occasion: VoteOccasion): Decision {
  const { by, now, digest } = occasion
  const own = requireSecondPair(current, occasion, 'approve')
  const commented = withComment(current, occasion)
  const reached = requireTransition(current, 'approve', 'Approved')
  if (current.state === 'Approved' && isApproved(current, digest)) throw alreadyIs('Approved')
  if (hasApproved(current, by, digest)) {
    throw new ChangeRequestError('ConflictError', 'You have approved this change request already.')
  }
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest }
  // A vote of the same person that no longer counts makes way.
  const others = current.approvals.filter(({ createdBy }) => createdBy.id !== by.author.person.id)
  const counted = { ...commented, approvals: [...others, vote] }
  const enough = isApproved(counted, digest)
  const voted = enter(counted, enough ? reached : current.state, occasion)
  const facts = { digest, ...(own ? { selfApproval: true } : {}) }
  const events = [tell('change-request-approval-added', voted, occasion, facts)]
  if (enough && current.state !== 'Approved') events.push(tell('change-request-approved', voted, occasion))
  return { changeRequest: voted, events }
}

/** In review -> Rejected by a second pair of eyes; Scheduled -> Rejected by whoever may stop it. */
export function reject(current: ChangeRequest, occasion: VoteOccasion): Decision {
  const { by, now, digest } = occasion
  if (current.state !== 'Scheduled') requireSecondPair(current, occasion, 'reject')
  const commented = withComment(current, occasion)
  const state = requireTransition(current, 'reject', 'Rejected')
  if (current.state === 'In review' && hasApproved(current, by, digest)) {
    throw new ChangeRequestError(
      'ConflictError',
      'You have approved this change request; it cannot be rejected by you.',
    )
  }
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest }
  const rejections = [...current.rejections, vote]
  const changeRequest = enter({ ...commented, rejections, schedule: null }, state, occasion)
  return { changeRequest, events: [tell('change-request-rejected', changeRequest, occasion)] }
}

/** -> Cancelled: a draft by its author, what is in review or approved also by an ADMIN. */
export function cancel(current: ChangeRequest, occasion: StepOccasion): Decision {
  requireAuthorOrAdmin(current, occasion.by, 'cancel it')
  const commented = withComment(current, occasion)
  const changeRequest = enter(commented, requireTransition(current, 'cancel', 'Cancelled'), occasion)
  return { changeRequest, events: [tell('change-request-cancelled', changeRequest, occasion)] }
}

/** The approvals that were given for exactly this. */
function countedApprovals({ approvals }: ChangeRequest, digest: string): readonly Vote[] {
  return approvals.filter((vote) => vote.digest === digest)
}

function isApproved(current: ChangeRequest, digest: string): boolean {
  return countedApprovals(current, digest).length >= current.minApprovals
}

/**
 * Enough people approved exactly what would be carried out (contract 6.3).
 *
 * @throws ConflictError that says how many approvals are missing, and whether others were given for something else.
 */
export function requireReviewed(current: ChangeRequest, digest: string): void {
  if (isApproved(current, digest)) return
  const counted = countedApprovals(current, digest).length
  const stale = current.approvals.length - counted
  throw new ChangeRequestError(
    'ConflictError',
    stale === 0
      ? `The change request has ${counted} of ${current.minApprovals} approvals.`
      : `What would be carried out now is not what was approved: the changes that come along by default are different ` +
          `now, or the stored changes are. It has ${counted} of ${current.minApprovals} approvals as it is, and takes new ones.`,
  )
}

/** True for an own change request, where the option lets an ADMIN vote nevertheless. */
function requireSecondPair(current: ChangeRequest, { by, adminSelfApproval }: VoteOccasion, what: string): boolean {
  const { id } = by.author.person
  const own = current.createdBy.id === id || current.changes.some(({ createdBy }) => createdBy.id === id)
  if (!own || (adminSelfApproval && by.admin)) return own
  throw new ChangeRequestError(
    'OperationDeniedError',
    `You cannot ${what} a change request that you made or changed: it takes a second pair of eyes.`,
  )
}

function hasApproved(current: ChangeRequest, { author }: Reviewer, digest: string): boolean {
  return countedApprovals(current, digest).some(({ createdBy }) => createdBy.id === author.person.id)
}

/** With the comment that came with a step. @throws ExceedsLimitError when there is no room for it. */
export function withComment(
  current: ChangeRequest,
  { by, now, comment, commentLimits }: Pick<StepOccasion, 'by' | 'now' | 'comment' | 'commentLimits'>,
): ChangeRequest {
  if (comment === null) return current
  const id = current.comments.length + 1
  const comments = [...current.comments, { id, text: comment, createdBy: by.author.person, createdAt: now }]
  requireRoomForComments(comments, commentLimits)
  return { ...current, comments }
}

/** In its new state. */
export function enter(current: ChangeRequest, state: State, { now }: Pick<Occasion, 'now'>): ChangeRequest {
  if (state === current.state && state !== 'Scheduled') return current
  return { ...current, state, stateTimestamps: { ...current.stateTimestamps, [state]: now } }
}

/** An event about the change request as a whole. */
export function tell(
  type: EventDraft['type'],
  changeRequest: ChangeRequest,
  { by, now }: Occasion,
  facts: { readonly [key: string]: JsonValue } = {},
): EventDraft {
  return changeRequestEvent(type, changeRequest, {
    author: by.author,
    now,
    featureName: onlyFeature(changeRequest),
    facts,
  })
}
