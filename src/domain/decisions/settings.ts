import type { Machine } from '../change-request'
import { actorOf, createdByKind, type EventDraft, systemUserId } from '../events/events'

/** The settings of an environment of a project. */
export interface Settings {
  /** Whether change requests are accepted. */
  readonly changeRequestsEnabled: boolean
  /** Approvals that a new change request needs, 1 to 10. */
  readonly requiredApprovals: number
}

/** An environment without stored settings, for `changeRequestsEnabled` and `requiredApprovals`. */
export interface EnvironmentWithoutSettings {
  /** The project, as in the path. */
  readonly project: string
  /** Null stands for the environments of the project that the router does not know, without `directory.environments`. */
  readonly environment: string | null
  /** As `directory.environments` returns it, else `production`. Null if `environment` is null. */
  readonly type: string | null
}

/** A setting, or a function that returns it. */
export type SettingOrFunction<Value> = Value | ((environment: EnvironmentWithoutSettings) => Value | Promise<Value>)

export interface SettingsCommand {
  readonly project: string
  readonly environment: string
  readonly userId: number | null
  readonly machine: Machine
  readonly signature: string
  readonly ip: string | null
  readonly now: string
}

/** The new settings of an environment and the event about them; no event if nothing changes (contract 3.2). */
export function changeSettings(
  before: Settings,
  wanted: { readonly changeRequestsEnabled: boolean; readonly requiredApprovals: number | null },
  command: SettingsCommand,
): { readonly settings: Settings; readonly events: readonly EventDraft[] } {
  const { changeRequestsEnabled, requiredApprovals } = wanted
  const settings = { changeRequestsEnabled, requiredApprovals: requiredApprovals ?? before.requiredApprovals }
  const same =
    settings.changeRequestsEnabled === before.changeRequestsEnabled &&
    settings.requiredApprovals === before.requiredApprovals
  if (same) return { settings, events: [] }
  const { project, environment, userId, machine, signature, ip, now } = command
  const event: EventDraft = {
    type: 'change-request-configuration-updated',
    createdAt: now,
    createdBy: signature,
    createdByUserId: userId ?? systemUserId,
    ...createdByKind(machine),
    environment,
    project,
    featureName: null,
    data: { ...settings, ...actorOf(machine) },
    preData: { ...before },
    tags: [],
    ip,
    groupType: null,
    groupId: null,
  }
  return { settings, events: [event] }
}
