import type { EventCursor, EventFilter, EventPage, EventStorage } from '../../../ports/storage'
import { rangeOf } from '../shared/event-filter'
import { accessOf } from './access'
import { EventIndex } from './event-index'
import { type EventStatements, type PageRequest, reached } from './page-request'
import { searchDirectly, searchLog } from './search-log'

const nothing: EventPage = { count: 0, searched: 0, lastId: 0, json: Buffer.alloc(0) }

export type EventReads = Pick<EventStorage, 'eventPage' | 'countEvents' | 'searchEvents'>

/** Finds events by the index of sealed blocks, and by looking at those behind it. */
export function createEventReads(statements: EventStatements, blockSize: number): EventReads {
  const index = new EventIndex(statements, blockSize)

  /** A page of what matches, wherever it is found. */
  async function pageOf(filter: EventFilter, cursor: EventCursor, limit: number): Promise<PageRequest> {
    const asked = { filter, forward: 'after' in cursor, limit, offset: 0, grouped: false }
    if (accessOf(filter) !== 'index') return { ...asked, ids: [], range: rangeOf(cursor) }
    return { ...asked, ...(await index.find(filter, cursor, limit)) }
  }

  return {
    async eventPage(filter, cursor, limit, grouped = false) {
      const access = accessOf(filter)
      if (access === 'none' || limit === 0) return nothing
      if (access === 'log' && filter.text === undefined) {
        return statements.logPage(filter.projects?.[0], cursor, limit, grouped)
      }
      const request = { ...(await pageOf(filter, cursor, limit)), grouped }
      const answer = await statements.page(request)
      index.learn(answer.state)
      return { ...answer.page, ...reached(request, answer) }
    },
    async countEvents(filter, cursor, limit) {
      if (accessOf(filter) === 'none' || limit === 0) return { count: 0, searched: 0, lastId: 0 }
      const request = await pageOf(filter, cursor, limit)
      const answer = await statements.count(request)
      return { count: answer.count, ...reached(request, answer) }
    },
    searchEvents: (search) => {
      switch (accessOf(search.filter)) {
        case 'none':
          return Promise.resolve({ page: nothing, total: 0, isExact: true, next: null })
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
