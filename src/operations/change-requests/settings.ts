import { systemUserId } from '../../domain/events/events'
import { ChangeRequestError } from '../../errors'
import type { Settings } from '../../ports/storage'
import { toEventRows } from '../events/event-rows'
import { signatureOf } from '../people/author'
import { callHook } from '../runtime/call-hook'
import { acceptsAnyTag } from '../runtime/etag'
import { now, type Services } from '../runtime/services'
import type { Caller } from './existing'

export interface EnvironmentSettings extends Settings {
  readonly environment: string
  /** Environment type, such as `production`. */
  readonly type: string
}

/** What holds in one environment: what is set there, else the default. */
export async function settingsOf(services: Services, project: string, environment: string): Promise<Settings> {
  return (await services.storage.findSettings({ project, environment }))?.settings ?? defaultSettings(services)
}

/** All environments of the project with what holds there (contract 3.2). */
export async function listSettings(services: Services, project: string): Promise<EnvironmentSettings[]> {
  const { storage, directory } = services
  const stored = await storage.settings(project)
  const set = new Map(stored.map(({ environment, settings }) => [environment, settings]))
  const known = await callHook(services, 'directory.environments', () => directory.environments?.(project))
  const environments = known ?? stored.map(({ environment }) => ({ name: environment, type: 'production' }))
  return [...environments].map(({ name, type }) => ({
    environment: name,
    type,
    ...(set.get(name) ?? defaultSettings(services)),
  }))
}

export interface SettingsChange extends Caller {
  readonly project: string
  readonly environment: string
  readonly changeRequestsEnabled: boolean
  /** Null: stays as it is. */
  readonly requiredApprovals: number | null
}

/** Sets what holds in one environment; an event tells of it if anything changed. */
export async function changeSettings(services: Services, input: SettingsChange): Promise<void> {
  const { project, environment, changeRequestsEnabled } = input
  if (input.ifMatch !== undefined && !acceptsAnyTag(input.ifMatch)) {
    throw new ChangeRequestError('PreconditionFailedError', 'Settings carry no entity tag; only If-Match: * passes.')
  }
  await services.writer.retryOnConflict(async () => {
    const stored = await services.storage.findSettings({ project, environment })
    const before = stored?.settings ?? defaultSettings(services)
    const after = { changeRequestsEnabled, requiredApprovals: input.requiredApprovals ?? before.requiredApprovals }
    const same =
      before.changeRequestsEnabled === after.changeRequestsEnabled &&
      before.requiredApprovals === after.requiredApprovals
    if (same && stored?.settings != null) return true
    const events = same ? [] : [{ ...eventBase(services, input), data: after, preData: { ...before } }]
    const won = await services.storage.commitSettings({
      project,
      environment,
      settings: after,
      expectedVersion: stored?.version ?? 0,
      events: toEventRows(events, services.settings.linkBase),
    })
    return won || undefined
  })
}

function eventBase(services: Services, input: SettingsChange) {
  const { signature, ip } = signatureOf(input.actor, input.ip, services.settings)
  return {
    type: 'change-request-configuration-updated' as const,
    createdAt: now(services),
    createdBy: signature,
    createdByUserId: input.actor.id ?? systemUserId,
    environment: input.environment,
    project: input.project,
    featureName: null,
    tags: [],
    ip,
    groupType: null,
    groupId: null,
  }
}

function defaultSettings({ settings }: Services): Settings {
  const { changeRequestsEnabled, requiredApprovals } = settings
  return { changeRequestsEnabled, requiredApprovals }
}
