import type { ApprovalExpiry } from '../../domain/approval/expiry'
import { type HostServices, now } from '../host-services'

/** When approvals expire, at this moment; undefined if they do not. */
export function approvalExpiry(services: Pick<HostServices, 'clock' | 'options'>): ApprovalExpiry | undefined {
  const { approvalsExpireAfterMs: afterMs } = services.options
  return afterMs === null ? undefined : { afterMs, at: now(services) }
}

/**
 * The time of a decision, read when it is made. Approvals count at exactly the time that is stored with it, so none expires in
 * between.
 */
export function decisionTime(services: Pick<HostServices, 'clock' | 'options'>) {
  const expiry = approvalExpiry(services)
  return { now: expiry?.at ?? now(services), expiry }
}
