import { eventJson } from '../../domain/events/event-json'
import type { EventDraft } from '../../domain/events/events'
import type { EventRow } from '../../ports/storage'

/** The events as the storage keeps them. */
export function toEventRows(events: readonly EventDraft[], linkBase: string): EventRow[] {
  return events.map((event) => ({
    type: event.type,
    createdAt: event.createdAt,
    project: event.project,
    environment: event.environment,
    featureName: event.featureName,
    createdByUserId: event.createdByUserId,
    groupType: event.groupType,
    groupId: event.groupId,
    json: eventJson(event, linkBase),
  }))
}
