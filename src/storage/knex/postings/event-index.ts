import {
  beyond,
  type EventCursor,
  type EventFilter,
  type EventSearch,
  type FoundEvents,
  newest,
} from '../../../ports/storage/events'
import type { StorageProblem } from '../../../ports/storage/storage'
import { type IdRange, noId, rangeOf } from '../shared/event-filter'
import { keptCountOf } from './access'
import { KnownIndex } from './known-index'
import { type EventStatements, type PageAnswer, type PageRequest, reached, type TotalRequest } from './page-request'
import type { IndexState } from './posting-cache'
import { everyDay, type TermGroup, termGroups } from './terms'

/** Events of sealed blocks, and the range of ids behind these that has to be looked at. */
type Place = Pick<PageRequest, 'ids' | 'range' | 'offset' | 'index'>

/** The place of a page of a search. */
interface SearchPlace extends Place {
  /** Where the search goes on, if too many events had to be compared. */
  readonly behind?: EventCursor
  /** What neither the place nor its offset leaves out of what the search is to leave out. */
  readonly unskipped: number
}

/** So many events are left out by the database; of more, it is told where to begin. */
const mostSkipped = 2_000

/** How often a read is done again with the index. Each time, another process has rebuilt the index meanwhile. */
const mostAttempts = 10

/** Without blocks: all events are looked at. */
const noBlocks: IndexState = { sealedTo: -1, generation: 0, block: -1, fingerprint: '' }

/** Finds events by postings. */
export class EventIndex {
  readonly #statements: EventStatements
  readonly #blockSize: number
  readonly #report: (problem: StorageProblem) => void
  #known: Promise<KnownIndex> | undefined

  constructor(statements: EventStatements, blockSize: number, report: (problem: StorageProblem) => void) {
    this.#statements = statements
    this.#blockSize = blockSize
    this.#report = report
  }

  /** Reads the next `limit` matches with a statement that has no other part than these. */
  read<Answer extends Pick<PageAnswer, 'seen'>>(
    filter: EventFilter,
    cursor: EventCursor,
    limit: number,
    answer: (place: Place) => Promise<Answer>,
  ): Promise<Answer> {
    return this.#consistent(filter, async (known) => answer(await this.#find(known, filter, cursor, limit)))
  }

  async search(search: EventSearch): Promise<FoundEvents> {
    const { seen: _, ...found } = await this.#consistent(search.filter, (known) => this.#search(known, search))
    return found
  }

  /**
   * Every read by the index comes through here. It is planned with what this process knows of the index, and counts
   * only where the statement that answered saw an index that has grown from it. Otherwise the index was rebuilt, or the
   * database was put back to an earlier state: what was known is dropped, and the read is done again.
   */
  async #consistent<Answer extends Pick<PageAnswer, 'seen'>>(
    filter: EventFilter,
    read: (known: KnownIndex) => Promise<Answer>,
  ): Promise<Answer> {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const current = this.#current()
      const known = await current
      const answer = await read(known)
      const { state, holds, unfit } = answer.seen
      if (holds && (unfit === 0 || known.isDoubtful)) {
        known.learn(state)
        return answer
      }
      // The change requests of a flag may have changed since they were read.
      const isMoved = holds && filter.history !== undefined && attempt < mostAttempts
      if (isMoved || this.#known !== current) continue
      this.#known = undefined
      const isRebuilt = !holds && state.generation > known.state.generation
      if (!isRebuilt) this.#report({ level: 'error', message: holds ? unfitEvents : putBack })
      if (holds) (await this.#current()).doubt()
    }
    return read(this.#knownOf(noBlocks))
  }

  /** What this process knows of the index. The caches belong to it, so they end with it. */
  #current(): Promise<KnownIndex> {
    this.#known ??= this.#statements.state().then(
      (state) => this.#knownOf(state),
      (error: unknown) => {
        this.#known = undefined
        throw error
      },
    )
    return this.#known
  }

  #knownOf(state: IndexState): KnownIndex {
    return new KnownIndex(this.#statements, this.#blockSize, state)
  }

  async #find(known: KnownIndex, filter: EventFilter, cursor: EventCursor, limit: number): Promise<Place> {
    const { state } = known
    const range = rangeOf(cursor)
    const index = indexOf(state)
    // Followers are behind the index, mostly.
    if (range.above >= state.sealedTo) return { ids: [], range, offset: 0, ...index }
    const bounds = { skip: 0, limit, mostLooked: noId }
    const { ids } = await known.next(await this.#groups(filter), state, cursor, bounds)
    return { ids, ...tailOf(range, state), offset: 0, ...index }
  }

  async #search(known: KnownIndex, search: EventSearch): Promise<FoundEvents & Pick<PageAnswer, 'seen'>> {
    const { filter, cursor = newest, limit, grouped, mostCounted } = search
    const { state } = known
    const groups = await this.#groups(filter)
    const { behind, unskipped, ...place } = await this.#place(known, search, groups, state)
    const isWhole = search.cursor === undefined && search.offset === 0 && behind === undefined
    const kept = keptCountOf(groups, filter)
    // A first page that the index cannot fill has all matches of it.
    const counted =
      kept || (isWhole && place.ids.length < limit) ? undefined : await known.count(groups, state, mostCounted)
    const total: TotalRequest = kept
      ? { kind: 'kept', count: kept }
      : { kind: 'counted', above: state.sealedTo, most: mostCounted }
    const request: PageRequest = {
      filter,
      forward: 'after' in cursor,
      limit,
      grouped,
      ...place,
      total,
      planKept: true,
    }
    const answer = await this.#statements.page(request)
    const { searched, lastId } = reached(request, answer)
    const sealedCount = kept ? 0 : (counted?.count ?? place.ids.length)
    const isFull = searched === limit
    const left = unskipped + Math.max(0, place.offset - answer.inRange - place.ids.length)
    return {
      page: { ...answer.page, searched, lastId },
      total: answer.total + sealedCount,
      isExact: (counted?.isExact ?? true) && (kept !== undefined || answer.total < mostCounted),
      next: isFull ? beyond(cursor, lastId) : (behind ?? null),
      offsetLeft: isFull || behind === undefined ? 0 : left,
      seen: answer.seen,
    }
  }

  /** Where the page is that the search asks for. */
  async #place(
    known: KnownIndex,
    { filter, cursor = newest, offset, limit, mostCounted }: EventSearch,
    groups: readonly TermGroup[],
    state: IndexState,
  ): Promise<SearchPlace> {
    const index = indexOf(state)
    const range = tailOf(rangeOf(cursor), state)
    const wanted = offset + limit
    const sealed = async (skip: number, most: number) => {
      const { skipped, ...found } = await known.page(groups, state, cursor, {
        skip,
        limit: most,
        mostLooked: mostCounted,
      })
      return { ...found, unskipped: skip - skipped }
    }
    if ('after' in cursor) {
      const { unskipped, ...found } = await sealed(offset, limit)
      // What is behind the index comes after what was not compared.
      if (found.behind !== undefined) return { ...found, ...index, offset: 0, unskipped }
      return { ...found, ...index, ...range, offset: unskipped, unskipped: 0 }
    }
    if (wanted <= mostSkipped) return { ...(await sealed(0, wanted)), ...index, ...range, offset }
    const request = { filter, ids: [], ...index, ...range, forward: false, limit: wanted, offset: 0, grouped: false }
    const { inRange } = range.range === undefined ? { inRange: 0 } : await this.#statements.count(request)
    const found = await sealed(Math.max(0, offset - inRange), limit)
    return inRange > offset ? { ...found, ...index, ...range, offset } : { ...found, ...index, offset: 0 }
  }

  async #groups(filter: EventFilter): Promise<TermGroup[]> {
    const groups = termGroups(filter, filter.history ? await this.#statements.requestsOf(filter.history.subjects) : [])
    return groups.length > 0 ? groups : [everyDay]
  }
}

const putBack =
  'The database was put back to an earlier state while this process was running, and has events that it did not have ' +
  'before. What was cached of its event log was dropped.'

const unfitEvents =
  'The index of events does not fit the event log: it names events that do not match. They are left out, and others may ' +
  'be missing. If this is logged again, call recountEvents().'

/** The index that a read is planned with, for the statement to compare it. */
function indexOf(state: IndexState): Pick<PageRequest, 'index'> {
  return state === noBlocks ? {} : { index: state }
}

/** The part of a range that is behind the index. */
function tailOf({ above, below }: IdRange, { sealedTo }: IndexState): { readonly range?: IdRange } {
  const range = { above: Math.max(above, sealedTo), below }
  return range.above + 1 < range.below ? { range } : {}
}
