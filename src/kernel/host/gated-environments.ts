import type { Settings } from '../../domain/decisions/settings'
import type { HostServices } from '../host-services'
import { knownEnvironments, settingsIn } from './settings'

/** An environment of a project in which change requests are enabled. */
export interface GatedEnvironment {
  /** Undefined for the one that stands for all environments that the host app does not name. */
  readonly environment: string | undefined
  readonly requiredApprovals: number
}

export interface GatedEnvironments {
  /** In the order in which the host app returns them. */
  readonly gated: readonly GatedEnvironment[]
  /** False if the host app does not return its environments: there may be more than those with stored settings. */
  readonly complete: boolean
}

/**
 * The environments of a project in which change requests are enabled (contract 18). Unless the host app returns all of its
 * environments, one further environment with the default settings is added.
 *
 * @param own an environment that exists, whether or not it has stored settings
 */
export async function gatedEnvironments(
  services: HostServices,
  project: string,
  own?: string,
): Promise<GatedEnvironments> {
  const [stored, known = []] = await Promise.all([
    services.storage.settings(project),
    knownEnvironments(services, project),
  ])
  const set = new Map(stored.map(({ environment, settings }) => [environment, settings]))
  const complete = known.length > 0
  const named = complete ? known.map(({ name }) => name) : [...(own === undefined ? [] : [own]), ...set.keys()]
  const defaults = settingsIn(services, undefined)
  const settings = [...new Set(named)].map((name) => [name, set.get(name) ?? defaults] as const)
  const all = complete ? settings : [...settings, [undefined, defaults] as const]
  const gated = all
    .filter(([, one]) => isEnabled(one))
    .map(([environment, { requiredApprovals }]): GatedEnvironment => ({ environment, requiredApprovals }))
  return { gated, complete }
}

/** Any value except `false` means enabled, in case a custom storage returns something else. */
export function isEnabled({ changeRequestsEnabled }: Settings): boolean {
  return changeRequestsEnabled !== false
}
