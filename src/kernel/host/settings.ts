import { approvalCountText, isApprovalCount } from '../../domain/approval/check-rules'
import type { EnvironmentWithoutSettings, Settings } from '../../domain/decisions/settings'
import type { Environment } from '../../ports/directory'
import type { SettingsPlace, StoredSettings } from '../../ports/storage/settings'
import type { HostServices } from '../host-services'
import { callHook, describeValue, invalidHookResult } from './hooks'

/** The type of environments that `directory.environments` does not return. */
const unlistedType = 'production'

interface PlaceOfDefaults extends Pick<EnvironmentWithoutSettings, 'project' | 'environment'> {
  /** Left out: it is looked up if an option is a function. */
  readonly type?: string | null
}

/** The options as the settings of an environment that has none stored. Functions are called once. */
export async function defaultSettings(services: HostServices, place: PlaceOfDefaults): Promise<Settings> {
  const { changeRequestsEnabled: enabled, requiredApprovals: approvals } = services.options
  if (typeof enabled !== 'function' && typeof approvals !== 'function') {
    return { changeRequestsEnabled: enabled, requiredApprovals: approvals }
  }
  const { project, environment, type = await typeOf(services, place) } = place
  const unset: EnvironmentWithoutSettings = { project, environment, type }
  const [changeRequestsEnabled, requiredApprovals] = await Promise.all([
    typeof enabled === 'function' ? callHook(services, 'changeRequestsEnabled', () => enabled(unset)) : enabled,
    typeof approvals === 'function' ? callHook(services, 'requiredApprovals', () => approvals(unset)) : approvals,
  ])
  if (typeof changeRequestsEnabled !== 'boolean') {
    throw invalidHookResult('changeRequestsEnabled', describeValue(changeRequestsEnabled), 'a boolean')
  }
  if (!isApprovalCount(requiredApprovals)) {
    throw invalidHookResult('requiredApprovals', describeValue(requiredApprovals), approvalCountText)
  }
  return { changeRequestsEnabled, requiredApprovals }
}

async function typeOf(services: HostServices, { project, environment }: PlaceOfDefaults): Promise<string> {
  const known = await knownEnvironments(services, project)
  return known?.find(({ name }) => name === environment)?.type ?? unlistedType
}

/** The settings of a place, once it is known what is stored there. */
export type SettingsReader = (stored: StoredSettings | undefined) => Settings

/**
 * For commits: they read what is stored where no hook can be awaited. If a hook fails, its error is thrown only for a place
 * without stored settings.
 */
export async function settingsReader(services: HostServices, place: SettingsPlace): Promise<SettingsReader> {
  try {
    const defaults = await defaultSettings(services, place)
    return (stored) => stored?.settings ?? defaults
  } catch (error) {
    return (stored) => {
      if (stored?.settings == null) throw error
      return stored.settings
    }
  }
}

export async function settingsOf(services: HostServices, project: string, environment: string): Promise<Settings> {
  const stored = await services.storage.findSettings({ project, environment })
  return stored?.settings ?? defaultSettings(services, { project, environment })
}

export interface EnvironmentSettings extends Settings {
  readonly environment: string
  /** Environment type, such as `production`. */
  readonly type: string
}

export async function listSettings(services: HostServices, project: string): Promise<EnvironmentSettings[]> {
  const environments = await listEnvironments(services, project)
  return Promise.all(
    environments.map(async ({ name: environment, type, settings }) => ({
      ...{ environment, type },
      ...(settings ?? (await defaultSettings(services, { project, environment, type }))),
    })),
  )
}

/** The environments of a project, with the settings that are stored. */
export async function listEnvironments(services: HostServices, project: string) {
  const { set, known } = await readEnvironments(services, project)
  const environments = known ?? [...set.keys()].map((name) => ({ name, type: unlistedType }))
  return environments.map(({ name, type }) => ({ name, type, settings: set.get(name) }))
}

/** The stored settings by environment, and what the host app knows. */
async function readEnvironments(services: HostServices, project: string) {
  const [stored, known] = await Promise.all([services.storage.settings(project), knownEnvironments(services, project)])
  return { set: new Map(stored.map(({ environment, settings }) => [environment, settings])), known }
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
 * environments, one further environment without a name and settings is added.
 */
export async function gatedEnvironments(services: HostServices, project: string, own?: string) {
  const { set, known = [] } = await readEnvironments(services, project)
  const complete = known.length > 0
  const unlisted = [...(own === undefined ? [] : [own]), ...set.keys()].map((name) => ({ name, type: unlistedType }))
  const named = new Map((complete ? known : unlisted).map(({ name, type }) => [name, type]))
  const all = [...named, ...(complete ? [] : [[null, null] as const])].map(async ([environment, type]) => {
    const stored = environment === null ? undefined : set.get(environment)
    return { environment, ...(stored ?? (await defaultSettings(services, { project, environment, type }))) }
  })
  const gated = (await Promise.all(all)).filter(isEnabled).map(
    ({ environment, requiredApprovals }): GatedEnvironment => ({
      environment: environment ?? undefined,
      requiredApprovals,
    }),
  )
  // Not complete: there may be more environments than those with stored settings.
  return { gated, complete }
}

/** Any value except `false` means enabled, in case a custom storage returns something else. */
export function isEnabled({ changeRequestsEnabled }: Settings): boolean {
  return changeRequestsEnabled !== false
}
