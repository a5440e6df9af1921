import type { ChangeRequest } from '../change-request'

/** The newest of the times that a change request holds. A title and requested approvers have none of their own. */
export function lastTouched(changeRequest: ChangeRequest): string {
  const { createdAt, changes, approvals, rejections, comments, stateTimestamps } = changeRequest
  const parts = [...changes, ...approvals, ...rejections, ...comments].map((part) => part.createdAt)
  // All have one format, so they compare as texts.
  return [...parts, ...Object.values(stateTimestamps), createdAt].sort().at(-1) as string
}
