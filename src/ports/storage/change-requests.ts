import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import type { State } from '../../domain/lifecycle'
import type { EventRow } from './events'
import type { IdempotencyRecord } from './idempotency'
import type { StoredSettings } from './settings'

/** A change request as it was read or written, with the version that the next write must name. */
export interface StoredChangeRequest {
  /** 1 at creation; increases with every write that alters the change request. */
  readonly version: number
  /** Deeply equal to what was committed. */
  readonly changeRequest: ChangeRequest
}

/** An author, a project and an environment; each such key has at most one open change request. */
export interface OpenKey {
  /** Compared exactly: case and blanks matter. */
  readonly project: string
  /** Compared exactly: case and blanks matter. */
  readonly environment: string
  /** The author. */
  readonly userId: number
}

/** The data that a proposal is decided on, as {@link ChangeRequestStorage.loadProposal} returns it. */
export interface LoadedProposal {
  /** The open change request of the key; undefined if there is none. */
  readonly open: StoredChangeRequest | undefined
  /** The settings of the environment; undefined if nothing is set. */
  readonly settings: StoredSettings | undefined
  /** A new id if none is open and ids for changes were requested, otherwise 0. */
  readonly changeRequestId: number
  /** The requested number of new ids for changes, in ascending order, greater than all in `open`. */
  readonly changeIds: readonly number[]
}

/** A write of one change request together with its events, for {@link ChangeRequestStorage.commit}. */
export interface Write {
  /** The new content. */
  readonly changeRequest: ChangeRequest
  /**
   * The new summary, which {@link ChangeRequestStorage.summaries} returns. It is stored next to the change request, so that
   * these lists read no documents.
   */
  readonly summary: ChangeRequestSummary
  /** The version that this write creates, greater than `expectedVersion`. */
  readonly version: number
  /** The version that was read; 0 for a new change request. */
  readonly expectedVersion: number
  /** Facts of the version that was read, for a storage that stores counts and texts; null for a new change request. */
  readonly before: WriteBefore | null
  /** The text in which {@link ChangeRequestStorage.reviews} finds a part, in lower case. */
  readonly searchText: string
  /** True if it accepts changes: at most one per {@link OpenKey} of its project, environment and author. */
  readonly open: boolean
  /** True while it needs acknowledgement; absent for false. */
  readonly afterReview?: boolean
  /** The subjects that find it, such as `feature:checkout`; they replace all subjects stored before. */
  readonly subjects: readonly string[]
  /** When the scheduler applies it, as {@link ChangeRequestStorage.due} finds it; null without a pending schedule. */
  readonly dueAt: string | null
  /**
   * When the apply attempt began whose result is not stored yet, as {@link ChangeRequestStorage.interrupted} finds it; null
   * without one.
   */
  readonly applyingSince: string | null
  /**
   * Removes the change request: a draft that its author discards. Its events stay, and its id is not reused. With
   * `expectedVersion` 0 the write returns `false`, because there is nothing to remove.
   */
  readonly removed?: boolean
  /** Their ids are assigned in this order. */
  readonly events: readonly EventRow[]
  /** For a request with an `Idempotency-Key`: its record, stored together with its effect. */
  readonly idempotency?: IdempotencyRecord
}

/** Facts of the version that a {@link Write} replaces. */
export interface WriteBefore
  extends Pick<ChangeRequestSummary, 'state' | 'scope' | 'reviewedBy'>,
    Pick<Write, 'searchText'> {}

/**
 * Selects change requests, for {@link ChangeRequestStorage.list}, {@link ChangeRequestStorage.summaries} and
 * {@link ChangeRequestStorage.countByState}. The parts combine with AND.
 */
export interface ChangeRequestFilter {
  /** Its project is one of these; an empty list matches nothing. */
  readonly projects?: readonly string[]
  /** Its state is one of these. */
  readonly states?: readonly State[]
  /** Its author. */
  readonly createdBy?: number
  /** One of its stored {@link Write.subjects} is one of these; an empty list matches nothing. */
  readonly subjects?: readonly string[]
  /** Only those that need acknowledgement, according to their last {@link Write}. */
  readonly afterReview?: true
  /** The user whose drafts are included; drafts of others never are. Null: no drafts. */
  readonly viewer: number | null
}

/** Selects change requests for {@link ChangeRequestStorage.countGroups}. */
export type GroupFilter = Pick<ChangeRequestFilter, 'projects' | 'states' | 'viewer'>

/**
 * A group of change requests that match a filter, as {@link ChangeRequestStorage.countGroups} returns it: all with the same
 * values of these fields.
 */
export interface ChangeRequestGroup extends Pick<ChangeRequestSummary, 'project' | 'environment' | 'scope' | 'state'> {
  /** Their author is the viewer of the filter. */
  readonly own: boolean
  /** The viewer of the filter is in `reviewedBy` of their summaries. */
  readonly reviewed: boolean
  /** The number of change requests: 1 or more. */
  readonly count: number
}

/** A position in a list of change requests. The change request that it names may have been removed. */
export interface ListCursor {
  /** `createdAt` of the change request, as it is stored. */
  readonly createdAt: string
  /** Its id. */
  readonly id: number
}

/**
 * The part of a list that {@link ChangeRequestStorage.list} reads. A page ends after `limit` items or before the item that
 * would exceed `bytes`, whichever comes first. It has at least one item if one is left.
 */
export interface ListPage {
  /** The last item of the previous page; absent for the first page. */
  readonly after?: ListCursor
  /** Maximum number of items of the page: 1 or more. */
  readonly limit: number
  /** Maximum size of the page in bytes, counted in the stored JSON text as UTF-8. A single item may be larger. */
  readonly bytes: number
}

/** The part of a list that {@link ChangeRequestStorage.summaries} reads. */
export interface SummaryPage extends ListPage {
  /**
   * The number of items to skip, counted from `after`.
   * @defaultValue `0`
   */
  readonly offset?: number
}

/** A page of a list, newest first: by `createdAt`, then by id, both descending. */
export interface ListedPage<Item> {
  /** In the order of the list. */
  readonly items: readonly Item[]
  /** The position of the last item, for the next page; null if no item is left. */
  readonly next: ListCursor | null
}

/** Selects change requests, for {@link ChangeRequestStorage.listById}. Drafts never match. The parts combine with AND. */
export interface UpdatedFilter extends Pick<ChangeRequestFilter, 'projects'> {
  /** Its `updatedAt` is this time or later. */
  readonly updatedFrom?: string
  /** Its `updatedAt` is earlier than this time. */
  readonly updatedBefore?: string
}

/** The part of a list that {@link ChangeRequestStorage.listById} reads. */
export interface IdPage extends Omit<ListPage, 'after'> {
  /** The id of the last item of the previous page; 0 for the first page. */
  readonly after: number
}

/** A change request with the position of its last event, read at the same moment. */
export interface LoggedChangeRequest extends StoredChangeRequest {
  /** The id of the newest {@link EventRow} with its id as `changeRequestId`; 0 if there is none. */
  readonly lastEventId: number
}

/** A page of a list by id. */
export interface ListedById {
  /** In the order of their ids. */
  readonly items: readonly LoggedChangeRequest[]
  /** The id of the last item, for the next page; null if no item is left. */
  readonly next: number | null
}

/** The values that the change requests of a group have in common. */
export type GroupKey = Pick<ChangeRequestGroup, 'project' | 'environment' | 'scope' | 'state'>

/** Subjects from one to another, both included, in the order of their UTF-8 bytes. Both ends are ASCII. */
export interface SubjectRange {
  /** The first subject. */
  readonly from: string
  /** The last subject. */
  readonly to: string
}

/** Selects change requests of an inbox. The parts combine with AND. No change request matches two cases of one search. */
export interface ReviewCase {
  /** It belongs to one of these groups; an empty list matches nothing. */
  readonly groups: readonly GroupKey[]
  /** Its author. */
  readonly by?: number
  /** Its author is another user. */
  readonly notBy?: number
  /** One of its stored {@link Write.subjects} is this one, or in this range. */
  readonly subject?: string | SubjectRange
  /** None of its stored {@link Write.subjects} is this one, or in this range. */
  readonly withoutSubject?: string | SubjectRange
  /** Only those that need acknowledgement, according to their last {@link Write}. */
  readonly afterReview?: true
}

/**
 * A part of an inbox, for {@link ChangeRequestStorage.reviews}: the change requests that match one of the cases and every
 * other part.
 */
export interface ReviewSearch {
  /** At least one of these matches. */
  readonly cases: readonly ReviewCase[]
  /** Its author. */
  readonly createdBy?: number
  /** All of these are stored {@link Write.subjects} of it. */
  readonly subjects?: readonly string[]
  /** It has this part in its {@link Write.searchText}, or has this id. The part is in lower case. */
  readonly query?: { readonly part: string; readonly id: number | null }
  /** Its `createdAt` is this time or later. */
  readonly createdFrom?: string
  /** Its `createdAt` is earlier than this time. */
  readonly createdBefore?: string
  /** The time in the `schedule` of its summary is this one or later, whatever the status. */
  readonly scheduledFrom?: string
  /** The time in the `schedule` of its summary is earlier than this one. */
  readonly scheduledBefore?: string
  /**
   * `newest`: by `createdAt`, then by id, both descending; `waiting`: by `stateSince` of the summary, then by id; `recent`:
   * the same, both descending.
   */
  readonly order: 'newest' | 'waiting' | 'recent'
  /** The last item of the previous page; absent for the first page. */
  readonly after?: ReviewCursor
  /** Maximum number of items of the page: 1 or more. */
  readonly limit: number
  /** As in {@link ListPage}. */
  readonly bytes: number
  /** Cases to count in addition, each list with the other parts of the search and up to this number. */
  readonly counts: { readonly of: readonly (readonly ReviewCase[])[]; readonly upTo: number }
}

/** A position in an inbox. The change request that it names may have been removed. */
export interface ReviewCursor {
  /** `createdAt` or `stateSince`, whichever the order is by. */
  readonly at: string
  /** Its id. */
  readonly id: number
}

/** The result of {@link ChangeRequestStorage.reviews}. */
export interface FoundReviews {
  /** In the order of the search. */
  readonly items: readonly StoredChangeRequest[]
  /** The position of the last item, for the next page; null if no item is left. */
  readonly next: ReviewCursor | null
  /** The number of matches of each list of cases, at most `upTo`. */
  readonly counts: readonly number[]
}

/** A scheduled change request, as {@link ChangeRequestStorage.due} returns it. */
export interface DueChangeRequest extends ChangeRequestSummary {
  /** Its {@link Write.dueAt}, or the time to which {@link ChangeRequestStorage.hold} moved it. */
  readonly dueAt: string
}

/**
 * A change of holds, for {@link ChangeRequestStorage.hold}: a change request whose hold begins, changes or ends, or held ones
 * that are due again at another time.
 */
export type HoldWrite =
  | (Pick<Write, 'changeRequest' | 'summary' | 'version'> & {
      /** When it is due again; null when the hold ends: then the stored time stays. */
      readonly dueAt: string | null
    })
  | {
      /** Those that are not held are left alone. */
      readonly ids: readonly number[]
      /** When they are due again. */
      readonly dueAt: string
    }

/** A position in the list of scheduled change requests. */
export interface DueCursor {
  /** {@link DueChangeRequest.dueAt} of the change request. */
  readonly dueAt: string
  /** The time in the `schedule` of its summary; {@link Write.dueAt} if that has none. */
  readonly scheduledAt: string
  /** Its id. */
  readonly id: number
}

/** The part of the scheduled change requests that {@link ChangeRequestStorage.due} reads. */
export interface DuePage {
  /** Only those that are due at this time or earlier; absent: all scheduled ones. */
  readonly before?: string
  /** The last item of the previous page; absent for the first page. */
  readonly after?: DueCursor
  /** Maximum number of items: 1 or more. */
  readonly limit: number
}

/** The scheduled change requests at a given time, as {@link ChangeRequestStorage.dueTimes} returns them. */
export interface DueTimes {
  /** The number that is due at that time and not held. */
  readonly due: number
  /** The earliest {@link Write.dueAt} of these; null if none is due. */
  readonly first: string | null
  /** The earliest one after that time that is not held; null if there is none. */
  readonly next: string | null
  /** The number that is held, at any time: their summary has `held`. */
  readonly held: number
}

/**
 * An apply attempt without a stored result, as {@link ChangeRequestStorage.interrupted} returns it; also its position in
 * that list.
 */
export interface InterruptedApply {
  /** The project of the change request. */
  readonly project: string
  /** Its id. */
  readonly id: number
  /** {@link Write.applyingSince} of the change request. */
  readonly applyingSince: string
}

/** The part of the apply attempts that {@link ChangeRequestStorage.interrupted} reads. */
export interface InterruptedPage {
  /** The last item of the previous page; absent for the first page. */
  readonly after?: Pick<InterruptedApply, 'id' | 'applyingSince'>
  /** Maximum number of items: 1 or more. */
  readonly limit: number
}

/** The part of a {@link Storage} that stores change requests. */
export interface ChangeRequestStorage {
  /**
   * New ids in ascending order: each is greater than all ids that any process allocated before the call. Ids allocated after
   * a read are therefore greater than all ids in the result of the read. Ids that are not used stay unused.
   */
  nextIds(kind: 'changeRequest' | 'change', count: number): Promise<number[]>

  /**
   * All data that a proposal is decided on, in one call to save round trips: the open change request of the key, the settings
   * of its environment and new ids, with the guarantees of {@link nextIds}. Sees every commit that
   * returned before the call. Without `changeIds` no id is allocated.
   */
  loadProposal(key: OpenKey, changeIds: number): Promise<LoadedProposal>

  /**
   * The change request with the id; undefined if there is none, or if it does not belong to the project of the scope. Sees
   * every commit that returned before the call.
   */
  find(scope: { readonly project?: string }, id: number): Promise<StoredChangeRequest | undefined>

  /**
   * One page of the change requests that match, newest first. Writes between two pages do not move the others: none is
   * skipped and none is repeated. Must not read documents beyond the page.
   */
  list(filter: ChangeRequestFilter, page: ListPage): Promise<ListedPage<StoredChangeRequest>>

  /**
   * One page of the change requests that match, by id. Must not read documents beyond the page. An index by id with
   * `updatedAt`, project and state keeps it fast where few match.
   */
  listById(filter: UpdatedFilter, page: IdPage): Promise<ListedById>

  /**
   * One page of the summaries of the change requests that {@link list} would return: the last committed
   * {@link Write.summary} of each. Must not read documents.
   */
  summaries(filter: ChangeRequestFilter, page: SummaryPage): Promise<ListedPage<ChangeRequestSummary>>

  /** The exact number of matches in each state; states without any may be missing. Must not read documents. */
  countByState(filter: ChangeRequestFilter): Promise<{ readonly [state in State]?: number }>

  /**
   * The matches in groups, in any order: each group once, with the fields of the last committed {@link Write.summary}. Must
   * not read documents. Stored counts keep it fast with many matches.
   */
  countGroups(filter: GroupFilter): Promise<ChangeRequestGroup[]>

  /**
   * One page of an inbox: the change requests that match, in the order of the search, without a gap or a repetition between
   * pages as long as none enters another state. Must not read documents beyond the page. An index by the fields of the groups
   * and the position in each order keeps it fast with many matches, and one by the times of schedules with many others.
   */
  reviews(search: ReviewSearch): Promise<FoundReviews>

  /**
   * The summaries of the change requests with a {@link Write.dueAt}, ordered by it, then by the time in their `schedule`, then
   * by id. Each process calls it every second, so it must use an index.
   */
  due(page: DuePage): Promise<DueChangeRequest[]>

  /**
   * Replaces the change request and its summary, whose `held` was set or removed, and the time when it is due, unless the
   * stored version is another one than `version`. With `ids`, sets only the time of those that are held, in one statement.
   * Neither raises a version nor writes an event. A {@link commit} may race: the later one wins.
   */
  hold(write: HoldWrite): Promise<void>

  /** The number that is due at the time, the first of these, and the next one after it. Must not read documents. */
  dueTimes(at: string): Promise<DueTimes>

  /**
   * The change requests with a {@link Write.applyingSince} at the time or earlier, ordered by it, then by id. Each process
   * calls it every two seconds, so it must use an index. Must not read documents.
   */
  interrupted(before: string, page: InterruptedPage): Promise<InterruptedApply[]>

  /** The projects that have a change request or an event, in any order. */
  projects(): Promise<string[]>

  /**
   * Writes the change request with its summary if its stored version is still `expectedVersion`, and appends its events,
   * atomically. `false` if another writer was faster, if the key already has another open change request, or if a record is
   * already stored for its idempotency key (and is at most a day older than the new one): load and decide again. Of any
   * number of writes that race for one version, exactly one returns `true`.
   */
  commit(write: Write): Promise<boolean>
}
