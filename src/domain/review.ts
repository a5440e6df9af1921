import { ChangeRequestError } from '../errors'
import type { ChangeRequest, JsonValue, Vote } from './change-request'
import type { Decision, Reviewer } from './decision'
import { changeRequestEvent, type EventDraft } from './events'
import { onlyFeature } from './grouping'
import type { State } from './lifecycle'
import { follow, requireAuthor, requireAuthorOrAdmin } from './rules'

export interface Circumstances {
  readonly by: Reviewer
  readonly now: string
  /** Becomes an ordinary comment with the transition (contract 3.7); null for none. */
  readonly comment: string | null
  /** Of the changes as they stand: what a vote is bound to. */
  readonly digest: string
  /** An ADMIN may vote on an own change request; the event says so. */
  readonly adminSelfApproval: boolean
}

/** The votes after the changes were altered: none, because nobody has seen what is there now (contract 6.3). */
export function votesAfterEdit(): Pick<ChangeRequest, 'approvals'> {
  return { approvals: [] }
}

/** Draft -> In review, by its author. */
export function submit(current: ChangeRequest, circumstances: Circumstances): Decision {
  requireAuthor(current, circumstances.by, 'send it to review')
  const state = follow(current, 'submit', 'In review')
  if (current.changes.length === 0) {
    throw new ChangeRequestError('ConflictError', 'There is nothing to review: the change request has no changes.')
  }
  const sent = enter(current, state, circumstances)
  const events = [tell('change-request-sent-to-review', sent, circumstances)]
  if (sent.minApprovals > 0) return { changeRequest: sent, events }
  const approved = enter(sent, 'Approved', { ...circumstances, comment: null })
  return { changeRequest: approved, events: [...events, tell('change-request-approved', approved, circumstances)] }
}

/** One more approval; at the minimum the change request becomes Approved (contract 6.2). */
export function approve(current: ChangeRequest, circumstances: Circumstances): Decision {
  const { by, now, digest } = circumstances
  const own = requireSecondPair(current, circumstances, 'approve')
  const reached = follow(current, 'approve', 'Approved')
  if (hasApproved(current, by)) {
    throw new ChangeRequestError('ConflictError', 'You have approved this change request already.')
  }
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest }
  const approvals = [...current.approvals, vote]
  const enough = approvals.length >= current.minApprovals
  const voted = enter({ ...current, approvals }, enough ? reached : current.state, circumstances)
  const facts = { digest, ...(own ? { selfApproval: true } : {}) }
  const events = [tell('change-request-approval-added', voted, circumstances, facts)]
  if (enough) events.push(tell('change-request-approved', voted, circumstances))
  return { changeRequest: voted, events }
}

/** In review -> Rejected by a second pair of eyes; Scheduled -> Rejected by whoever may stop it. */
export function reject(current: ChangeRequest, circumstances: Circumstances): Decision {
  const { by, now, digest } = circumstances
  if (current.state !== 'Scheduled') requireSecondPair(current, circumstances, 'reject')
  const state = follow(current, 'reject', 'Rejected')
  if (current.state === 'In review' && hasApproved(current, by)) {
    throw new ChangeRequestError(
      'ConflictError',
      'You have approved this change request; it cannot be rejected by you.',
    )
  }
  const vote: Vote = { createdBy: by.author.person, createdAt: now, digest }
  const rejections = [...current.rejections, vote]
  const changeRequest = enter({ ...current, rejections, schedule: null }, state, circumstances)
  return { changeRequest, events: [tell('change-request-rejected', changeRequest, circumstances)] }
}

/** -> Cancelled: a draft by its author, what is in review or approved also by an ADMIN. */
export function cancel(current: ChangeRequest, circumstances: Circumstances): Decision {
  requireAuthorOrAdmin(current, circumstances.by, 'cancel it')
  const changeRequest = enter(current, follow(current, 'cancel', 'Cancelled'), circumstances)
  return { changeRequest, events: [tell('change-request-cancelled', changeRequest, circumstances)] }
}

/**
 * What stands may be applied: enough people approved exactly this.
 *
 * @throws ConflictError that says how many approvals are missing, or that the changes are not the approved ones.
 */
export function requireReviewed(current: ChangeRequest, digest: string): void {
  if (current.approvals.some((vote) => vote.digest !== digest)) {
    throw new ChangeRequestError('ConflictError', 'The stored changes are not those that were approved.')
  }
  const missing = current.minApprovals - current.approvals.length
  if (missing <= 0) return
  throw new ChangeRequestError(
    'ConflictError',
    `The change request has ${current.approvals.length} of ${current.minApprovals} approvals.`,
  )
}

/** True for an own change request, where the option lets an ADMIN vote nevertheless. */
function requireSecondPair(current: ChangeRequest, { by, adminSelfApproval }: Circumstances, what: string): boolean {
  const { id } = by.author.person
  const own = current.createdBy.id === id || current.changes.some(({ createdBy }) => createdBy.id === id)
  if (!own || (adminSelfApproval && by.admin)) return own
  throw new ChangeRequestError(
    'OperationDeniedError',
    `You cannot ${what} a change request that you made or changed: it takes a second pair of eyes.`,
  )
}

function hasApproved(current: ChangeRequest, { author }: Reviewer): boolean {
  return current.approvals.some(({ createdBy }) => createdBy.id === author.person.id)
}

/** The change request in its new state, with the comment that came along. */
export function enter(
  current: ChangeRequest,
  state: State,
  { by, now, comment }: Pick<Circumstances, 'by' | 'now' | 'comment'>,
): ChangeRequest {
  const moved = state !== current.state || state === 'Scheduled'
  const { comments } = current
  return {
    ...current,
    state,
    stateTimestamps: moved ? { ...current.stateTimestamps, [state]: now } : current.stateTimestamps,
    comments:
      comment === null
        ? comments
        : [...comments, { id: comments.length + 1, text: comment, createdBy: by.author.person, createdAt: now }],
  }
}

/** An event about the change request as a whole. */
export function tell(
  type: EventDraft['type'],
  changeRequest: ChangeRequest,
  { by, now }: Pick<Circumstances, 'by' | 'now'>,
  facts: { readonly [key: string]: JsonValue } = {},
): EventDraft {
  return changeRequestEvent(type, changeRequest, {
    author: by.author,
    now,
    featureName: onlyFeature(changeRequest),
    facts,
  })
}
