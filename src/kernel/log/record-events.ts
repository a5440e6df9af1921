import { isDeepStrictEqual } from 'node:util'
import type { JsonValue, Machine } from '../../domain/change-request'
import { createdByKind, type EventDraft, systemUserId } from '../../domain/events/events'
import type { RecordedEvent } from '../../generated/index'
import type { TransactionStorage } from '../../ports/storage/storage'
import { type HostServices, now } from '../host-services'
import { toEventRows } from './event-rows'

type Facts = { readonly [key: string]: JsonValue } | null

/** A write that passed the gate without a review. */
export interface Skip {
  readonly by: string
  readonly userId: number | null
  /** Empty for a person. */
  readonly machine: Machine
  readonly reason: string | null
  /** The name of the freeze in force; null for none, `unknown` if the freezes could not be read. */
  readonly freeze: string | null
}

/**
 * Appends events of the host app at the current time, except those without a difference (contract 8.3).
 *
 * @param skip stored with each event, if a write that skipped the review records them (contract 18)
 */
export async function recordEvents(
  services: HostServices,
  events: readonly RecordedEvent[],
  storage: TransactionStorage,
  skip?: Skip,
): Promise<void> {
  const createdAt = now(services)
  const { telemetry } = services
  const { traceparent: trace } = telemetry.scope()
  const different = events.map((event) => toEventDraft(event, createdAt)).filter(hasDifference)
  const skipped = skip === undefined ? different : different.map((draft) => withSkip(draft, skip))
  const drafts = trace === undefined ? skipped : skipped.map((draft) => ({ ...draft, trace }))
  await telemetry.span('commit', () => storage.appendEvents(toEventRows(drafts, services.options)))
}

function withSkip(draft: EventDraft, { by, userId, machine, reason, freeze }: Skip): EventDraft {
  const { kind = 'person' } = machine
  const isCreator = draft.createdByUserId === userId
  return {
    ...draft,
    ...(isCreator ? createdByKind(machine) : {}),
    data: { ...draft.data, skippedChangeRequest: { by, id: userId, kind, reason, freeze } },
  }
}

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
