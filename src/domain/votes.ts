import { ChangeRequestError } from '../errors'
import type { ChangeRequest, Person, Vote } from './change-request'

/** The votes after an edit of the changes: no approvals, because nobody has reviewed the new ones (contract 6.3). */
export function votesAfterEdit(): Pick<ChangeRequest, 'approvals'> {
  return { approvals: [] }
}

/** True if enough people approved exactly what would be applied (contract 6.3). */
export function isApproved(current: ChangeRequest, digest: string): boolean {
  return countedApprovals(current, digest).length >= current.minApprovals
}

/** True if this person has approved exactly what would be applied. */
export function hasApproved(current: ChangeRequest, { id }: Person, digest: string): boolean {
  return countedApprovals(current, digest).some(({ createdBy }) => createdBy.id === id)
}

/**
 * Requires enough approvals of exactly what would be applied (contract 6.3).
 *
 * @throws ConflictError that says how many approvals are missing, and whether there are approvals of something else.
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

function countedApprovals({ approvals }: ChangeRequest, digest: string): readonly Vote[] {
  return approvals.filter((vote) => vote.digest === digest)
}
