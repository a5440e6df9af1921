import type { ApprovalExpiry } from '../../domain/approval/expiry'
import { type HostServices, now } from '../host-services'

/** When approvals expire, at this moment. Read for each decision, so that no approval expires between check and decision. */
export function approvalExpiry(services: Pick<HostServices, 'clock' | 'options'>): ApprovalExpiry | undefined {
  const { approvalsExpireAfterMs: afterMs } = services.options
  return afterMs === null ? undefined : { afterMs, at: now(services) }
}
