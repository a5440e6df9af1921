import { isExpired } from '../approval/expiry'
import type { ChangeRequest, VoidedApproval, Vote } from '../change-request'
import type { Facts } from './facts'

const maxVoidedApprovals = 50

/** An edit of the changes removes all approvals, because nobody has reviewed the new changes (contract 6.3). */
export function votesAfterEdit(
  { approvals, voidedApprovals = [] }: ChangeRequest,
  voiding: Pick<VoidedApproval, 'at' | 'cause' | 'causedBy'>,
): Pick<ChangeRequest, 'approvals' | 'voidedApprovals'> {
  if (approvals.length === 0) return { approvals }
  const voided = approvals.map(({ createdBy: by }): VoidedApproval => ({ by, ...voiding }))
  return { approvals: [], voidedApprovals: [...voidedApprovals, ...voided].slice(-maxVoidedApprovals) }
}

/** True if an edit would discard decisions of other users: their approvals, or the state Approved. */
export function voidsVotes({ state, approvals }: ChangeRequest): boolean {
  return state !== 'Draft' && (state !== 'In review' || approvals.length > 0)
}

/** True if this user has approved exactly what would be applied, and the approval has not expired. */
export function hasApproved(
  current: ChangeRequest,
  { userId, digest, expiry }: Pick<Facts, 'userId' | 'digest' | 'expiry'>,
): boolean {
  const counted = countedApprovals(current, { digest, expiry, approvers: undefined })
  return counted.some(({ createdBy }) => createdBy.id === userId)
}

/** The unexpired approvals of exactly what would be applied, from users whose approvals still count. */
export function countedApprovals(
  { approvals }: Pick<ChangeRequest, 'approvals'>,
  { digest, approvers, expiry }: Pick<Facts, 'digest' | 'approvers' | 'expiry'>,
): readonly Vote[] {
  return approvals.filter(
    (vote) => vote.digest === digest && (approvers?.has(vote.createdBy.id) ?? true) && !isExpired(vote, expiry),
  )
}
