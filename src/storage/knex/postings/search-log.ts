import { beyond, type EventSearch, type FoundEvents, newest } from '../../../ports/storage/events'
import { rangeOf } from '../shared/event-filter'
import { type EventStatements, type PageRequest, reached } from './page-request'

/** Reads a page of the whole log or of one project. The total comes from the counts. */
export async function searchLog(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { projects } = search.filter
  const total = { kind: 'log', project: projects?.[0] ?? '' } as const
  return searchRange(statements, search, { offset: 0, total, reusePlan: projects === undefined })
}

/** Reads a page of the events whose ids or groups are in the filter. */
export async function searchDirectly(statements: EventStatements, search: EventSearch): Promise<FoundEvents> {
  const { offset, maxCounted } = search
  const total = { kind: 'counted', above: -1, max: maxCounted } as const
  const found = await searchRange(statements, search, { offset, total })
  return { ...found, isExact: found.total < maxCounted }
}

/** Reads a page of the matches after the cursor, without the index. */
async function searchRange(
  statements: EventStatements,
  { filter, cursor = newest, limit, grouped }: EventSearch,
  options: Pick<PageRequest, 'offset' | 'total' | 'reusePlan'>,
): Promise<FoundEvents> {
  const request = { filter, ids: [], range: rangeOf(cursor), forward: 'after' in cursor, limit, grouped, ...options }
  const result = await statements.page(request)
  const { searched, lastId } = reached(request, result)
  return {
    page: { ...result.page, searched, lastId },
    total: result.total,
    isExact: true,
    next: searched === limit && searched > 0 ? beyond(cursor, lastId) : null,
    offsetLeft: 0,
  }
}
