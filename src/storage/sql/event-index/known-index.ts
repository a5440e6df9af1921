import { type EventCursor, newest } from '../../../ports/storage/events'
import { noId } from '../queries/event-filter'
import type { CreatorsResult, EventStatements, SeenIndex } from './page-request'
import { type IndexState, PostingCache } from './posting-cache'
import { ResultCache } from './result-cache'
import { Tail } from './tail'
import { type PartialDay, type TermGroup, term } from './terms'
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

/** What a read is planned with. */
export interface Plan {
  readonly state: IndexState
  readonly tail: Tail
}

interface IndexedPage {
  readonly ids: readonly number[]
  readonly skipped: number
  readonly resumeAt?: EventCursor
}

/** The maximum number of cached results. A search is often repeated, for its next page or for new events. */
const maxCached = 500

/** Each may have thousands of creators. */
const maxCachedCreators = 20

/** Each may have all events of a day. */
const maxCachedDays = 10

/** The tail is extended after this share of a block. Until then, each read compares the new events. */
const growthShare = 1 / 16

/** The maximum number of blocks in the tail. It has more only while many blocks are being added. */
const maxTailBlocks = 4

/**
 * The state of an index as known to this process, with its caches. If the index is rebuilt or the database is restored, a new
 * object replaces this one; reads that are still running then fill caches that are no longer used.
 */
export class KnownIndex {
  readonly #statements: Pick<EventStatements, 'postings' | 'tail' | 'idsOf'>
  readonly #blockSize: number
  readonly #cache: PostingCache
  readonly #counts = new ResultCache<SealedCount>(maxCached)
  readonly #pages = new ResultCache<IndexedPage>(maxCached)
  readonly #partIds = new ResultCache<readonly number[]>(maxCachedDays)
  /** The creators of the index and the tail, by projects. */
  #creators = new ResultCache<CreatorsResult>(maxCachedCreators)
  #state: IndexState
  #tail = Tail.none
  /** The newest known id of the log, and the one up to which the tail was read. */
  #lastId: number
  #readTo = -1
  #extending: Promise<void> | undefined
  #isInconsistent = false

  constructor(
    statements: Pick<EventStatements, 'postings' | 'tail' | 'idsOf'>,
    blockSize: number,
    { state, lastId }: Pick<SeenIndex, 'state' | 'lastId'>,
  ) {
    this.#statements = statements
    this.#lastId = lastId
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

  /** Takes over what a statement has read, if it is newer. */
  advanceTo({ state, lastId }: Pick<SeenIndex, 'state' | 'lastId'>): void {
    if (state.sealedTo > this.#state.sealedTo) this.#state = state
    if (lastId > this.#lastId) this.#lastId = lastId
  }

  /** The index alone, for reads that begin near the end of the log anyway. */
  planWithoutTail(): Plan {
    return { state: this.#state, tail: Tail.none }
  }

  /** The index and the tail, which is extended first if the log has grown. */
  async plan(): Promise<Plan> {
    const readTo = Math.max(this.#state.sealedTo, this.#readTo)
    const isShort = this.#lastId - this.#state.sealedTo <= maxTailBlocks * this.#blockSize
    if (isShort && this.#lastId - readTo >= this.#blockSize * growthShare) {
      this.#extending ??= this.#extend(readTo + 1, this.#lastId)
      await this.#extending
    }
    return { state: this.#state, tail: this.#tail }
  }

  /** Called when the newest event of the tail has changed. */
  dropTail(tail: Tail, { lastId }: Pick<SeenIndex, 'lastId'>): void {
    if (this.#tail !== tail) return
    this.#tail = Tail.none
    this.#creators = new ResultCache(maxCachedCreators)
    this.#readTo = -1
    this.#lastId = lastId
  }

  async #extend(first: number, last: number): Promise<void> {
    const tail = this.#tail
    try {
      const more = await this.#statements.tail(first, last)
      if (this.#tail !== tail) return
      this.#tail = tail.extendedBy(more, this.#state.sealedTo)
      this.#readTo = last
    } finally {
      this.#extending = undefined
    }
  }

  /** The next matching events after the first `skip`, and where to continue if too many had to be compared. */
  page(groups: readonly TermGroup[], plan: Plan, cursor: EventCursor, bounds: Bounds): Promise<IndexedPage> {
    return this.#page(groups, plan, cursor, bounds, (sealed) =>
      this.#pages.get([groups, plan.state, cursor, sealed], () => this.#next(groups, plan.state, cursor, sealed)),
    )
  }

  /** Like `page`, without the cache. */
  uncachedPage(groups: readonly TermGroup[], plan: Plan, cursor: EventCursor, bounds: Bounds): Promise<IndexedPage> {
    return this.#page(groups, plan, cursor, bounds, (sealed) => this.#next(groups, plan.state, cursor, sealed))
  }

  async #page(
    groups: readonly TermGroup[],
    { state, tail }: Plan,
    cursor: EventCursor,
    bounds: Bounds,
    sealedPage: (bounds: Bounds) => Promise<IndexedPage>,
  ): Promise<IndexedPage> {
    const { skip, limit } = bounds
    const recent = tail.idsOf(groups, state.sealedTo, cursor)
    const ids = recent.slice(skip, skip + limit)
    const skipped = Math.min(skip, recent.length)
    if (ids.length === limit) return { ids, skipped }
    // The whole limit, so that the cached page stays valid while the tail grows.
    const sealed = await sealedPage({ ...bounds, skip: skip - skipped })
    const all = [...ids, ...sealed.ids]
    // A page that is full does not continue after the compared blocks.
    if (all.length >= limit) return { ids: all.slice(0, limit), skipped: skipped + sealed.skipped }
    return { ...sealed, ids: all, skipped: skipped + sealed.skipped }
  }

  /** The next matching sealed events. */
  async #next(
    groups: readonly TermGroup[],
    state: IndexState,
    cursor: EventCursor,
    { skip, limit, maxCompared }: Bounds,
  ): Promise<IndexedPage> {
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

  /** The ids of the events of the index and the tail in a part of a day. */
  partIds({ day, ...part }: PartialDay, plan: Plan): Promise<readonly number[]> {
    const { state, tail } = plan
    return this.#partIds.get([day, part, state, tail.to], async () => {
      const all = { skip: 0, limit: noId, maxCompared: noId }
      const { ids } = await this.uncachedPage([{ kind: 'day', terms: [term('day', day)] }], plan, newest, all)
      return ids.length === 0 ? [] : this.#statements.idsOf({ ids, ...part })
    })
  }

  /** The creators of the index and the tail of the plan. */
  creators(
    projects: readonly string[] | undefined,
    { state, tail }: Plan,
    load: () => Promise<CreatorsResult>,
  ): Promise<CreatorsResult> {
    return this.#creators.get([projects ?? null, state, tail.to], load)
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
