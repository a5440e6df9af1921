import type { ApprovalExpiry } from '../../domain/approval/expiry'
import { now, type Services } from '../services'

/** When approvals expire, at this moment. Read for each decision, so that no approval expires between check and decision. */
export function approvalExpiry(services: Pick<Services, 'clock' | 'options'>): ApprovalExpiry | undefined {
  const { approvalsExpireAfterMs: afterMs } = services.options
  return afterMs === null ? undefined : { afterMs, at: now(services) }
}
