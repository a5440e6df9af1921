import type { SettingsUpdate } from '../../generated/index'
import { checkBody } from './check-body'

const mostApprovals = 10

/** The settings of an environment as a caller wants them. */
export interface RequestedSettings {
  readonly changeRequestsEnabled: boolean
  /** From 1 to 10; null to leave it as it is. */
  readonly requiredApprovals: number | null
}

/**
 * Reads the body that sets whether an environment takes change requests, and how many approvals they need.
 *
 * @throws BadDataError with what is wrong first
 */
export function parseSettings(body: unknown): RequestedSettings {
  const { changeRequestsEnabled, requiredApprovals = null } = checkBody<SettingsUpdate>('settingsUpdate', body)
  return {
    changeRequestsEnabled,
    requiredApprovals: requiredApprovals === null ? null : Math.min(Math.max(requiredApprovals, 1), mostApprovals),
  }
}
