import type { EventCursor, EventFilter, EventPage } from '../../../ports/storage/events'
import { type IdRange, noId } from '../shared/event-filter'
import type { KeptCount } from './access'
import type { IndexState, Posting, PostingQuery } from './posting-cache'

/** The total that a page comes with: of one project or of all, by tallies, or by counting what matches. */
export type TotalRequest =
  | { readonly kind: 'log'; readonly project: string }
  | { readonly kind: 'kept'; readonly count: KeptCount }
  | { readonly kind: 'counted'; readonly above: number; readonly most: number }

/** Events of ids, and what matches in a range of ids, as one page. */
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
  /** The index by which the ids were found; absent where it had no part in them. */
  readonly index?: IndexState
  /** Whether the database may keep its plan: the best one does not depend on the values. */
  readonly planKept?: boolean
}

/** True where the total counts what the page looks at anyhow: all that is behind the index. */
export function countsItsRange({ forward, range, total, planKept }: PageRequest): boolean {
  return planKept === true && !forward && range?.below === noId && (total?.kind === 'kept' || total?.kind === 'counted')
}

/** The index as the statement that answered saw it. */
export interface SeenIndex {
  readonly state: IndexState
  /** Whether all of it that {@link PageRequest.index} knew is still there. */
  readonly holds: boolean
  /** How many events with one of the ids do not fit the filter; they are left out. */
  readonly unfit: number
}

export interface PageAnswer {
  /** The events of it that have the text, if one is searched for. */
  readonly page: Pick<EventPage, 'count' | 'json'>
  /** How many events of the range match, up to offset and limit. */
  readonly inRange: number
  /** The last one of them. */
  readonly lastInRange: number
  readonly total: number
  readonly seen: SeenIndex
}

export interface CountAnswer extends Pick<PageAnswer, 'inRange' | 'lastInRange' | 'seen'> {
  readonly count: number
}

/** The statements of a database. */
export interface EventStatements {
  state(): Promise<IndexState>
  postings(query: PostingQuery): Promise<Posting[]>
  /** The change requests that have one of the subjects. */
  requestsOf(subjects: readonly string[]): Promise<number[]>
  /** A page of the whole log or of one project, without a text. */
  logPage(project: string | undefined, cursor: EventCursor, limit: number, grouped: boolean): Promise<EventPage>
  page(request: PageRequest): Promise<PageAnswer>
  /** How many events of the page there are, without reading them. */
  count(request: PageRequest): Promise<CountAnswer>
}

/** How far a page reached: an event of the index counts as looked at also when it has been removed since. */
export function reached(
  { ids, forward, limit, offset }: PageRequest,
  answer: Pick<PageAnswer, 'inRange' | 'lastInRange'>,
) {
  const searched = Math.max(0, Math.min(ids.length + answer.inRange - offset, limit))
  const fromIds = forward ? answer.inRange === 0 : searched + offset > answer.inRange
  const last = forward ? ids.at(-1) : ids[searched + offset - answer.inRange - 1]
  return { searched, lastId: searched === 0 ? 0 : fromIds ? (last ?? 0) : answer.lastInRange }
}

/** How many events of the range can be needed: newest first they come before those of the ids, oldest first behind them. */
export function mostInRange({ ids, forward, limit, offset }: PageRequest): number {
  return Math.max(0, offset + limit - (forward ? ids.length : 0))
}
