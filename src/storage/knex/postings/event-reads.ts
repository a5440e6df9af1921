import type { EventCursor, EventFilter, EventPage, EventStorage } from '../../../ports/storage/events'
import type { StorageProblem } from '../../../ports/storage/storage'
import { rangeOf } from '../shared/event-filter'
import { accessOf } from './access'
import { EventIndex } from './event-index'
import { type EventStatements, type PageAnswer, type PageRequest, reached } from './page-request'
import { searchDirectly, searchLog } from './search-log'

const nothing: EventPage = { count: 0, searched: 0, lastId: 0, json: Buffer.alloc(0) }

interface Asked {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly limit: number
  readonly grouped?: boolean
}

export type EventReads = Pick<EventStorage, 'eventPage' | 'countEvents' | 'searchEvents'>

/**
 * Finds events by the index of sealed blocks, and by looking at those behind it.
 *
 * @param report receives what is wrong with the index.
 */
export function createEventReads(
  statements: EventStatements,
  blockSize: number,
  report: (problem: StorageProblem) => void,
): EventReads {
  const index = new EventIndex(statements, blockSize, report)

  /** Asks for a page of what matches, wherever it is found. */
  async function ask<Answer extends Pick<PageAnswer, 'inRange' | 'lastInRange' | 'seen'>>(
    { filter, cursor, limit, grouped = false }: Asked,
    statement: (request: PageRequest) => Promise<Answer>,
  ) {
    const asked = { filter, forward: 'after' in cursor, limit, grouped }
    const answerAt = async (place: Pick<PageRequest, 'ids' | 'range' | 'offset'>) => {
      const request = { ...asked, ...place }
      const answer = await statement(request)
      return { ...answer, ...reached(request, answer) }
    }
    return accessOf(filter) === 'index'
      ? index.read(filter, cursor, limit, answerAt)
      : answerAt({ ids: [], range: rangeOf(cursor), offset: 0 })
  }

  return {
    async eventPage(filter, cursor, limit, grouped = false) {
      const access = accessOf(filter)
      if (access === 'none' || limit === 0) return nothing
      if (access === 'log' && filter.text === undefined) {
        return statements.logPage(filter.projects?.[0], cursor, limit, grouped)
      }
      const { page, searched, lastId } = await ask({ filter, cursor, limit, grouped }, statements.page)
      return { ...page, searched, lastId }
    },
    async countEvents(filter, cursor, limit) {
      if (accessOf(filter) === 'none' || limit === 0) return { count: 0, searched: 0, lastId: 0 }
      const { count, searched, lastId } = await ask({ filter, cursor, limit }, statements.count)
      return { count, searched, lastId }
    },
    searchEvents: (search) => {
      switch (accessOf(search.filter)) {
        case 'none':
          return Promise.resolve({ page: nothing, total: 0, isExact: true, next: null, offsetLeft: 0 })
        case 'log':
          // The index knows what an offset leaves out.
          return search.offset === 0 ? searchLog(statements, search) : index.search(search)
        case 'direct':
          return searchDirectly(statements, search)
        case 'index':
          return index.search(search)
      }
    },
  }
}
