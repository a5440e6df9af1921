import { type EventCursor, newest } from '../../../ports/storage/events'
import type { EventStatements } from './page-request'
import { type IndexState, PostingCache } from './posting-cache'
import { ResultCache } from './result-cache'
import type { TermGroup } from './terms'
import { walkBlocks } from './walk'

interface SealedCount {
  readonly count: number
  readonly isExact: boolean
}

interface Bounds {
  readonly skip: number
  readonly limit: number
  readonly maxCompared: number
}

interface SealedPage {
  readonly ids: readonly number[]
  readonly skipped: number
  readonly resumeAt?: EventCursor
}

/** The maximum number of cached results. A search is often repeated, for its next page or for new events. */
const maxCached = 500

/**
 * The state of an index as known to this process, with its caches. If the index is rebuilt or the database is restored, a new
 * object replaces this one; reads that are still running then fill caches that are no longer used.
 */
export class KnownIndex {
  readonly #blockSize: number
  readonly #cache: PostingCache
  readonly #counts = new ResultCache<SealedCount>(maxCached)
  readonly #pages = new ResultCache<SealedPage>(maxCached)
  #state: IndexState
  #isInconsistent = false

  constructor(statements: Pick<EventStatements, 'postings'>, blockSize: number, state: IndexState) {
    this.#blockSize = blockSize
    this.#cache = new PostingCache((query) => statements.postings(query))
    this.#state = state
  }

  get state(): IndexState {
    return this.#state
  }

  /** True if the stored index lists events that do not match, not only the cache. */
  get isInconsistent(): boolean {
    return this.#isInconsistent
  }

  markInconsistent(): void {
    this.#isInconsistent = true
  }

  /** Takes over the state that a statement has read, if it is newer. */
  advanceTo(state: IndexState): void {
    if (state.sealedTo > this.#state.sealedTo) this.#state = state
  }

  /** The next matching sealed events after the first `skip`, and where to continue if too many had to be compared. */
  page(groups: readonly TermGroup[], state: IndexState, cursor: EventCursor, bounds: Bounds): Promise<SealedPage> {
    return this.#pages.get([groups, state, cursor, bounds], () => this.next(groups, state, cursor, bounds))
  }

  /** Like `page`, without the cache. */
  async next(
    groups: readonly TermGroup[],
    state: IndexState,
    cursor: EventCursor,
    { skip, limit, maxCompared }: Bounds,
  ): Promise<SealedPage> {
    const ids: number[] = []
    let skipped = 0
    for await (const hits of this.#walk(groups, state, cursor)) {
      const left = Math.min(skip - skipped, hits.count)
      skipped += left
      if (left < hits.count) ids.push(...hits.ids().slice(left))
      if (ids.length >= limit) return { ids: ids.slice(0, limit), skipped }
      if (hits.compared >= maxCompared) return { ids, skipped, resumeAt: hits.resumeAt }
    }
    return { ids, skipped }
  }

  count(groups: readonly TermGroup[], state: IndexState, maxCompared: number): Promise<SealedCount> {
    return this.#counts.get([groups, state, maxCompared], async () => {
      let count = 0
      for await (const hits of this.#walk(groups, state, newest)) {
        count += hits.count
        if (hits.compared >= maxCompared) return { count, isExact: false }
      }
      return { count, isExact: true }
    })
  }

  #walk(groups: readonly TermGroup[], state: IndexState, cursor: EventCursor) {
    return walkBlocks(this.#cache, groups, cursor, state, this.#blockSize)
  }
}
