import {
  beyond,
  type EventCursor,
  type EventFilter,
  type EventSearch,
  type FoundEvents,
  newest,
} from '../../../ports/storage'
import { type IdRange, noId, rangeOf } from '../shared/event-filter'
import { keptCountOf } from './access'
import { KeptAnswers } from './kept-answers'
import { type EventStatements, type PageRequest, reached, type TotalRequest } from './page-request'
import { type IndexState, PostingCache } from './posting-cache'
import { everyDay, type TermGroup, termGroups } from './terms'
import { walkBlocks } from './walk'

/** Events of sealed blocks, and the range of ids behind these that has to be looked at. */
type Place = Pick<PageRequest, 'ids' | 'range' | 'offset'>

/** So many events are left out by the database; of more, it is told where to begin. */
const mostSkipped = 2_000

interface SealedCount {
  readonly count: number
  readonly isExact: boolean
}

interface Bounds {
  readonly skip: number
  readonly limit: number
  readonly mostLooked: number
}

interface SealedPage {
  readonly ids: readonly number[]
  readonly skipped: number
  readonly behind?: EventCursor
}

/** Answers that are kept: the same search is made again for its next page, or to see what is new. */
const mostKept = 500

/** Finds events by postings. */
export class EventIndex {
  readonly #statements: EventStatements
  readonly #blockSize: number
  readonly #cache: PostingCache
  readonly #counts = new KeptAnswers<SealedCount>(mostKept)
  readonly #pages = new KeptAnswers<SealedPage>(mostKept)
  #known: Promise<IndexState> | undefined

  constructor(statements: EventStatements, blockSize: number) {
    this.#statements = statements
    this.#blockSize = blockSize
    this.#cache = new PostingCache((query) => statements.postings(query))
  }

  /** Each answer of the database says how far the index has come by then. */
  learn(state: IndexState): void {
    this.#known = Promise.resolve(state)
  }

  /** Where the next `limit` matches are. */
  async find(filter: EventFilter, cursor: EventCursor, limit: number): Promise<Place> {
    const state = await this.#state()
    const range = rangeOf(cursor)
    // Followers are behind the index, mostly.
    if (range.above >= state.sealedTo) return { ids: [], range, offset: 0 }
    const { ids } = await this.#next(await this.#groups(filter), state, cursor, { skip: 0, limit, mostLooked: noId })
    return { ids, ...tailOf(range, state), offset: 0 }
  }

  async search(search: EventSearch): Promise<FoundEvents> {
    const { filter, cursor = newest, limit, grouped, mostCounted } = search
    const state = await this.#state()
    const groups = await this.#groups(filter)
    const { behind, ...place } = await this.#place(search, groups, state)
    const isWhole = search.cursor === undefined && search.offset === 0 && behind === undefined
    const kept = keptCountOf(groups, filter)
    // A first page that the index cannot fill has all matches of it.
    const counted =
      kept || (isWhole && place.ids.length < limit) ? undefined : await this.#count(groups, state, mostCounted)
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
    this.learn(answer.state)
    // A recount, or a database that was put back: what was known of the index is no longer true.
    if (answer.state.generation !== state.generation || answer.state.sealedTo < state.sealedTo) {
      return this.search(search)
    }
    const { searched, lastId } = reached(request, answer)
    const sealedCount = kept ? 0 : (counted?.count ?? place.ids.length)
    const after = searched === limit ? beyond(cursor, lastId) : (behind ?? null)
    return {
      page: { ...answer.page, searched, lastId },
      total: answer.total + sealedCount,
      isExact: (counted?.isExact ?? true) && (kept !== undefined || answer.total < mostCounted),
      next: after,
    }
  }

  /** Where the page is that the search asks for. */
  async #place(
    { filter, cursor = newest, offset, limit, mostCounted }: EventSearch,
    groups: readonly TermGroup[],
    state: IndexState,
  ): Promise<Place & { readonly behind?: EventCursor }> {
    const range = tailOf(rangeOf(cursor), state)
    const wanted = offset + limit
    const sealed = (skip: number, most: number) =>
      this.#sealed(groups, state, cursor, { skip, limit: most, mostLooked: mostCounted })
    if ('after' in cursor) {
      const { skipped, ...found } = await sealed(offset, limit)
      // What is behind the index comes after what was not compared.
      return found.behind === undefined ? { ...found, ...range, offset: offset - skipped } : { ...found, offset: 0 }
    }
    if (wanted <= mostSkipped) {
      const { skipped: _, ...found } = await sealed(0, wanted)
      return { ...found, ...range, offset }
    }
    const request = { filter, ids: [], ...range, forward: false, limit: wanted, offset: 0, grouped: false }
    const { inRange } = range.range === undefined ? { inRange: 0 } : await this.#statements.count(request)
    const { skipped: _, ...found } = await sealed(Math.max(0, offset - inRange), limit)
    return inRange > offset ? { ...found, ...range, offset } : { ...found, offset: 0 }
  }

  /** The next sealed events that match, without the first `skip`, and where it goes on if too many had to be compared. */
  #sealed(groups: readonly TermGroup[], state: IndexState, cursor: EventCursor, bounds: Bounds): Promise<SealedPage> {
    return this.#pages.get([groups, state, cursor, bounds], () => this.#next(groups, state, cursor, bounds))
  }

  async #next(
    groups: readonly TermGroup[],
    state: IndexState,
    cursor: EventCursor,
    { skip, limit, mostLooked }: Bounds,
  ): Promise<SealedPage> {
    const ids: number[] = []
    let skipped = 0
    for await (const hits of this.#walk(groups, state, cursor)) {
      const left = Math.min(skip - skipped, hits.count)
      skipped += left
      if (left < hits.count) ids.push(...hits.ids().slice(left))
      if (ids.length >= limit) return { ids: ids.slice(0, limit), skipped }
      if (hits.looked >= mostLooked) return { ids, skipped, behind: hits.behind }
    }
    return { ids, skipped }
  }

  #count(groups: readonly TermGroup[], state: IndexState, mostLooked: number): Promise<SealedCount> {
    return this.#counts.get([groups, state, mostLooked], async () => {
      let count = 0
      for await (const hits of this.#walk(groups, state, newest)) {
        count += hits.count
        if (hits.looked >= mostLooked) return { count, isExact: false }
      }
      return { count, isExact: true }
    })
  }

  #walk(groups: readonly TermGroup[], state: IndexState, cursor: EventCursor) {
    return walkBlocks(this.#cache, groups, cursor, state, this.#blockSize)
  }

  #state(): Promise<IndexState> {
    this.#known ??= this.#statements.state().catch((error: unknown) => {
      this.#known = undefined
      throw error
    })
    return this.#known
  }

  async #groups(filter: EventFilter): Promise<TermGroup[]> {
    const groups = termGroups(filter, filter.history ? await this.#statements.requestsOf(filter.history.subjects) : [])
    return groups.length > 0 ? groups : [everyDay]
  }
}

/** The part of a range that is behind the index. */
function tailOf({ above, below }: IdRange, { sealedTo }: IndexState): { readonly range?: IdRange } {
  const range = { above: Math.max(above, sealedTo), below }
  return range.above + 1 < range.below ? { range } : {}
}
