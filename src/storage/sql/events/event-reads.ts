import {
  beyond,
  type EventCursor,
  type EventFilter,
  type EventPage,
  type EventStorage,
  type FoundEvents,
  newest,
} from '../../../ports/storage/events'
import { joinEvents, searchText, type TextReads } from '../../search-text'
import { noId } from './event-filter'
import { type PageHead, type PageRequest, wantedOf } from './page-statement'

export interface EventStatements {
  /** The maximum number of events that one statement examines: on SQLite it blocks the event loop. */
  readonly maxExamined: number
  page(request: PageRequest): Promise<PageHead & Pick<EventPage, 'count' | 'json'>>
  /** The same without the events. */
  count(request: PageRequest): Promise<PageHead & Pick<EventPage, 'count'>>
  /** A page of the whole log or of one project, with the stored number of their events. */
  log(request: LogPageRequest): Promise<{ readonly page: EventPage; readonly total: number }>
  /** The same without the number, for large pages. */
  logPage?(request: LogPageRequest): Promise<EventPage>
  /** The last of the newest events that an offset skips; undefined if there are fewer. */
  skip(project: string | undefined, offset: number): Promise<number | undefined>
}

/** A page of the whole log or of one project. */
export interface LogPageRequest extends Pick<PageRequest, 'cursor' | 'limit' | 'grouped'> {
  readonly project: string | undefined
}

const nothing: EventPage = { count: 0, searched: 0, lastId: 0, json: Buffer.alloc(0) }
const noEvents: FoundEvents = { page: nothing, total: 0, isExact: true, next: null, offsetLeft: 0 }

/** The maximum number of events that are examined for each match that a search may have to find. */
const examinedPerMatch = 5

/** The part of `maxCounted` that is examined for a total where the index alone does not answer: a row takes five times as long. */
const countedRows = 0.1

export function createEventReads(statements: EventStatements): Pick<EventStorage, 'eventPage' | 'searchEvents'> {
  /** Reads until the page is complete, nothing is left, or `examined` events have been examined. */
  async function read<Result extends PageHead & Pick<EventPage, 'count'>>(
    request: PageRequest,
    statement: (request: PageRequest) => Promise<Result>,
  ) {
    const results: Result[] = []
    let left = request
    for (;;) {
      const result = await statement({ ...left, examined: Math.min(left.examined, statements.maxExamined) })
      results.push(result)
      const { resume, matches, searched } = result
      const examined = left.examined - statements.maxExamined
      const isComplete = resume === null || matches === wantedOf(left)
      if (isComplete || examined <= 0) return { results, left, last: result }
      const { counted: _, ...rest } = left
      left = {
        ...rest,
        cursor: beyond(left.cursor, resume),
        offset: Math.max(0, left.offset - matches),
        limit: left.limit - searched,
        examined,
      }
      await new Promise(setImmediate)
    }
  }

  async function page(filter: EventFilter, cursor: EventCursor, limit: number, grouped: boolean): Promise<EventPage> {
    if (isEmpty(filter) || limit === 0) return nothing
    const project = onlyProject(filter)
    if (project !== undefined || isWholeLog(filter)) {
      const log = { project, cursor, limit, grouped }
      return statements.logPage?.(log) ?? (await statements.log(log)).page
    }
    const request = { filter, cursor, offset: 0, limit, grouped, examined: Number.POSITIVE_INFINITY }
    return pageOf((await read(request, statements.page)).results)
  }

  const texts: TextReads = {
    page,
    async count(filter, cursor, limit) {
      if (isEmpty(filter)) return nothing
      const request = { filter, cursor, offset: 0, limit, grouped: false, examined: Number.POSITIVE_INFINITY }
      return extentOf((await read(request, statements.count)).results)
    },
  }

  return {
    eventPage: (filter, cursor, limit, grouped = false) => page(filter, cursor, limit, grouped),
    async searchEvents(search) {
      const { filter, cursor = newest, offset, limit, grouped, maxCounted } = search
      if (filter.query !== undefined) return searchText(search, texts)
      if (isEmpty(filter)) return noEvents
      const project = onlyProject(filter)
      const isLog = project !== undefined || isWholeLog(filter)
      if (isLog && (offset === 0 || search.cursor === undefined)) {
        const start = offset === 0 ? cursor : { before: (await statements.skip(project, offset)) ?? 0 }
        const { page, total } = await statements.log({ project, cursor: start, limit, grouped })
        const next = page.searched === limit && limit > 0 ? beyond(start, page.lastId) : null
        return { page, total, isExact: true, next, offsetLeft: 0 }
      }
      const maxScanned = offset + (isIndexed(filter) ? maxCounted : Math.ceil(maxCounted * countedRows))
      const counted = Math.min(maxScanned + 1, noId)
      const examined = examinedPerMatch * Math.min(offset + maxCounted + 1, noId)
      const request = { filter, cursor, offset, limit, grouped, examined, counted }
      const { results, left, last } = await read(request, statements.page)
      const page = pageOf(results)
      const found = results.reduce((sum, { matches }) => sum + matches, 0)
      const isFull = last.matches === wantedOf(left)
      const end = isFull ? page.lastId : last.resume
      const next = limit === 0 || end === null ? null : beyond(cursor, end)
      const isAll = search.cursor === undefined && end === null
      return {
        page,
        ...totalOf(results[0] as PageHead, maxScanned, found, isAll),
        next,
        offsetLeft: isFull || next === null ? 0 : Math.max(0, left.offset - last.matches),
      }
    },
  }
}

/** The stored total, or that of the page if it has all matches, or the number of matches that were counted. */
function totalOf(
  { stored, hits, scanned }: PageHead,
  maxScanned: number,
  found: number,
  isAll: boolean,
): Pick<FoundEvents, 'total' | 'isExact'> {
  if (stored !== null) return { total: stored, isExact: true }
  if (isAll) return { total: found, isExact: true }
  if (scanned <= maxScanned) return { total: hits, isExact: true }
  return { total: Math.max(hits, found), isExact: false }
}

function pageOf(results: readonly (PageHead & Pick<EventPage, 'count' | 'json'>)[]): EventPage {
  const pieces = results.filter(({ count }) => count > 0).map(({ json }) => json)
  const [only = nothing.json, ...more] = pieces
  return { ...extentOf(results), json: more.length === 0 ? only : joinEvents(pieces) }
}

function extentOf(results: readonly (PageHead & Pick<EventPage, 'count'>)[]): Omit<EventPage, 'json'> {
  const sum = (name: 'count' | 'searched') => results.reduce((total, result) => total + result[name], 0)
  return {
    count: sum('count'),
    searched: sum('searched'),
    lastId: results.findLast(({ searched }) => searched > 0)?.lastId ?? 0,
  }
}

function isEmpty({ history, ...filter }: EventFilter): boolean {
  if (Object.values(filter).some((value) => Array.isArray(value) && value.length === 0)) return true
  return history !== undefined && history.features.length === 0 && history.subjects.length === 0
}

/** Whether the filter has a single list, for which there is an index. */
function isIndexed({ from, to, ...lists }: EventFilter): boolean {
  const isGiven = (value: unknown) => value !== undefined
  return !isGiven(from) && !isGiven(to) && Object.values(lists).filter(isGiven).length === 1
}

function isWholeLog(filter: EventFilter): boolean {
  return Object.values(filter).every((value) => value === undefined)
}

/** The project of a filter that has no other condition. */
function onlyProject({ projects, ...others }: EventFilter): string | undefined {
  return projects?.length === 1 && isWholeLog(others) ? projects[0] : undefined
}
