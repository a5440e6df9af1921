import type { Change, ChangeRequest, NewChange } from '../change-request'
import { closedStates } from '../lifecycle'
import { segmentId } from '../segment-id'

/** The segment of a change with the name that the change gives it. */
export function namedSegment(change: NewChange): NamedSegment {
  const { name } = change.payload as { name?: unknown }
  return { id: segmentId(change), name: typeof name === 'string' ? name : null }
}

export interface NamedSegment {
  readonly id: number
  readonly name: string | null
}

/** The flag of all changes, if they have the same one. */
export function onlyFeature({ changes }: ChangeRequest): string | null {
  const first = changes[0]?.feature ?? null
  return changes.every((change) => change.feature === first) ? first : null
}

/** The changes by flag, flags in the order of their lowest change id (contract 5.1). */
export function groupByFeature(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    if (change.feature === null) continue
    const group = groups.get(change.feature)
    if (group) group.push(change)
    else groups.set(change.feature, [change])
  }
  return groups
}

/** The changes of segments, by id (contract 5.1). */
export function segmentChanges(changes: readonly Change[]): Change[] {
  return changes.filter((change) => change.feature === null)
}

/**
 * The subjects that find a change request: its flags, its segments, its requested approvers, the users who have approved it,
 * and what it reverts. A closed one is not found by its approvals, so that these stay few.
 */
export function subjectsOf({ state, changes, requestedApprovers, approvals, reverts }: ChangeRequest): string[] {
  const subjects = new Set(changes.map(changeSubject))
  if (!closedStates.includes(state)) for (const { createdBy } of approvals) subjects.add(approvedSubject(createdBy.id))
  for (const id of requestedApprovers) subjects.add(approverSubject(id))
  if (reverts !== undefined) subjects.add(revertedSubject(reverts))
  return [...subjects]
}

/** The subject of the flag or segment that the change alters. */
export function changeSubject(change: Change): string {
  return change.feature === null ? segmentSubject(segmentId(change)) : featureSubject(change.feature)
}

export function featureSubject(feature: string): string {
  return `feature:${feature}`
}

export function segmentSubject(id: number): string {
  return `segment:${id}`
}

export function approverSubject(userId: number): string {
  return `approver:${userId}`
}

/** The subject of change requests that are not closed and that the user has approved. */
export function approvedSubject(userId: number): string {
  return `approved:${userId}`
}

/** The subject of change requests that revert the one with this id. */
export function revertedSubject(id: number): string {
  return `reverts:${id}`
}
