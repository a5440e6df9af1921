import type { EventCursor, EventSearch, FoundEvents } from '../../../ports/storage'
import { rangeOf } from '../shared/event-filter'
import { beyond, type EventStatements, newest, type PageRequest, reached } from './page-request'

/** A page of the whole log or of one project; how many events that has is known. */
export async function searchLog(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { filter, cursor = newest, limit, grouped } = search
  const request: PageRequest = {
    filter,
    ids: [],
    range: rangeOf(cursor),
    forward: 'after' in cursor,
    limit,
    offset: 0,
    grouped,
    total: { kind: 'log', project: filter.projects?.[0] ?? '' },
    planKept: filter.projects === undefined,
  }
  return found(statements, request, cursor)
}

async function found(statements: EventStatements, request: PageRequest, cursor: EventCursor): Promise<FoundEvents> {
  const answer = await statements.page(request)
  const { searched, lastId } = reached(request, answer)
  return {
    page: { ...answer.page, searched, lastId },
    total: answer.total,
    isExact: true,
    next: searched === request.limit && searched > 0 ? beyond(cursor, lastId) : null,
  }
}

/** A page of events that the filter names by their ids or groups. */
export async function searchDirectly(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { filter, cursor = newest, offset, limit, grouped, mostCounted } = search
  const request: PageRequest = {
    filter,
    ids: [],
    range: rangeOf(cursor),
    forward: 'after' in cursor,
    limit,
    offset,
    grouped,
    total: { kind: 'counted', above: -1, most: mostCounted },
  }
  const result = await found(statements, request, cursor)
  return { ...result, isExact: result.total < mostCounted }
}
