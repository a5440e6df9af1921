import type { ApprovalExpiry } from '../../domain/approval/expiry'
import type { ChangeRequest } from '../../domain/change-request'
import type { DefaultChange } from '../../domain/flag-state'
import type { Facts } from '../../domain/steps/facts'
import { digestOf } from '../flags/digest'
import { isClosed } from '../flags/places'
import type { Services } from '../services'
import { approvalExpiry } from './expiry'

/**
 * The digest of a closed change request, as it was stored then (contract 6.3). Without it, because an earlier version closed
 * it, that of what was applied; of one that was not applied, that of the last approval, because an edit would have removed it.
 */
export function closedDigest({ state, changes, approvals, defaultChanges = [], ended }: ChangeRequest): string {
  const lastApproval = state === 'Applied' ? undefined : approvals.at(-1)
  const known = ended?.digest ?? lastApproval?.digest
  if (known !== undefined) return known
  const implied = defaultChanges.map((change) => [change.feature as string, change as DefaultChange] as const)
  return digestOf({ changes }, new Map(implied))
}

/** The users whose approvals counted when it was closed; undefined if all approvals of its content count. */
export function closedApprovers({ ended }: ChangeRequest): Facts['approvers'] {
  return ended?.counted && new Set(ended.counted)
}

/** When approvals expire, for a view: one that expired after the change request was closed counted until then. */
export function expiryInView(
  services: Pick<Services, 'clock' | 'options'>,
  { state, stateTimestamps }: ChangeRequest,
): ApprovalExpiry | undefined {
  const expiry = approvalExpiry(services)
  const closedAt = isClosed({ state }) ? stateTimestamps[state] : undefined
  return expiry && { ...expiry, at: closedAt ?? expiry.at }
}
