import { beyond, type EventSearch, type FoundEvents, newest } from '../../../ports/storage/events'
import { rangeOf } from '../shared/event-filter'
import { type EventStatements, type PageRequest, reached } from './page-request'

/** A page of the whole log or of one project; how many events that has is known. */
export async function searchLog(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { projects } = search.filter
  const total = { kind: 'log', project: projects?.[0] ?? '' } as const
  return searchRange(statements, search, { offset: 0, total, planKept: projects === undefined })
}

/** A page of events that the filter names by their ids or groups. */
export async function searchDirectly(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { offset, mostCounted } = search
  const total = { kind: 'counted', above: -1, most: mostCounted } as const
  const found = await searchRange(statements, search, { offset, total })
  return { ...found, isExact: found.total < mostCounted }
}

/** A page of all that is beside the cursor; the index is not asked. */
async function searchRange(
  statements: EventStatements,
  { filter, cursor = newest, limit, grouped }: EventSearch,
  asked: Pick<PageRequest, 'offset' | 'total' | 'planKept'>,
): Promise<FoundEvents> {
  const request = { filter, ids: [], range: rangeOf(cursor), forward: 'after' in cursor, limit, grouped, ...asked }
  const answer = await statements.page(request)
  const { searched, lastId } = reached(request, answer)
  return {
    page: { ...answer.page, searched, lastId },
    total: answer.total,
    isExact: true,
    next: searched === limit && searched > 0 ? beyond(cursor, lastId) : null,
    offsetLeft: 0,
  }
}
