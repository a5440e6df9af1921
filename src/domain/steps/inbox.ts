import type { ReviewListItemView } from '../../generated'
import { states } from '../../generated/lists'
import { type ApprovalExpiry, isExpired } from '../approval/expiry'
import type { ChangeRequest, VoidedApproval } from '../change-request'
import { isOwn } from '../content/authors'
import { involvedIn, stoppedFor } from '../content/grouping'
import { objectorsOf, openObjections } from '../content/objections'
import { isOpen, type State } from '../lifecycle'

export type Because = ReviewListItemView['because'][number]

interface NeedFacts {
  /** Null without a user id: then nothing needs the caller. */
  readonly userId: number | null
  /** By permissions alone. */
  readonly mayApprove: boolean
  readonly mayApply: boolean
  readonly conflict: boolean
  readonly overwrites: boolean
  readonly expiry: ApprovalExpiry | undefined
}

/** Why the change request needs the user, in the order in which the inbox lists it; empty if it does not. */
export function becauseOf(changeRequest: ChangeRequest, facts: NeedFacts): Because[] {
  const { state, createdBy, approvals, minApprovals, requestedApprovers, schedule, emergency } = changeRequest
  const { voidedApprovals = [] } = changeRequest
  const isVoided = ({ by, cause }: VoidedApproval) => by.id === userId && (cause === 'edit' || cause === 'rebase')
  const isObjected = openObjections(changeRequest).length > 0
  const { userId, mayApprove, mayApply, conflict, overwrites, expiry } = facts
  if (userId === null) return []
  const own = createdBy.id === userId
  const ownVote = approvals.find((vote) => vote.createdBy.id === userId)
  const expired = ownVote !== undefined && isExpired(ownVote, expiry)
  const reviewed = (ownVote !== undefined && !expired) || objectorsOf(changeRequest).includes(userId)
  const unexpired = approvals.filter((vote) => !isExpired(vote, expiry))
  const lapsed = state === 'Approved' && expiry !== undefined && unexpired.length < minApprovals
  const toReview = (state === 'In review' || lapsed) && mayApprove && !isOwn(changeRequest, userId) && !reviewed
  const stopped = stoppedFor(changeRequest).includes(userId)
  const toAcknowledge = emergency?.acknowledgement === null && mayApprove && !involvedIn(changeRequest).includes(userId)
  const answers: { readonly [code in Because]: boolean } = {
    review: toReview,
    requested: toReview && requestedApprovers.includes(userId),
    'approvals-voided': toReview && (expired || voidedApprovals.some(isVoided)),
    apply: state === 'Approved' && mayApply && !lapsed && !isObjected,
    suspended: stopped && schedule?.status === 'suspended',
    failed: stopped && schedule?.status === 'failed',
    acknowledge: toAcknowledge,
    objection: own && isObjected,
    conflict: own && isOpen(state) && conflict,
    overwrite: own && isOpen(state) && overwrites,
  }
  return (Object.keys(answers) as Because[]).filter((code) => answers[code])
}

interface ActionableFacts {
  readonly state: State
  readonly own: boolean
  readonly reviewed: boolean
}

/** The permissions for a change request with these facts; undefined if no permission is enough (contract 3.4, 8). */
export function actionableWith({ state, own, reviewed }: ActionableFacts) {
  if (state === 'Approved') return { permission: 'APPLY_CHANGE_REQUEST', admin: false } as const
  if (state !== 'In review' || reviewed) return undefined
  // Authors also need ADMIN.
  return { permission: 'APPROVE_CHANGE_REQUEST', admin: own } as const
}

/** The states in which anyone can approve or apply a change request. */
export const actionableStates: readonly State[] = states.filter(
  (state) => actionableWith({ state, own: false, reviewed: false }) !== undefined,
)
