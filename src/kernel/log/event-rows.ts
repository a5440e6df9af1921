import { eventJson } from '../../domain/events/event-json'
import type { EventDraft } from '../../domain/events/events'
import type { LinkOptions } from '../../domain/links'
import type { EventRow } from '../../ports/storage/events'

export function toEventRows(events: readonly EventDraft[], options: LinkOptions): EventRow[] {
  return events.map((event) => ({
    type: event.type,
    createdAt: event.createdAt,
    project: event.project,
    environment: event.environment,
    featureName: event.featureName,
    createdByUserId: event.createdByUserId,
    ...(event.createdByKind && { createdByKind: event.createdByKind }),
    groupType: event.groupType,
    groupId: event.groupId,
    changeRequestId: changeRequestIdOf(event),
    json: eventJson(event, options),
  }))
}

/** Clients find the change request of an event in `data`, else in `preData` (contract 8.1). */
function changeRequestIdOf({ type, data, preData }: EventDraft): number | null {
  const id = data?.changeRequestId ?? preData?.changeRequestId
  return type.startsWith('change-') && typeof id === 'number' && Number.isSafeInteger(id) ? id : null
}
