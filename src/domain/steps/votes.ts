import type { ChangeRequest, Vote } from '../change-request'
import type { Facts } from './facts'

/** An edit of the changes removes all approvals, because nobody has reviewed the new changes (contract 6.3). */
export function votesAfterEdit(): Pick<ChangeRequest, 'approvals'> {
  return { approvals: [] }
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
