import {
  beyond,
  type EventCreator,
  type EventCursor,
  type EventFilter,
  type EventSearch,
  type FoundEvents,
  newest,
} from '../../../ports/storage/events'
import type { StorageProblem } from '../../../ports/storage/storage'
import { type IdRange, noId, rangeOf } from '../queries/event-filter'
import { tallyQueryOf } from './access'
import { KnownIndex, type Plan } from './known-index'
import {
  type CreatorsResult,
  type EventStatements,
  type PageRequest,
  type PageResult,
  reached,
  type SeenIndex,
  type TotalRequest,
} from './page-request'
import type { IndexState } from './posting-cache'
import { everyDay, partialDays, type TermGroup, termGroups } from './terms'

/** Ids of events in sealed blocks and in the tail, and the range of ids after these whose events must be read. */
type Place = Pick<PageRequest, 'ids' | 'range' | 'offset' | 'index' | 'newest'>

/** The place of a page of a search. */
interface SearchPlace extends Place {
  /** Where the search continues, if too many events had to be compared. */
  readonly resumeAt?: EventCursor
  /** The number of matches that are still to be skipped, in addition to `offset`. */
  readonly leftToSkip: number
}

/** The maximum offset that the database skips. For a larger one, the start of the page is computed first. */
const maxSkipped = 2_000

/** The maximum number of reads with the index. A read is repeated if another process has rebuilt the index meanwhile. */
const maxAttempts = 10

/** An index without blocks: all events are read. */
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

  /** Reads the next `limit` matches with the statement `readAt`. */
  read<Result extends Pick<PageResult, 'seen'>>(
    filter: EventFilter,
    cursor: EventCursor,
    limit: number,
    readAt: (place: Place) => Promise<Result>,
  ): Promise<Result> {
    return this.#readConsistently(filter, cursor, async (known, plan) =>
      readAt(await this.#find(known, plan, filter, cursor, limit)),
    )
  }

  async search(search: EventSearch): Promise<FoundEvents> {
    const { filter, cursor = newest } = search
    const read = (known: KnownIndex, plan: Plan) => this.#search(known, plan, search)
    const { seen: _, ...found } = await this.#readConsistently(filter, cursor, read)
    return found
  }

  async creators(projects?: readonly string[]): Promise<EventCreator[]> {
    const { creators } = await this.#readConsistently({}, newest, async (known, plan) => {
      const checked = checkedBy(plan)
      const covered = await known.creators(projects, plan, () =>
        this.#statements.creators({ ...checked, projects, known: plan.tail.creators(projects), above: noId }),
      )
      const request = { ...checked, projects, above: coveredTo(plan) }
      if (isSame(covered, plan)) {
        const later = await this.#statements.creators({ ...request, known: undefined })
        if (isSame(later, plan)) {
          return { creators: mergeCreators(covered.creators, later.creators), seen: later.seen }
        }
      }
      return this.#statements.creators({ ...request, known: plan.tail.creators(projects) })
    })
    return creators
  }

  /**
   * All reads that use the index go through this method. A read is planned with the cached index. Its result is valid only if the
   * statement saw the same index or an extension of it. Otherwise the index was rebuilt or the database was restored to an
   * earlier state: the cache is dropped, and the read is repeated. The same holds for the tail, whose newest event must be
   * unchanged.
   */
  async #readConsistently<Result extends { readonly seen: SeenIndex }>(
    filter: EventFilter,
    cursor: EventCursor,
    read: (known: KnownIndex, plan: Plan) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const current = this.#current()
      const known = await current
      // Followers begin near the end of the log.
      const plan = 'before' in cursor ? await known.plan() : known.planWithoutTail()
      const result = await read(known, plan)
      const { state, isSameIndex, isSameTail, mismatches } = result.seen
      if (isSameIndex && !isSameTail) {
        known.dropTail(plan.tail, result.seen)
        continue
      }
      if (isSameIndex && (mismatches === 0 || known.isInconsistent)) {
        known.advanceTo(result.seen)
        return result
      }
      // The change requests of a flag may have changed since their ids were read.
      const mayHaveMoved = isSameIndex && filter.history !== undefined && attempt < maxAttempts
      if (mayHaveMoved || this.#known !== current) continue
      this.#known = undefined
      const isRebuilt = !isSameIndex && state.generation > known.state.generation
      if (!isRebuilt) this.#report({ level: 'error', message: isSameIndex ? wrongIndex : databaseRestored })
      if (isSameIndex) (await this.#current()).markInconsistent()
    }
    const withoutIndex = this.#knownOf({ state: noBlocks, lastId: 0 })
    return read(withoutIndex, withoutIndex.planWithoutTail())
  }

  /** The cached index of this process. It owns the other caches, so they are dropped together. */
  #current(): Promise<KnownIndex> {
    this.#known ??= this.#statements.state().then(
      (known) => this.#knownOf(known),
      (error: unknown) => {
        this.#known = undefined
        throw error
      },
    )
    return this.#known
  }

  #knownOf(known: Pick<SeenIndex, 'state' | 'lastId'>): KnownIndex {
    return new KnownIndex(this.#statements, this.#blockSize, known)
  }

  async #find(known: KnownIndex, plan: Plan, filter: EventFilter, cursor: EventCursor, limit: number): Promise<Place> {
    const range = rangeOf(cursor)
    const checked = checkedBy(plan)
    // The usual case for followers: all events to read are after the end of the index.
    if (range.above >= coveredTo(plan)) return { ids: [], range, offset: 0, ...checked }
    const bounds = { skip: 0, limit, maxCompared: noId }
    const groups = await this.#groups(known, plan, filter)
    // Only first pages are read again.
    const isFirst = 'before' in cursor && cursor.before === noId
    const { ids } = isFirst
      ? await known.page(groups, plan, cursor, bounds)
      : await known.uncachedPage(groups, plan, cursor, bounds)
    return { ids, ...restOf(range, plan), offset: 0, ...checked }
  }

  async #search(known: KnownIndex, plan: Plan, search: EventSearch): Promise<FoundEvents & Pick<PageResult, 'seen'>> {
    const { filter, cursor = newest, limit, grouped, maxCounted } = search
    const { state, tail } = plan
    const groups = await this.#groups(known, plan, filter)
    const { resumeAt, leftToSkip, ...place } = await this.#place(known, plan, search, groups)
    const isWhole = search.cursor === undefined && search.offset === 0 && resumeAt === undefined
    const tallies = tallyQueryOf(groups, filter)
    // A first page that the index cannot fill contains all matches of the index.
    const counted =
      tallies || (isWhole && place.ids.length < limit) ? undefined : await known.count(groups, state, maxCounted)
    const total: TotalRequest = tallies
      ? { kind: 'tallied', tallies, above: coveredTo(plan) }
      : { kind: 'counted', above: coveredTo(plan), max: maxCounted }
    const request: PageRequest = {
      filter,
      forward: 'after' in cursor,
      limit,
      grouped,
      ...place,
      total,
      reusePlan: true,
    }
    const result = await this.#statements.page(request)
    const { searched, lastId } = reached(request, result)
    const inTail = (sealedTo: number) => tail.idsOf(groups, sealedTo, newest).length
    // The tallies may include blocks that were added after the read was planned.
    const inTallies = tallies && inTail(result.seen.state.sealedTo)
    const inIndex = counted && counted.count + inTail(state.sealedTo)
    const knownCount = inTallies ?? inIndex ?? place.ids.length
    const isFull = searched === limit
    const left = leftToSkip + Math.max(0, place.offset - result.inRange - place.ids.length)
    return {
      page: { ...result.page, searched, lastId },
      total: result.total + knownCount,
      isExact: (counted?.isExact ?? true) && (tallies !== undefined || result.total < maxCounted),
      next: isFull ? beyond(cursor, lastId) : (resumeAt ?? null),
      offsetLeft: isFull || resumeAt === undefined ? 0 : left,
      seen: result.seen,
    }
  }

  /** Finds the place of the requested page. */
  async #place(
    known: KnownIndex,
    plan: Plan,
    { filter, cursor = newest, offset, limit, maxCounted }: EventSearch,
    groups: readonly TermGroup[],
  ): Promise<SearchPlace> {
    const index = checkedBy(plan)
    const range = restOf(rangeOf(cursor), plan)
    const wanted = offset + limit
    const sealed = async (skip: number, max: number) => {
      const { skipped, ...found } = await known.page(groups, plan, cursor, {
        skip,
        limit: max,
        maxCompared: maxCounted,
      })
      return { ...found, leftToSkip: skip - skipped }
    }
    if ('after' in cursor) {
      const { leftToSkip, ...found } = await sealed(offset, limit)
      // Events after the index come later than the blocks that were not compared.
      if (found.resumeAt !== undefined) return { ...found, ...index, offset: 0, leftToSkip }
      return { ...found, ...index, ...range, offset: leftToSkip, leftToSkip: 0 }
    }
    if (wanted <= maxSkipped) return { ...(await sealed(0, wanted)), ...index, ...range, offset }
    const request = { filter, ids: [], ...index, ...range, forward: false, limit: wanted, offset: 0, grouped: false }
    const { inRange } = range.range === undefined ? { inRange: 0 } : await this.#statements.count(request)
    const found = await sealed(Math.max(0, offset - inRange), limit)
    return inRange > offset ? { ...found, ...index, ...range, offset } : { ...found, ...index, offset: 0 }
  }

  async #groups(known: KnownIndex, plan: Plan, filter: EventFilter): Promise<TermGroup[]> {
    const { history } = filter
    const requests = history ? await this.#statements.requestsOf(history.subjects) : []
    const parts = await Promise.all(partialDays(filter).map((part) => known.partIds(part, plan)))
    const groups = termGroups(filter, requests, parts.flat())
    return groups.length > 0 ? groups : [everyDay]
  }
}

const databaseRestored =
  'The database was restored to an earlier state while this process was running. It now has other events than before. ' +
  'The cache of the event log was dropped.'

const wrongIndex =
  'The index of events does not match the event log: it lists events that do not match the filter. They are left out, and ' +
  'other events may be missing. If this is logged again, call recountEvents().'

/** What a read is planned with, so that the statement can compare it. */
function checkedBy({ state, tail }: Plan): Pick<PageRequest, 'index' | 'newest'> {
  return {
    ...(state !== noBlocks && { index: state }),
    ...(tail.newest !== undefined && tail.to > state.sealedTo && { newest: tail.newest }),
  }
}

/** Whether a statement has read the index and the tail of the plan, and no newer ones. */
function isSame({ seen }: CreatorsResult, { state }: Plan): boolean {
  return seen.isSameIndex && seen.isSameTail && seen.state.sealedTo === state.sealedTo
}

/** By id; each with the name in their later event. */
function mergeCreators(covered: readonly EventCreator[], later: readonly EventCreator[]): EventCreator[] {
  if (later.length === 0) return [...covered]
  const byId = new Map([...covered, ...later].map((creator) => [creator.id, creator]))
  return [...byId.values()].sort((one, other) => one.id - other.id)
}

/** The last id that the index or the tail covers. */
function coveredTo({ state, tail }: Plan): number {
  return Math.max(state.sealedTo, tail.to)
}

/** The part of a range that neither the index nor the tail covers. */
function restOf({ above, below }: IdRange, plan: Plan): { readonly range?: IdRange } {
  const range = { above: Math.max(above, coveredTo(plan)), below }
  return range.above + 1 < range.below ? { range } : {}
}
