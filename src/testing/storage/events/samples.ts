import type { EventCursor, EventFilter, EventRow } from '../../../ports/storage/events'
import type { Storage } from '../../../ports/storage/storage'
import { eventsOf, moment } from '../../samples'

export const newest: EventCursor = { before: Number.MAX_SAFE_INTEGER }
export const oldest: EventCursor = { after: 0 }

/** The columns of an event that a test sets; the others are null. */
export interface EventFacts extends Partial<Omit<EventRow, 'json'>> {
  readonly data?: unknown
  readonly preData?: unknown
  readonly tags?: readonly { readonly type: string; readonly value: string }[]
  readonly createdBy?: string
  readonly label?: string
  readonly summary?: string
}

/** Returns an event with every field that the API returns. */
export function event({ data = null, preData = null, tags = [], ...facts }: EventFacts = {}): EventRow {
  const { groupType = null, groupId = null, changeRequestId = null, ...others } = facts
  const { createdBy = 'ann', label = 'Label', summary = 'Summary', ...given } = others
  const columns = {
    createdAt: moment,
    type: 'feature-updated',
    project: null,
    environment: null,
    featureName: null,
    createdByUserId: null,
    ...given,
  }
  const json = JSON.stringify({ ...columns, createdBy, data, preData, tags, label, summary, ip: null })
  return { ...columns, groupType, groupId, changeRequestId, json }
}

/** Appends them and returns their ids. */
export async function appended(storage: Storage, events: readonly EventRow[]): Promise<number[]> {
  const { lastId } = await storage.eventHead({})
  await storage.appendEvents(events)
  const page = await storage.eventPage({}, { after: lastId }, 10_000)
  return eventsOf(page).map(({ id }) => id)
}

/** Returns the positions in `ids` of the matching events, newest first. */
export async function found(storage: Storage, ids: readonly number[], filter: EventFilter): Promise<number[]> {
  const page = await storage.eventPage(filter, newest, 10_000)
  return eventsOf(page).map(({ id }) => ids.indexOf(id))
}

/** Reads a page and returns its position and the ids on it. */
export async function paged(storage: Storage, filter: EventFilter, cursor: EventCursor, limit: number) {
  const page = await storage.eventPage(filter, cursor, limit)
  const { count, searched, lastId } = page
  return { ids: eventsOf(page).map(({ id }) => id), count, searched, lastId }
}
