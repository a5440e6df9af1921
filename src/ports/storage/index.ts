import type { ChangeRequest } from '../../domain/change-request'
import type { ChangeRequestSummary } from '../../domain/content/summary'
import type { State } from '../../domain/lifecycle'

/**
 * A change request as it was read or written, with the version that the next write must name.
 *
 * @example
 * ```ts
 * const toStored = (row: { version: number; document: string }): StoredChangeRequest => ({
 *   version: row.version,
 *   changeRequest: JSON.parse(row.document),
 * })
 * ```
 */
export interface StoredChangeRequest {
  /** 1 at creation; grows with every write that alters the change request. */
  readonly version: number
  /** Deeply equal to what was committed. */
  readonly changeRequest: ChangeRequest
}

/**
 * Who may have one open change request where.
 *
 * @example
 * ```ts
 * const key: OpenKey = { project: 'shop', environment: 'production', userId: 1 }
 * const open = await storage.findOpen(key)
 * ```
 */
export interface OpenKey {
  /** As it is: case and blanks count. */
  readonly project: string
  /** As it is: case and blanks count. */
  readonly environment: string
  /** The author. */
  readonly userId: number
}

/**
 * An event ready to be stored: what a log is searched by, and the text that a read copies.
 *
 * @example
 * ```ts
 * const event: EventRow = {
 *   type: 'feature-archived',
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   project: 'shop',
 *   environment: null,
 *   featureName: 'checkout',
 *   createdByUserId: 1,
 *   groupType: null,
 *   groupId: null,
 *   json: '{"createdAt":"2026-11-20T10:52:09.870Z","type":"feature-archived","createdBy":"ann@example.com"}',
 * }
 * ```
 */
export interface EventRow {
  /** One of {@link EventType}. */
  readonly type: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** The project it concerns; {@link EventScope} asks for it. */
  readonly project: string | null
  /** The environment it concerns. */
  readonly environment: string | null
  /** The flag it concerns. */
  readonly featureName: string | null
  /** Number of the acting user. */
  readonly createdByUserId: number | null
  /** What holds the events of a group together. */
  readonly groupType: string | null
  /** Which group. */
  readonly groupId: string | null
  /** A JSON object as it is served, all but its `id`; never empty, written once by JSON.stringify. */
  readonly json: string
}

/**
 * What becomes of one change request, with all that is told of it: {@link Storage.commit} takes it.
 *
 * @example
 * ```ts
 * const rename = (
 *   { version, changeRequest }: StoredChangeRequest,
 *   summary: ChangeRequestSummary,
 *   title: string,
 * ): Write => ({
 *   changeRequest: { ...changeRequest, title },
 *   summary: { ...summary, title },
 *   version: version + 1,
 *   expectedVersion: version,
 *   open: true,
 *   subjects: ['feature:checkout'],
 *   events: [],
 * })
 * ```
 */
export interface Write {
  /** What is stored from now on. */
  readonly changeRequest: ChangeRequest
  /** What {@link Storage.summaries} returns of it from now on; stored beside it, so that no such list reads documents. */
  readonly summary: ChangeRequestSummary
  /** The version that this write makes, greater than `expectedVersion`. */
  readonly version: number
  /** The version that was read; 0: no change request with this id may exist yet. */
  readonly expectedVersion: number
  /** True if it takes changes: at most one such per {@link OpenKey} of its project, environment and author. */
  readonly open: boolean
  /** What it can be found by, such as `feature:checkout`: replaces all that was stored for it before. */
  readonly subjects: readonly string[]
  /**
   * The change request goes (a draft that its author discards); its events stay and its id is not used again. There must
   * be one: with `expectedVersion` 0 the write is always refused with `false`.
   */
  readonly removed?: boolean
  /** In the order in which they get their ids. */
  readonly events: readonly EventRow[]
  /** What the call did that carried an `Idempotency-Key`, stored with its effect. */
  readonly idempotency?: IdempotencyRecord
}

/**
 * An `Idempotency-Key`; it belongs to the user who sent it.
 *
 * @example
 * ```ts
 * const key: IdempotencyKey = { userId: 1, key: '5f0c7f5e-6a43-4a57-9e9c-3f1a2b7a9d10' }
 * const since = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
 * const record = await storage.findIdempotencyRecord(key, since)
 * ```
 */
export interface IdempotencyKey {
  /** Who sent it. */
  readonly userId: number
  /** 1 to 255 visible ASCII characters. */
  readonly key: string
}

/**
 * What a call with an `Idempotency-Key` did, for the retry of that call. It names the change request and holds no answer:
 * its size does not depend on what was answered.
 *
 * @example
 * ```ts
 * const record: IdempotencyRecord = {
 *   userId: 1,
 *   key: '5f0c7f5e-6a43-4a57-9e9c-3f1a2b7a9d10',
 *   createdAt: '2026-11-20T10:52:09.870Z',
 *   fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
 *   project: 'shop',
 *   changeRequestId: 42,
 *   commentId: null,
 * }
 * ```
 */
export interface IdempotencyRecord extends IdempotencyKey {
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** Distinguishes this call from another one that uses the same key. */
  readonly fingerprint: string
  /** The project of the change request. */
  readonly project: string
  /** The change request that the call wrote to. */
  readonly changeRequestId: number
  /** The comment that the call added; null for a call of another kind. */
  readonly commentId: number | null
}

/**
 * Which change requests {@link Storage.list}, {@link Storage.summaries} and {@link Storage.countByState} mean. All that
 * is given must fit.
 *
 * @example
 * ```ts
 * const filter: ChangeRequestFilter = { projects: ['shop'], states: ['In review'], subject: 'feature:checkout', viewer: 1 }
 * const { items } = await storage.list(filter, { limit: 25, bytes: 1_048_576 })
 * ```
 */
export interface ChangeRequestFilter {
  /** No project at all when empty. */
  readonly projects?: readonly string[]
  /** In any of these. */
  readonly states?: readonly State[]
  /** Of this author. */
  readonly createdBy?: number
  /** One of the stored {@link Write.subjects}. */
  readonly subject?: string
  /** Whose drafts are among them; drafts of all others never are. Null: no drafts. */
  readonly viewer: number | null
}

/**
 * A place in a list of change requests: the one that is named by it, stored or not.
 *
 * @example
 * ```ts
 * const toCursor = ({ createdAt, id }: ChangeRequestSummary): ListCursor => ({ createdAt, id })
 * ```
 */
export interface ListCursor {
  /** `createdAt` of the change request, as it is stored. */
  readonly createdAt: string
  /** Its id. */
  readonly id: number
}

/**
 * Which part of a list {@link Storage.list} reads. A page ends with the item that the limit counts last, or before the
 * one that would take it past `bytes`, whichever comes first; it has at least one item where one is left.
 *
 * @example
 * ```ts
 * const first: ListPage = { limit: 25, bytes: 1_048_576 }
 * const { next } = await storage.list({ viewer: 1 }, first)
 * const second = next && (await storage.list({ viewer: 1 }, { ...first, after: next }))
 * ```
 */
export interface ListPage {
  /** The last item of the page before; absent for the first page. */
  readonly after?: ListCursor
  /** At most so many items: 1 or more. */
  readonly limit: number
  /** At most so many bytes, counted in the stored JSON text as UTF-8. A single item may be larger than that. */
  readonly bytes: number
}

/**
 * Which part of a list {@link Storage.summaries} reads.
 *
 * @example
 * ```ts
 * const found = await storage.summaries({ viewer: 1 }, { offset: 50, limit: 25, bytes: 1_048_576 })
 * ```
 */
export interface SummaryPage extends ListPage {
  /**
   * How many items are left out first, counted behind `after`.
   * @defaultValue `0`
   */
  readonly offset?: number
}

/**
 * A part of a list, newest first: by `createdAt`, then by id, both descending.
 *
 * @example
 * ```ts
 * const nothing: ListedPage<StoredChangeRequest> = { items: [], next: null }
 * ```
 */
export interface ListedPage<Item> {
  /** In the order of the list. */
  readonly items: readonly Item[]
  /** The place of the last item, to go on behind it; null when no item is left. */
  readonly next: ListCursor | null
}

/**
 * What is set for an environment of a project.
 *
 * @example
 * ```ts
 * const settings: Settings = { changeRequestsEnabled: true, requiredApprovals: 2 }
 * ```
 */
export interface Settings {
  /** Whether change requests are accepted. */
  readonly changeRequestsEnabled: boolean
  /** Approvals that a new change request needs, 1 to 10. */
  readonly requiredApprovals: number
}

/**
 * The settings of an environment as they were read, with the version that the next write must name.
 *
 * @example
 * ```ts
 * const stored: StoredSettings = {
 *   environment: 'production',
 *   settings: { changeRequestsEnabled: true, requiredApprovals: 2 },
 *   version: 3,
 * }
 * ```
 */
export interface StoredSettings {
  /** The environment; the project is the one that was asked for. */
  readonly environment: string
  /** Null where nothing is set, but a change request is stored. */
  readonly settings: Settings | null
  /** 0 where nothing is set. */
  readonly version: number
}

/**
 * Where settings are set.
 *
 * @example
 * ```ts
 * const place: SettingsPlace = { project: 'shop', environment: 'production' }
 * const stored = await storage.findSettings(place)
 * ```
 */
export interface SettingsPlace {
  /** The project. */
  readonly project: string
  /** An environment of it. */
  readonly environment: string
}

/**
 * What becomes of the settings of an environment: {@link Storage.commitSettings} takes it.
 *
 * @example
 * ```ts
 * const write: SettingsWrite = {
 *   project: 'shop',
 *   environment: 'production',
 *   settings: { changeRequestsEnabled: true, requiredApprovals: 2 },
 *   expectedVersion: 0,
 *   events: [],
 * }
 * ```
 */
export interface SettingsWrite extends SettingsPlace {
  /** What is set from now on; its version is the next after `expectedVersion`. */
  readonly settings: Settings
  /** The version that was read; 0: nothing may be set yet. */
  readonly expectedVersion: number
  /** In the order in which they get their ids. */
  readonly events: readonly EventRow[]
}

/**
 * Which events have a kept count: all, those of projects, those of flags, those of flags in projects.
 *
 * @example
 * ```ts
 * const all: EventScope = {}
 * const ofShop: EventScope = { projects: ['shop'] }
 * ```
 */
export interface EventScope {
  /** Left out: those without a project as well. Nothing fits an empty list. */
  readonly projects?: readonly string[]
  /** The `featureName` is one of these. Nothing fits an empty list. */
  readonly features?: readonly string[]
}

/**
 * Which events are read. All that is given must fit; a list fits with any of its items.
 *
 * @example
 * ```ts
 * const filter: EventFilter = { projects: ['shop'], types: ['change-request-applied'], from: '2026-03-01T00:00:00.000Z' }
 * ```
 */
export interface EventFilter extends EventScope {
  /** The id is one of these. */
  readonly ids?: readonly number[]
  /** The type is one of these. */
  readonly types?: readonly string[]
  /** The environment is one of these. */
  readonly environments?: readonly string[]
  /** The {@link EventRow.createdByUserId} is one of these. */
  readonly createdBy?: readonly number[]
  /** The {@link EventRow.groupId} is one of these. */
  readonly groupIds?: readonly string[]
  /**
   * The history of flags: the `featureName` is one of the features, or the event is one of a change request (its type
   * begins with `change-`) that has one of the subjects among its {@link Write.subjects} now. The change request is the
   * one whose number is `data.changeRequestId`, or where that is none, `preData.changeRequestId`.
   */
  readonly history?: { readonly features: readonly string[]; readonly subjects: readonly string[] }
  /** The first moment, as {@link EventRow.createdAt} is written. */
  readonly from?: string
  /** The first moment that is too late. */
  readonly to?: string
  /** Stands in the JSON text of `data`, `preData` or `tags`; a to z are the same as A to Z, other letters have no case. */
  readonly text?: string
}

/**
 * How far a log goes, from one moment.
 *
 * @example
 * ```ts
 * const empty: EventHead = { lastId: 0, total: 0 }
 * ```
 */
export interface EventHead {
  /** The id of the newest visible event; 0 when there is none. */
  readonly lastId: number
  /** How many visible events there are in the scope. */
  readonly total: number
}

/**
 * Where a page starts: newest first below an id, or oldest first above one.
 *
 * @example
 * ```ts
 * const newestFirst: EventCursor = { before: Number.MAX_SAFE_INTEGER }
 * const fromTheStart: EventCursor = { after: 0 }
 * ```
 */
export type EventCursor = { readonly before: number } | { readonly after: number }

/**
 * How far a count or a page went.
 *
 * @example
 * ```ts
 * const { count, searched, lastId }: EventCount = await storage.countEvents({}, { after: 0 }, 100)
 * ```
 */
export interface EventCount {
  /** How many fit. */
  readonly count: number
  /** How many were looked at: `count`, or more where a text was looked for. Fewer than the limit: there are no more. */
  readonly searched: number
  /** The id of the last event that was looked at, the cursor to go on from; 0 where there was none. */
  readonly lastId: number
}

/**
 * Events as they are served, ready to be sent.
 *
 * @example
 * ```ts
 * const json = Buffer.from('{"id":7,"type":"feature-archived"}')
 * const page: EventPage = { count: 1, searched: 1, lastId: 7, json }
 * ```
 */
export interface EventPage extends EventCount {
  /**
   * `{"id":7,…},\n{"id":6,…}`: the events as UTF-8 JSON, separated by a comma and a line feed, which stands nowhere
   * else. They are the caller's own, who may write over them.
   */
  readonly json: Uint8Array
}

/**
 * Somebody who has written events.
 *
 * @example
 * ```ts
 * const ann: EventCreator = { id: 1, createdBy: 'ann@example.com' }
 * ```
 */
export interface EventCreator {
  /** `createdByUserId` of their events. */
  readonly id: number
  /** `createdBy` of their newest event; null where that event is no longer there. */
  readonly createdBy: string | null
}

/**
 * How a storage is: what `router.health()` answers.
 *
 * @example
 * ```ts
 * const health: StorageHealth = { reachable: true, schemaVersion: 1, lastEventId: 1042, durability: 'fsync=on' }
 * ```
 */
export interface StorageHealth {
  /** False when it cannot be asked; the numbers are then 0. */
  readonly reachable: boolean
  /** The number of the last migration; 0 before the first. */
  readonly schemaVersion: number
  /** The id of the newest visible event; 0 when there is none. */
  readonly lastEventId: number
  /** How a commit survives a power loss, in the words of the database. */
  readonly durability: string
}

/**
 * What the errors of a store come down to: {@link Storage.failureOf} tells it of an error.
 *
 * - `lost-race`: another writer was faster and nothing was written, as a conflict of transactions or a deadlock. The
 *   router loads and decides again, up to twelve times.
 * - `busy`: a lock, a free connection or the end of a statement was waited for too long. Not tried again; 503.
 * - `unreachable`: the store does not answer, or went away; whether a write arrived is unknown. 503.
 * - `unmigrated`: {@link Storage.migrate} has not been called yet. 503.
 * - `read-only`: it takes no writes at the moment. 503.
 * - `not-allowed`: the host has no right to this in its store. 503.
 * - `full`: there is no space left. 503.
 * - `refused-data`: the store cannot hold a value of the request. 400.
 *
 * @example
 * ```ts
 * const failureOf = (error: unknown): StorageFailure | undefined => {
 *   const { code } = (error ?? {}) as { code?: unknown }
 *   if (code === 'NR_CLOSED' || code === 'ECONNREFUSED') return 'unreachable'
 *   return code === 'LOADING' ? 'busy' : undefined
 * }
 * ```
 */
export type StorageFailure =
  | 'lost-race'
  | 'busy'
  | 'unreachable'
  | 'unmigrated'
  | 'read-only'
  | 'not-allowed'
  | 'full'
  | 'refused-data'

/**
 * What a {@link Storage} does that can also happen inside a transaction.
 *
 * @example
 * ```ts
 * await knex.transaction(async (transaction) => {
 *   const inside: TransactionStorage = knexStorage({ knex }).within(transaction)
 *   await inside.appendEvents([])
 * })
 * ```
 */
export interface TransactionStorage {
  /** As {@link Storage.commit}. */
  commit(write: Write): Promise<boolean>
  /** As {@link Storage.appendEvents}. */
  appendEvents(events: readonly EventRow[]): Promise<void>
}

/**
 * What the router needs of a store. It holds no rules: those are decided on what was read, and `commit` refuses what was
 * decided on something older. Errors of the driver are let through unchanged: the router tells by their code whether to
 * try again, to answer 503 UnavailableError or 500 UnknownError.
 *
 * `describeStorage` from `express-change-requests/testing` has a test for each of the promises below.
 *
 * @typeParam Transaction What {@link Storage.transaction} gives, and a flag gateway gets.
 *
 * @example
 * ```ts
 * const inner = memoryStorage()
 * const timed: Storage = {
 *   ...inner,
 *   async commit(write) {
 *     const start = performance.now()
 *     const done = await inner.commit(write)
 *     console.log(write.changeRequest.id, done, performance.now() - start)
 *     return done
 *   },
 * }
 * ```
 */
export interface Storage<Transaction = unknown> extends TransactionStorage {
  /** Makes the schema what this release needs. Repeatable; any number of processes may call it at once. */
  migrate(): Promise<void>

  /** Never throws: an unreachable store is `reachable: false`. */
  health(): Promise<StorageHealth>

  /** Waits for the writes under way and gives back what the storage itself opened, nothing of the host's. */
  close(): Promise<void>

  /**
   * Fresh ids, rising: each is greater than all that any process drew before the call. Drawn after a read, they are
   * therefore greater than all ids in what was read. Ids that are not used stay unused.
   */
  nextIds(kind: 'changeRequest' | 'change', count: number): Promise<number[]>

  /**
   * What an error means that a call of this storage rejected with, told by the codes and texts of its driver; undefined
   * for an error that it does not know, which is answered with 500. Asked about anything, also what came from elsewhere,
   * such as a text or null: it must not throw.
   */
  failureOf(error: unknown): StorageFailure | undefined

  /** The open change request of the key; undefined when there is none. Sees every commit answered before the call. */
  findOpen(key: OpenKey): Promise<StoredChangeRequest | undefined>

  /** The change request of the id, if it belongs to the project. Sees every commit answered before the call. */
  find(scope: { readonly project: string }, id: number): Promise<StoredChangeRequest | undefined>

  /**
   * One page of the change requests that fit, newest first. Those that are stored, altered or removed between two pages
   * move no other: none is skipped and none comes twice. Must not read documents beyond the page, however large they are.
   */
  list(filter: ChangeRequestFilter, page: ListPage): Promise<ListedPage<StoredChangeRequest>>

  /**
   * One page of the summaries of what {@link Storage.list} would return, each as it was committed last
   * ({@link Write.summary}). Must not read documents.
   */
  summaries(filter: ChangeRequestFilter, page: SummaryPage): Promise<ListedPage<ChangeRequestSummary>>

  /** How many there are in each state; states without any may be missing. Must not read documents. */
  countByState(filter: ChangeRequestFilter): Promise<{ readonly [state in State]?: number }>

  /** The projects that have a change request or an event, in any order. */
  projects(): Promise<string[]>

  /** What is set for the environment; undefined where nothing is. Asked at every proposal. */
  findSettings(place: SettingsPlace): Promise<StoredSettings | undefined>

  /** All environments of the project that anything is stored for, by name. */
  settings(project: string): Promise<StoredSettings[]>

  /** The record stored for the key, unless it was made before `since`. */
  findIdempotencyRecord(key: IdempotencyKey, since: string): Promise<IdempotencyRecord | undefined>

  /**
   * Runs `work` in one transaction, which the flag gateway may share: if `work` throws, nothing of it stays. Absent
   * where the store has none to share.
   */
  transaction?<Value>(work: (transaction: Transaction, storage: TransactionStorage) => Promise<Value>): Promise<Value>

  /**
   * Writes the change request with its summary if its stored version is still `expectedVersion`, and appends its events,
   * all or nothing. `false` when somebody was faster, when the key already has another open one, or when a record is
   * already stored for its idempotency key (and not older than a day before the new one): load and decide again. Of any
   * number of writes that race for one version, exactly one gets `true`.
   */
  commit(write: Write): Promise<boolean>

  /** Writes the settings and their events, all or nothing; `false` when somebody was faster. */
  commitSettings(write: SettingsWrite): Promise<boolean>

  /** Appends events that belong to no change request, all or nothing, in the order given. */
  appendEvents(events: readonly EventRow[]): Promise<void>

  /** Newest id and number of events, from one moment. Both are kept at the append: this must not scan. */
  eventHead(scope: EventScope): Promise<EventHead>

  /**
   * At most `limit` events that fit, next to the cursor. With a text it looks at the next `limit` events that fit all
   * else, and answers those which have the text, maybe none. Ids rise in the order in which events become visible: once
   * an id was seen, none below it ever appears. No connection and no snapshot is held after the answer.
   *
   * @param grouped adds `groupType` and `groupId` to the events that have them, next to the id.
   */
  eventPage(filter: EventFilter, cursor: EventCursor, limit: number, grouped?: boolean): Promise<EventPage>

  /** What {@link eventPage} would answer, without the events. It may take long, but blocks nobody meanwhile. */
  countEvents(filter: EventFilter, cursor: EventCursor, limit: number): Promise<EventCount>

  /** Who has written events of these projects (of all and of none without it), by id. Must not scan the log. */
  eventCreators(projects?: readonly string[]): Promise<EventCreator[]>

  /**
   * Makes all that is kept about events (counts, newest ids, creators) what the stored events say, after the operator
   * has removed some. Writes go on meanwhile, and none is missed.
   */
  recountEvents(): Promise<void>

  /**
   * Calls the listener when events may have become visible, until the answer is called. A mere hint: it may come late,
   * in vain or never. The listener does not throw. Absent where the store knows of nothing.
   */
  onAppend?(listener: () => void): () => void

  /**
   * The same writes inside a transaction of the host, to stand or fall with it; they are never retried. Absent where
   * the store has no transactions to share.
   */
  within?(transaction: Transaction): TransactionStorage
}
