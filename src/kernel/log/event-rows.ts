import { eventJson } from '../../domain/events/event-json'
import type { EventDraft } from '../../domain/events/events'
import type { LinkOptions } from '../../domain/links'
import type { EventRow } from '../../ports/storage/events'

export function toEventRows(events: readonly EventDraft[], options: LinkOptions): EventRow[] {
  return events.map((event) => ({
    ...bodyColumns(event),
    ...(event.createdByKind && { createdByKind: event.createdByKind }),
    ...(event.trace && { trace: event.trace }),
    groupType: event.groupType,
    groupId: event.groupId,
    json: eventJson(event, options),
  }))
}

type BodyColumns = Omit<EventRow, 'json' | 'createdByKind' | 'groupType' | 'groupId' | 'trace'>

/** The columns of an event whose values are in its JSON text, too. */
export function bodyColumns(
  event: Omit<BodyColumns, 'changeRequestId'> & Pick<EventDraft, 'data' | 'preData'>,
): BodyColumns {
  return {
    type: event.type,
    createdAt: event.createdAt,
    project: event.project,
    environment: event.environment,
    featureName: event.featureName,
    createdByUserId: event.createdByUserId,
    changeRequestId: changeRequestIdOf(event),
  }
}

/** Clients find the change request of an event in `data`, else in `preData` (contract 8.1). */
function changeRequestIdOf({
  type,
  data,
  preData,
}: Pick<BodyColumns, 'type'> & Pick<EventDraft, 'data' | 'preData'>): number | null {
  const id = data?.changeRequestId ?? preData?.changeRequestId
  return type.startsWith('change-') && typeof id === 'number' && Number.isSafeInteger(id) ? id : null
}
