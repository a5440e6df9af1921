import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../../domain/change-request'
import { type EventDraft, systemUserId } from '../../domain/events/events'
import type { RecordedEvent } from '../../generated/index'
import type { TransactionStorage } from '../../ports/storage'
import { now, type Services } from '../runtime/services'
import { toEventRows } from './event-rows'

type Facts = { readonly [key: string]: JsonValue } | null

/** Appends events of the host at the present time, except those without a difference (contract 8.3). */
export async function recordEvents(
  services: Services,
  events: readonly RecordedEvent[],
  storage: TransactionStorage,
): Promise<void> {
  const createdAt = now(services)
  const drafts = events.map((event) => toEventDraft(event, createdAt)).filter(hasDifference)
  await storage.appendEvents(toEventRows(drafts, services.settings.linkBase))
}

/** The event with defaults for what the host left out. */
export function toEventDraft(event: RecordedEvent, createdAt: string): EventDraft {
  return {
    type: event.type,
    createdAt,
    createdBy: event.createdBy ?? 'unknown',
    createdByUserId: event.createdByUserId ?? systemUserId,
    environment: event.environment ?? null,
    project: event.project ?? null,
    featureName: event.featureName ?? null,
    data: (event.data ?? null) as Facts,
    preData: (event.preData ?? null) as Facts,
    tags: event.tags ?? [],
    ip: event.ip ?? null,
    groupType: event.groupType ?? null,
    groupId: event.groupId ?? null,
  }
}

/** False for an event whose `data` equals its `preData` (contract 8.3). */
export function hasDifference({ data, preData }: EventDraft): boolean {
  return data === null || !isDeepStrictEqual(data, preData)
}
