import type { EnvironmentSettingsView } from '../../generated/index'
import type { EnvironmentSettings } from '../../kernel/settings'

/** The settings of an environment (contract 3.2); where change requests are off, no approvals are required. */
export function toSettingsView(settings: EnvironmentSettings): EnvironmentSettingsView {
  const { environment, type, changeRequestsEnabled, requiredApprovals } = settings
  return {
    environment,
    type,
    changeRequestEnabled: changeRequestsEnabled,
    requiredApprovals: changeRequestsEnabled ? requiredApprovals : null,
  }
}
