import { type EventCursor, newest } from '../../../ports/storage/events'
import { KeptAnswers } from './kept-answers'
import type { EventStatements } from './page-request'
import { type IndexState, PostingCache } from './posting-cache'
import type { TermGroup } from './terms'
import { walkBlocks } from './walk'

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

/**
 * What a process knows of one index, as it grows. Its caches are of no other: where the index was rebuilt or the database
 * was put back, reads that are still running fill what nobody uses any more.
 */
export class KnownIndex {
  readonly #blockSize: number
  readonly #cache: PostingCache
  readonly #counts = new KeptAnswers<SealedCount>(mostKept)
  readonly #pages = new KeptAnswers<SealedPage>(mostKept)
  #state: IndexState
  #isDoubtful = false

  constructor(statements: Pick<EventStatements, 'postings'>, blockSize: number, state: IndexState) {
    this.#blockSize = blockSize
    this.#cache = new PostingCache((query) => statements.postings(query))
    this.#state = state
  }

  get state(): IndexState {
    return this.#state
  }

  /** The index itself names events that do not fit, not only what was cached of it. */
  get isDoubtful(): boolean {
    return this.#isDoubtful
  }

  doubt(): void {
    this.#isDoubtful = true
  }

  /** An answer says how far the index has come by then. */
  learn(state: IndexState): void {
    if (state.sealedTo > this.#state.sealedTo) this.#state = state
  }

  /** The next sealed events that match, without the first `skip`, and where it goes on if too many had to be compared. */
  page(groups: readonly TermGroup[], state: IndexState, cursor: EventCursor, bounds: Bounds): Promise<SealedPage> {
    return this.#pages.get([groups, state, cursor, bounds], () => this.next(groups, state, cursor, bounds))
  }

  /** The same, not kept. */
  async next(
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

  count(groups: readonly TermGroup[], state: IndexState, mostLooked: number): Promise<SealedCount> {
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
}
