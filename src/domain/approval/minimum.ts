import type { ChangeRequest } from '../change-request'
import { affectsProject } from '../content/scope'

/** The minimum of its own environment, even if its changes affect other environments. */
export function ownMinimum({ minApprovals, ownMinApprovals = minApprovals }: ChangeRequest): number {
  return ownMinApprovals
}

/**
 * The change request with the minimum that its changes need: that of its environment, or the highest of all gated
 * environments if one of the changes affects the whole project (contract 3.3).
 *
 * @param gatedMinimum the highest minimum of all gated environments of the project; undefined if it was not looked up
 */
export function withMinimum(
  changeRequest: ChangeRequest,
  own: number,
  gatedMinimum: number | undefined,
): ChangeRequest {
  const { ownMinApprovals: _, ...others } = changeRequest
  if (!affectsProject(changeRequest.changes)) return { ...others, minApprovals: own }
  if (gatedMinimum === undefined) throw new Error('The minimum of the other environments was not looked up.')
  return { ...others, minApprovals: Math.max(own, gatedMinimum), ownMinApprovals: own }
}
