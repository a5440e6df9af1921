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

/** True if this user has approved exactly what would be applied. */
export function hasApproved(current: ChangeRequest, id: number | null, digest: string): boolean {
  return countedApprovals(current, { digest, approvers: undefined }).some(({ createdBy }) => createdBy.id === id)
}

/** The approvals of exactly what would be applied, from users whose approvals still count. */
export function countedApprovals(
  { approvals }: ChangeRequest,
  { digest, approvers }: Pick<Facts, 'digest' | 'approvers'>,
): readonly Vote[] {
  return approvals.filter((vote) => vote.digest === digest && (approvers?.has(vote.createdBy.id) ?? true))
}
