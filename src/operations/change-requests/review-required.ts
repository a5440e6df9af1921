import type { Scope } from '../../ports/access'
import type { Settings } from '../../ports/storage'
import type { Services } from '../runtime/services'
import { type EnvironmentSettings, listSettings, settingsOf } from './settings'

/** Where something is written: in an environment, or in all environments of a project. */
export interface WritePlace extends Scope {
  readonly project: string
}

/** Whether a direct write needs a review. */
export interface ReviewRequirement {
  readonly required: boolean
  /** The known environments that take change requests. */
  readonly environments: readonly string[]
  /** The one of them with the highest minimum of approvals, and of several the last; undefined where none is known. */
  readonly strictest: string | undefined
}

/**
 * A write to a whole project needs a review if any environment of the project takes change requests. Without a host that
 * names all of them, there may be more than those with a setting: for these the default decides.
 */
export async function reviewRequirement(
  services: Services,
  { project, environment }: WritePlace,
): Promise<ReviewRequirement> {
  if (environment !== undefined) {
    const required = isOn(await settingsOf(services, project, environment))
    return { required, environments: required ? [environment] : [], strictest: environment }
  }
  const known = await listSettings(services, project)
  const enabled = known.filter(isOn)
  const complete = known.length > 0 && services.directory.environments !== undefined
  return {
    required: enabled.length > 0 || (!complete && services.settings.changeRequestsEnabled),
    environments: enabled.map(({ environment }) => environment),
    strictest: strictestOf(enabled),
  }
}

function strictestOf(enabled: readonly EnvironmentSettings[]): string | undefined {
  const highest = Math.max(...enabled.map(({ requiredApprovals }) => requiredApprovals))
  return enabled.findLast(({ requiredApprovals }) => requiredApprovals === highest)?.environment
}

/** Only a clear no is one: a storage may be the host's. */
function isOn({ changeRequestsEnabled }: Settings): boolean {
  return changeRequestsEnabled !== false
}
