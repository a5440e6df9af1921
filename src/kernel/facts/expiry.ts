import type { ApprovalExpiry } from '../../domain/approval/expiry'
import type { ChangeRequest } from '../../domain/change-request'
import { isClosed } from '../../domain/lifecycle'
import type { Facts } from '../../domain/steps/facts'
import type { Limits } from '../../options/limits'
import { digestOf } from '../digest'
import { type HostServices, now } from '../host-services'

export function approvalExpiry(services: Pick<HostServices, 'clock' | 'options'>): ApprovalExpiry | undefined {
  const { approvalsExpireAfterMs: afterMs } = services.options
  return afterMs === null ? undefined : { afterMs, at: now(services) }
}

/** Read when the decision is made: approvals count at exactly the time that is stored with it. */
export function decisionTime(services: Pick<HostServices, 'clock' | 'options'>) {
  const expiry = approvalExpiry(services)
  return { now: expiry?.at ?? now(services), expiry }
}

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

/** True for an apply attempt that has had no result for `applyTimeoutMs`. */
export function isInterrupted(
  { clock, options }: { clock(): Date; readonly options: { readonly limits: Pick<Limits, 'applyTimeoutMs'> } },
  { applying }: ChangeRequest,
): boolean {
  return applying != null && clock().getTime() - Date.parse(applying.startedAt) >= options.limits.applyTimeoutMs
}
