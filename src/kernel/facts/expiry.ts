import type { ApprovalExpiry } from '../../domain/approval/expiry'
import type { ChangeRequest } from '../../domain/change-request'
import { isClosed } from '../../domain/lifecycle'
import type { Limits } from '../../options/limits'
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
