import type { EventCreator, EventFilter, EventPage } from '../../../ports/storage/events'
import { type IdRange, noId } from '../queries/event-filter'
import type { TallyQuery } from './access'
import type { IndexState, Posting, PostingQuery } from './posting-cache'
import type { CreatorHead, NewestEvent, TailEvents } from './tail'

/** How the total of a page is computed: from tallies, or by counting the matches. */
export type TotalRequest =
  | { readonly kind: 'tallied'; readonly tallies: TallyQuery; readonly above: number }
  | { readonly kind: 'counted'; readonly above: number; readonly max: number }

/** A page of the events with the given ids and of the matches in a range of ids. */
export interface PageRequest {
  readonly filter: EventFilter
  /** In the order of the page. */
  readonly ids: readonly number[]
  readonly range?: IdRange
  readonly forward: boolean
  readonly limit: number
  readonly offset: number
  readonly grouped: boolean
  readonly total?: TotalRequest
  /** The index by which the ids were found; absent if it was not used. */
  readonly index?: IndexState
  /** The end of the tail by which the ids were found; absent if it was not used. */
  readonly newest?: NewestEvent
  /** Whether the database may reuse its plan, because the best plan does not depend on the values. */
  readonly reusePlan?: boolean
}

/** A page of the whole log or of one project. */
export interface LogPageRequest {
  readonly project: string | undefined
  readonly range: IdRange
  readonly forward: boolean
  readonly limit: number
  readonly grouped: boolean
}

/** Whether the range of the page is all events after the index. These are also the events that the total must count. */
export function countsItsRange({ forward, range, total, reusePlan }: PageRequest): boolean {
  return (
    reusePlan === true && !forward && range?.below === noId && (total?.kind === 'tallied' || total?.kind === 'counted')
  )
}

/** The index that a statement saw in its snapshot. */
export interface SeenIndex {
  readonly state: IndexState
  /** Whether it is {@link PageRequest.index} or an extension of it. */
  readonly isSameIndex: boolean
  /** Whether {@link PageRequest.newest} is unchanged. */
  readonly isSameTail: boolean
  /** The newest id of the log. */
  readonly lastId: number
  /** The number of events in `ids` that do not match the filter. They are left out. */
  readonly mismatches: number
}

export interface PageResult {
  /** The events of the page, if a text is searched for only those that contain it. */
  readonly page: Pick<EventPage, 'count' | 'json'>
  /** The number of matches in the range, up to offset and limit. */
  readonly inRange: number
  /** The id of the last of these matches. */
  readonly lastInRange: number
  readonly total: number
  readonly seen: SeenIndex
}

export interface CountResult extends Pick<PageResult, 'inRange' | 'lastInRange' | 'seen'> {
  readonly count: number
}

/** The creators of the index and the tail, or of the events after them. */
export interface CreatorsRequest extends Pick<PageRequest, 'index' | 'newest'> {
  readonly projects: readonly string[] | undefined
  /** The creators of the events of the tail; undefined to leave out those of the index as well. */
  readonly known: readonly CreatorHead[] | undefined
  /** Only events after this one are read. */
  readonly above: number
}

export interface CreatorsResult {
  readonly creators: EventCreator[]
  readonly seen: SeenIndex
}

/** The statements of a database. */
export interface EventStatements {
  state(): Promise<Pick<SeenIndex, 'state' | 'lastId'>>
  postings(query: PostingQuery): Promise<Posting[]>
  /** The change requests that have one of the subjects. */
  requestsOf(subjects: readonly string[]): Promise<number[]>
  /** The ids of the events that match, without an order. The filter has `ids`. */
  idsOf(filter: EventFilter): Promise<number[]>
  logPage(request: LogPageRequest): Promise<EventPage>
  /** The same, with the number of events of the whole log or of the project, for small pages. */
  logSearch(request: LogPageRequest): Promise<{ readonly page: EventPage; readonly total: number }>
  page(request: PageRequest): Promise<PageResult>
  /** Counts the events of the page without reading them. */
  count(request: PageRequest): Promise<CountResult>
  /** The events from the first id to the last one, both included. */
  tail(first: number, last: number): Promise<TailEvents>
  creators(request: CreatorsRequest): Promise<CreatorsResult>
}

/** The number of events that a page has searched, and the last id. Indexed events count even if they have been removed. */
export function reached(
  { ids, forward, limit, offset }: PageRequest,
  result: Pick<PageResult, 'inRange' | 'lastInRange'>,
) {
  const searched = Math.max(0, Math.min(ids.length + result.inRange - offset, limit))
  const fromIds = forward ? result.inRange === 0 : searched + offset > result.inRange
  const last = forward ? ids.at(-1) : ids[searched + offset - result.inRange - 1]
  return { searched, lastId: searched === 0 ? 0 : fromIds ? (last ?? 0) : result.lastInRange }
}

/** The maximum number of events needed from the range. Newest first, the page begins with them; oldest first, it ends with them. */
export function maxInRange({ ids, forward, limit, offset }: PageRequest): number {
  return Math.max(0, offset + limit - (forward ? ids.length : 0))
}
