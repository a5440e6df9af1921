import type { EventType } from '../../generated/index'
import type { EventDraft } from './events'
import { summary } from './summary'

/**
 * The JSON text of an event as the log serves it, without its id: field order, label and summary are fixed here,
 * and a read copies the text (contract 9.1, 10).
 */
export function eventJson(event: EventDraft, linkBase: string): string {
  return JSON.stringify({
    createdAt: event.createdAt,
    type: event.type,
    createdBy: event.createdBy,
    createdByUserId: event.createdByUserId,
    environment: event.environment,
    project: event.project,
    featureName: event.featureName,
    data: event.data,
    preData: event.preData,
    tags: event.tags,
    label: label(event.type),
    summary: summary(event, linkBase),
    ip: event.ip,
  })
}

/** `Change request created` for `change-request-created`. */
export function label(type: EventType): string {
  const words = type.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
