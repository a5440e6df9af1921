import { changeSettings as decideSettings } from '../../domain/decisions/settings'
import { ChangeRequestError } from '../../errors'
import { acceptsTag } from '../../kernel/etag'
import { machineOf, signatureOf } from '../../kernel/host/author'
import { settingsReader } from '../../kernel/host/settings'
import { now } from '../../kernel/host-services'
import { toEventRows } from '../../kernel/log/event-rows'
import type { Services } from '../../kernel/services'
import type { Caller } from '../../kernel/step/step-input'
import { traced } from '../../kernel/writer/decide-all'
import type { SettingsPlace } from '../../ports/storage/settings'

interface SettingsChange extends Pick<Caller, 'actor' | 'ip' | 'ifMatch'>, SettingsPlace {
  readonly changeRequestsEnabled: boolean
  /** From 1 to 10; null leaves the stored value. */
  readonly requiredApprovals: number | null
}

export async function changeSettings(services: Services, input: SettingsChange): Promise<void> {
  const { actor, ip, project, environment } = input
  const caller = { userId: actor.id, machine: machineOf(actor), ...signatureOf(actor, ip, services.options) }
  if (input.ifMatch !== undefined && !acceptsTag(input.ifMatch, '*')) {
    const text = 'Settings have no entity tag. Send If-Match: * or no If-Match.'
    throw new ChangeRequestError('PreconditionFailedError', text)
  }
  const settingsIn = await settingsReader(services, { project, environment })
  await services.writer.retryOnConflict(async () => {
    const stored = await services.storage.findSettings({ project, environment })
    const before = settingsIn(stored)
    const { settings, events } = decideSettings(before, input, { project, environment, ...caller, now: now(services) })
    if (events.length === 0 && stored?.settings != null) return true
    const write = {
      ...{ project, environment, settings, expectedVersion: stored?.version ?? 0 },
      events: toEventRows(traced(events, services.telemetry.scope().traceparent), services.options),
    }
    const won = await services.telemetry.span('commit', () => services.storage.commitSettings(write))
    if (won) services.onSettingsChanged?.({ project, environment })
    return won || undefined
  })
}
