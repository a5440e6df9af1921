import type { ChangedSinceView } from '../../generated/index'
import { isExpired } from '../approval/expiry'
import type { Change, ChangeRequest, VoidedApproval, Vote, VotedChange } from '../change-request'
import { openObjections } from '../content/objections'
import { phaseOf } from '../lifecycle'
import type { Facts } from './facts'

/** How many voided approvals of a change request are stored. */
export const maxVoidedApprovals = 50

/** How many changes all `votedContents` of a change request have together: at most 150 kB. */
const maxVotedChanges = 2_000

/** Nobody has reviewed the new changes (contract 6.3). What was voted on follows to the ids of the edited ones. */
export function votesAfterEdit(
  { approvals, voidedApprovals = [], votedContents }: ChangeRequest,
  changes: readonly Change[],
  voiding: Pick<VoidedApproval, 'at' | 'cause' | 'causedBy'>,
): Pick<ChangeRequest, 'approvals' | 'voidedApprovals' | 'votedContents'> {
  const voided = approvals.map((vote) => voidedBy(vote, voiding))
  const all = [...voidedApprovals, ...voided].slice(-maxVoidedApprovals)
  if (all.length === 0) return { approvals }
  const edited = new Map(changes.map(({ id, replaces }) => [replaces, id]))
  const follow = ({ id, digest }: VotedChange) => ({ id: edited.get(id) ?? id, digest })
  return {
    approvals: [],
    voidedApprovals: all,
    ...(votedContents && {
      votedContents: votedContents.map((one) => ({ ...one, changes: one.changes.map(follow) })),
    }),
  }
}

/** Without the stored approval of the user who ends it. Unchanged if there is none. */
export function withoutOwnApproval(
  current: ChangeRequest,
  voiding: Pick<VoidedApproval, 'at' | 'cause' | 'causedBy'>,
): ChangeRequest {
  const { approvals, voidedApprovals = [] } = current
  const own = approvals.find(({ createdBy }) => createdBy.id === voiding.causedBy.id)
  if (own === undefined) return current
  return {
    ...current,
    approvals: approvals.filter((vote) => vote !== own),
    voidedApprovals: [...voidedApprovals, voidedBy(own, voiding)].slice(-maxVoidedApprovals),
  }
}

function voidedBy(
  { createdBy: by, groups, ...vote }: Vote,
  voiding: Pick<VoidedApproval, 'at' | 'cause' | 'causedBy'>,
): VoidedApproval {
  return { by, ...voiding, vote }
}

/** Stores what a vote is for, unless an earlier vote was for the same. The oldest contents are dropped if all are too large. */
export function withVotedContent(
  changeRequest: ChangeRequest,
  { digest, votedChanges: changes }: Pick<Facts, 'digest' | 'votedChanges'>,
): ChangeRequest {
  const { votedContents = [] } = changeRequest
  const all = [...votedContents.filter((one) => one.digest !== digest), { digest, changes }]
  const sizeFrom = (index: number) => all.slice(index).reduce((sum, { changes }) => sum + changes.length, 0)
  return { ...changeRequest, votedContents: all.filter((_, index) => sizeFrom(index) <= maxVotedChanges) }
}

/** The changes compared with those that a user voted on, by id; those that no longer exist come last. */
export function changedSince(voted: readonly VotedChange[], current: readonly VotedChange[]): ChangedSinceView[] {
  const gone = new Map(voted.map(({ id, digest }) => [id, digest]))
  const compared = current.map(({ id, digest }): ChangedSinceView => {
    const before = gone.get(id)
    gone.delete(id)
    return { id, status: before === undefined ? 'new' : before === digest ? 'same' : 'edited' }
  })
  return [...compared, ...[...gone.keys()].map((id) => ({ id, status: 'gone' }) as const)]
}

/** True if an edit would discard decisions of other users: their approvals and objections, or the state Approved. */
export function voidsVotes(current: ChangeRequest): boolean {
  const phase = phaseOf(current.state)
  if (phase !== 'review') return phase !== 'draft'
  return current.approvals.length > 0 || openObjections(current).length > 0
}

export function hasApproved(
  current: ChangeRequest,
  { userId, digest, expiry }: Pick<Facts, 'userId' | 'digest' | 'expiry'>,
): boolean {
  const counted = countedApprovals(current, { digest, expiry, approvers: undefined })
  return counted.some(({ createdBy }) => createdBy.id === userId)
}

/**
 * The unexpired approvals of exactly what would be applied, from users whose approvals still count. Without a digest, what would
 * be applied is unknown, and all of them may count.
 */
export function countedApprovals(
  { approvals }: Pick<ChangeRequest, 'approvals'>,
  { digest, approvers, expiry }: Pick<Facts, 'approvers' | 'expiry'> & { readonly digest: string | null },
): readonly Vote[] {
  return approvals.filter(
    (vote) =>
      (digest === null || vote.digest === digest) &&
      (approvers?.has(vote.createdBy.id) ?? true) &&
      !isExpired(vote, expiry),
  )
}
