import type { ChangeRequest, Vote } from './change-request'

/** The votes after an edit of the changes: no approvals, because nobody has reviewed the new ones (contract 6.3). */
export function votesAfterEdit(): Pick<ChangeRequest, 'approvals'> {
  return { approvals: [] }
}

/** True if enough people approved exactly what would be applied (contract 6.3). */
export function isApproved(current: ChangeRequest, digest: string | undefined): boolean {
  return countedApprovals(current, digest).length >= current.minApprovals
}

/** True if this person has approved exactly what would be applied. */
export function hasApproved(current: ChangeRequest, id: number | null, digest: string | undefined): boolean {
  return countedApprovals(current, digest).some(({ createdBy }) => createdBy.id === id)
}

/** The votes for exactly what would be applied. */
export function countedApprovals({ approvals }: ChangeRequest, digest: string | undefined): readonly Vote[] {
  return approvals.filter((vote) => vote.digest === digest)
}
