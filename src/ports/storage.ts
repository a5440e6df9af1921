import type { ChangeRequest } from '../domain/change-request'
import type { State } from '../domain/lifecycle'

/** A change request as it was read or written, with the version that the next write must name. */
export interface StoredChangeRequest {
  /** 1 at creation; grows with every write that alters the change request. */
  readonly version: number
  readonly changeRequest: ChangeRequest
}

/** Who may have one open change request where. */
export interface OpenKey {
  readonly project: string
  readonly environment: string
  readonly userId: number
}

/** An event ready to be stored: what a log is searched by, and the text that a read copies. */
export interface EventRow {
  readonly type: string
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  readonly project: string | null
  readonly environment: string | null
  readonly featureName: string | null
  readonly createdByUserId: number | null
  readonly groupType: string | null
  readonly groupId: string | null
  /** A JSON object as it is served, all but its `id`; never empty, written once by JSON.stringify. */
  readonly json: string
}

/** What becomes of one change request, with all that is told of it. */
export interface Write {
  readonly changeRequest: ChangeRequest
  /** The version that this write makes, greater than `expectedVersion`. */
  readonly version: number
  /** The version that was read; 0: no change request with this id may exist yet. */
  readonly expectedVersion: number
  /** True if it takes changes: at most one such per {@link OpenKey} of its project, environment and author. */
  readonly open: boolean
  /** What it can be found by, such as `feature:checkout`: replaces all that was stored for it before. */
  readonly subjects: readonly string[]
  /** The change request goes (a draft that its author discards); its events stay and its id is not used again. */
  readonly removed?: boolean
  /** In the order in which they get their ids. */
  readonly events: readonly EventRow[]
  /** The answers to calls with an `Idempotency-Key`, kept with the effect. */
  readonly answers?: readonly KeyedAnswer[]
}

/** A key belongs to the user who sent it. */
export interface AnswerKey {
  readonly userId: number
  readonly key: string
}

/** What a call was answered, for the retry of that call. */
export interface KeyedAnswer extends AnswerKey {
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string
  /** Tells this call from another one that uses the same key. */
  readonly fingerprint: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Which change requests. All that is given must fit. */
export interface ChangeRequestFilter {
  /** No project at all when empty. */
  readonly projects?: readonly string[]
  readonly states?: readonly State[]
  readonly createdBy?: number
  /** One of the stored {@link Write.subjects}. */
  readonly subject?: string
  /** Whose drafts are among them; drafts of all others never are. Null: no drafts. */
  readonly viewer: number | null
}

/** What is set for an environment of a project. */
export interface Settings {
  readonly changeRequestsEnabled: boolean
  readonly requiredApprovals: number
}

export interface StoredSettings {
  readonly environment: string
  /** Null where nothing is set, but a change request is stored. */
  readonly settings: Settings | null
  /** 0 where nothing is set. */
  readonly version: number
}

export interface SettingsPlace {
  readonly project: string
  readonly environment: string
}

export interface SettingsWrite extends SettingsPlace {
  readonly settings: Settings
  /** The version that was read; 0: nothing may be set yet. */
  readonly expectedVersion: number
  readonly events: readonly EventRow[]
}

/** Which events: those of one project, or all of the instance. */
export interface EventScope {
  readonly project?: string
}

export interface EventHead {
  /** The id of the newest visible event; 0 when there is none. */
  readonly lastId: number
  readonly total: number
}

/** Where a page starts: newest first below an id, or oldest first above one. */
export type EventCursor = { readonly before: number } | { readonly after: number }

export interface EventPage {
  readonly count: number
  /** The id of the page's last event, the cursor of the next page; 0 for an empty page. */
  readonly lastId: number
  /** `{"id":7,…},{"id":6,…}`: the events as UTF-8 JSON, separated by commas. */
  readonly json: Uint8Array
}

export interface StorageHealth {
  readonly reachable: boolean
  /** The number of the last migration; 0 before the first. */
  readonly schemaVersion: number
  readonly lastEventId: number
  /** How a commit survives a power loss, in the words of the database. */
  readonly durability: string
}

/** What can also happen inside a transaction of the host. */
export interface TransactionStorage {
  commit(write: Write): Promise<boolean>
  appendEvents(events: readonly EventRow[]): Promise<void>
}

/**
 * What the router needs of a store. It holds no rules: those are decided on what was read, and `commit` refuses what was
 * decided on something older. Errors of the driver are let through unchanged.
 */
export interface Storage extends TransactionStorage {
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

  /** The open change request of the key; undefined when there is none. Sees every commit answered before the call. */
  findOpen(key: OpenKey): Promise<StoredChangeRequest | undefined>

  /** The change request of the id, if it belongs to the project. Sees every commit answered before the call. */
  find(scope: { readonly project: string }, id: number): Promise<StoredChangeRequest | undefined>

  /** Newest first: by `createdAt`, then by id, both descending. */
  list(
    filter: ChangeRequestFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<StoredChangeRequest[]>

  /** How many there are in each state; states without any may be missing. */
  countByState(filter: ChangeRequestFilter): Promise<{ readonly [state in State]?: number }>

  /** The projects that have a change request, in any order. */
  projects(): Promise<string[]>

  /** What is set for the environment; undefined where nothing is. Asked at every proposal. */
  findSettings(place: SettingsPlace): Promise<StoredSettings | undefined>

  /** All environments of the project that anything is stored for, by name. */
  settings(project: string): Promise<StoredSettings[]>

  /** The answer kept for the key, unless it was made before `since`. */
  findAnswer(key: AnswerKey, since: string): Promise<KeyedAnswer | undefined>

  /**
   * Runs `work` in one transaction, which the flag gateway may share: if `work` throws, nothing of it stays. Absent
   * where the store has none to share.
   */
  transaction?<Value>(work: (transaction: unknown, storage: TransactionStorage) => Promise<Value>): Promise<Value>

  /**
   * Writes the change request if its stored version is still `expectedVersion`, and appends its events, all or nothing.
   * `false` when somebody was faster, when the key already has another open one, or when an answer is already kept for
   * one of its idempotency keys (and not older than a day before the new one): load and decide again. Of any number of
   * writes that race for one version, exactly one gets `true`.
   */
  commit(write: Write): Promise<boolean>

  /** Writes the settings and their events, all or nothing; `false` when somebody was faster. */
  commitSettings(write: SettingsWrite): Promise<boolean>

  /** Appends events that belong to no change request, all or nothing, in the order given. */
  appendEvents(events: readonly EventRow[]): Promise<void>

  /** Newest id and number of events, from one moment. Both are kept at the append: this must not scan. */
  eventHead(scope: EventScope): Promise<EventHead>

  /**
   * At most `limit` events beside the cursor. Ids rise in the order in which events become visible: once an id was
   * seen, none below it ever appears. No connection and no snapshot is held after the answer.
   */
  eventPage(scope: EventScope, cursor: EventCursor, limit: number): Promise<EventPage>

  /**
   * The same writes inside a transaction of the host, to stand or fall with it; they are never retried. Absent where
   * the store has no transactions to share.
   */
  within?(transaction: unknown): TransactionStorage
}
