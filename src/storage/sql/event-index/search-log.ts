import {
  beyond,
  type EventCursor,
  type EventFilter,
  type EventPage,
  type EventSearch,
  type FoundEvents,
  newest,
} from '../../../ports/storage/events'
import { rangeOf } from '../queries/event-filter'
import { onlyProject } from './access'
import { type EventStatements, reached } from './page-request'

/** Reads a page of the whole log or of one project. The total comes from the counts. */
export async function searchLog(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { filter, cursor = newest, limit, grouped } = search
  const { page, total } = await statements.logSearch(logPageRequest(filter, cursor, limit, grouped))
  return found(search, page, total)
}

/** Reads a page of the events whose ids or groups are in the filter. */
export async function searchDirectly(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { filter, cursor = newest, offset, limit, grouped, maxCounted } = search
  const total = { kind: 'counted', above: -1, max: maxCounted } as const
  const place = { filter, ids: [], range: rangeOf(cursor), forward: 'after' in cursor }
  const request = { ...place, offset, limit, grouped, total }
  const result = await statements.page(request)
  const page = { ...result.page, ...reached(request, result) }
  return { ...found(search, page, result.total), isExact: result.total < maxCounted }
}

function found({ cursor = newest, limit }: EventSearch, page: EventPage, total: number): FoundEvents {
  const { searched, lastId } = page
  const next = searched === limit && searched > 0 ? beyond(cursor, lastId) : null
  return { page, total, isExact: true, next, offsetLeft: 0 }
}

export function logPageRequest(filter: EventFilter, cursor: EventCursor, limit: number, grouped: boolean) {
  return { project: onlyProject(filter), range: rangeOf(cursor), forward: 'after' in cursor, limit, grouped }
}
