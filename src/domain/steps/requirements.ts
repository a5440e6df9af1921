import type { ChangeRequest, Person } from '../change-request'
import { countedApprovals } from '../votes'

/** Approvals that a change request needs before it can be applied. */
export interface Requirement {
  readonly name: string
  /** How many it needs. */
  readonly approvals: number
  /** How many it has. */
  readonly given: number
  /** Whose approvals count; null for every holder of the permission. */
  readonly from: { readonly groups: readonly string[]; readonly users: readonly number[] } | null
  readonly approvedBy: readonly Person[]
  /** Whether enough people could approve; null where nobody knows. */
  readonly satisfiable: boolean | null
}

/** All that have to be met, the minimum of the environment first. @param digest of what would be applied now */
export function requirementsOf(current: ChangeRequest, digest: string): readonly Requirement[] {
  const counted = countedApprovals(current, digest)
  const minimum: Requirement = {
    name: 'minimum',
    approvals: current.minApprovals,
    given: counted.length,
    from: null,
    approvedBy: counted.map(({ createdBy }) => createdBy),
    satisfiable: null,
  }
  return [minimum]
}

export function isMet({ approvals, given }: Requirement): boolean {
  return given >= approvals
}
