import type { EventCursor, EventFilter, EventPage, EventStorage } from '../../../ports/storage/events'
import type { StorageProblem } from '../../../ports/storage/storage'
import { searchText, type TextReads } from '../../search-text'
import { rangeOf } from '../queries/event-filter'
import { accessOf } from './access'
import { EventIndex } from './event-index'
import { type EventStatements, type PageRequest, type PageResult, reached } from './page-request'
import { logPageRequest, searchDirectly, searchLog } from './search-log'

const nothing: EventPage = { count: 0, searched: 0, lastId: 0, json: Buffer.alloc(0) }

interface EventRequest {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly limit: number
  readonly grouped?: boolean
}

export type EventReads = Pick<EventStorage, 'eventPage' | 'searchEvents' | 'eventCreators'>

/**
 * Finds events by the index of sealed blocks, and reads the events after them one by one.
 *
 * @param report receives problems with the index.
 */
export function createEventReads(
  statements: EventStatements,
  blockSize: number,
  report: (problem: StorageProblem) => void,
): EventReads {
  const index = new EventIndex(statements, blockSize, report)

  /** Reads a page of matches, with or without the index. */
  async function readPage<Result extends Pick<PageResult, 'inRange' | 'lastInRange' | 'seen'>>(
    { filter, cursor, limit, grouped = false }: EventRequest,
    statement: (request: PageRequest) => Promise<Result>,
  ) {
    const base = { filter, forward: 'after' in cursor, limit, grouped }
    const readAt = async (place: Pick<PageRequest, 'ids' | 'range' | 'offset' | 'reusePlan'>) => {
      const request = { ...base, ...place }
      const result = await statement(request)
      return { ...result, ...reached(request, result) }
    }
    return accessOf(filter) === 'index'
      ? index.read(filter, cursor, limit, (place) => readAt({ ...place, reusePlan: true }))
      : readAt({ ids: [], range: rangeOf(cursor), offset: 0 })
  }

  const reads = {
    async page(filter, cursor, limit, grouped) {
      const access = accessOf(filter)
      if (access === 'none' || limit === 0) return nothing
      if (access === 'log' && filter.query === undefined) {
        return statements.logPage(logPageRequest(filter, cursor, limit, grouped))
      }
      const { page, searched, lastId } = await readPage({ filter, cursor, limit, grouped }, statements.page)
      return { ...page, searched, lastId }
    },
    async count(filter, cursor, limit) {
      if (accessOf(filter) === 'none') return nothing
      return readPage({ filter, cursor, limit }, statements.count)
    },
  } satisfies TextReads

  return {
    eventPage: (filter, cursor, limit, grouped = false) => reads.page(filter, cursor, limit, grouped),
    eventCreators: (projects) => index.creators(projects),
    searchEvents: (search) => {
      if (search.filter.query !== undefined) return searchText(search, reads)
      switch (accessOf(search.filter)) {
        case 'none':
          return Promise.resolve({ page: nothing, total: 0, isExact: true, next: null, offsetLeft: 0 })
        case 'log':
          // With an offset, the index finds the start of the page.
          return search.offset === 0 ? searchLog(statements, search) : index.search(search)
        case 'direct':
          return searchDirectly(statements, search)
        case 'index':
          return index.search(search)
      }
    },
  }
}
