import type { Settings } from '../../domain/decisions/settings'
import type { Environment } from '../../ports/directory'
import type { StoredSettings } from '../../ports/storage/settings'
import type { HostServices } from '../host-services'
import { callHook, describeValue, invalidHookResult } from './hooks'

/** The stored settings of an environment, or the defaults. */
export function settingsIn({ options }: HostServices, stored: StoredSettings | undefined): Settings {
  const { changeRequestsEnabled, requiredApprovals } = options
  return stored?.settings ?? { changeRequestsEnabled, requiredApprovals }
}

export interface EnvironmentSettings extends Settings {
  readonly environment: string
  /** Environment type, such as `production`. */
  readonly type: string
}

export async function settingsOf(services: HostServices, project: string, environment: string): Promise<Settings> {
  return settingsIn(services, await services.storage.findSettings({ project, environment }))
}

export async function listSettings(services: HostServices, project: string): Promise<EnvironmentSettings[]> {
  const stored = await services.storage.settings(project)
  const set = new Map(stored.map(({ environment, settings }) => [environment, settings]))
  const known = await knownEnvironments(services, project)
  const environments = known ?? stored.map(({ environment }) => ({ name: environment, type: 'production' }))
  const defaults = settingsIn(services, undefined)
  return environments.map(({ name, type }) => ({ environment: name, type, ...(set.get(name) ?? defaults) }))
}

/** Undefined if the host app has no `environments` hook; the hook returns all environments. */
async function knownEnvironments(services: HostServices, project: string): Promise<Environment[] | undefined> {
  const { directory } = services
  if (directory.environments === undefined) return undefined
  const hook = 'directory.environments'
  const known: unknown = await callHook(services, hook, () => directory.environments?.(project))
  if (typeof (known as Iterable<Environment> | null | undefined)?.[Symbol.iterator] !== 'function') {
    throw invalidHookResult(hook, describeValue(known), 'a list of { name, type }')
  }
  const environments = [...(known as Iterable<Environment>)]
  // An environment without a name would never be gated.
  const nameless = environments.find((one) => typeof one?.name !== 'string')
  if (nameless !== undefined) throw invalidHookResult(hook, describeValue(nameless), 'a list of { name, type }')
  return environments
}

export interface GatedEnvironment {
  /** Undefined for the one that stands for all environments that the host app does not name. */
  readonly environment: string | undefined
  readonly requiredApprovals: number
}

/**
 * The environments of a project in which change requests are enabled (contract 18). Unless the host app returns all of its
 * environments, one further environment with the default settings is added.
 */
export async function gatedEnvironments(services: HostServices, project: string, own?: string) {
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
  // Not complete: there may be more environments than those with stored settings.
  return { gated, complete }
}

/** Any value except `false` means enabled, in case a custom storage returns something else. */
export function isEnabled({ changeRequestsEnabled }: Settings): boolean {
  return changeRequestsEnabled !== false
}
