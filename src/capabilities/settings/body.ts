import { toApprovalCount } from '../../domain/approval/check-rules'
import type { SettingsUpdate } from '../../generated/index'
import { checkBody } from '../../validation/check-body'

/** The settings that a caller requests for an environment. */
export interface RequestedSettings {
  readonly changeRequestsEnabled: boolean
  /** From 1 to 10; null leaves the stored value. */
  readonly requiredApprovals: number | null
}

/**
 * Reads the body with the settings of an environment, after `guardBody`.
 *
 * @throws BadDataError with the first problem
 */
export function parseSettings(body: unknown): RequestedSettings {
  const { changeRequestsEnabled, requiredApprovals = null } = checkBody<SettingsUpdate>('settingsUpdate', body)
  return {
    changeRequestsEnabled,
    requiredApprovals: requiredApprovals === null ? null : toApprovalCount(requiredApprovals),
  }
}
