import type { ApprovalExpiry } from '../../domain/approval/expiry'
import type { ChangeRequest } from '../../domain/change-request'
import type { Facts } from '../../domain/steps/facts'
import { digestOf } from '../digest'
import { isClosed } from '../host/places'
import type { HostServices } from '../host-services'
import { approvalExpiry } from './expiry'

/**
 * The digest of a closed change request, as it was stored then (contract 6.3). Without it, because an earlier version closed it,
 * that of the last approval: an edit would have removed the approval.
 */
export function closedDigest({ changes, approvals, ended }: ChangeRequest): string {
  return ended?.digest ?? approvals.at(-1)?.digest ?? digestOf({ changes })
}

/** The users whose approvals counted when it was closed; undefined if all approvals of its content count. */
export function closedApprovers({ ended }: ChangeRequest): Facts['approvers'] {
  return ended?.counted && new Set(ended.counted)
}

/** When approvals expire, for a view: one that expired after the change request was closed counted until then. */
export function expiryInView(
  services: Pick<HostServices, 'clock' | 'options'>,
  { state, stateTimestamps }: ChangeRequest,
): ApprovalExpiry | undefined {
  const expiry = approvalExpiry(services)
  const closedAt = isClosed({ state }) ? stateTimestamps[state] : undefined
  return expiry && { ...expiry, at: closedAt ?? expiry.at }
}
