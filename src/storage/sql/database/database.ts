import type { LoadedProposal, OpenKey, Write } from '../../../ports/storage/change-requests'
import type { ConsumerStorage } from '../../../ports/storage/consumers'
import type { EventHead, EventRow, EventScope } from '../../../ports/storage/events'
import type { StorageInspection } from '../../../ports/storage/inspection'
import type { SettingsPlace, SettingsWrite, StoredSettings } from '../../../ports/storage/settings'
import type { Storage, StorageHealth } from '../../../ports/storage/storage'
import type { Outcome } from './batched'
import type { Schema } from './schema'

/** One write of a batch: a change request or settings with their events, or events alone. */
export interface Entry {
  readonly write?: Write
  readonly settings?: SettingsWrite
  readonly events: readonly EventRow[]
}

export interface Proposal {
  readonly key: OpenKey
  readonly changeIds: number
}

export type IdKind = 'changeRequest' | 'change'

/** The reads of change requests, settings and idempotency records: nearly the same SQL on every database. */
export interface Reads
  extends Pick<Storage, 'find' | 'list' | 'listById' | 'summaries' | 'countByState' | 'countGroups' | 'reviews'>,
    Pick<
      Storage,
      'due' | 'dueTimes' | 'interrupted' | 'projects' | 'findIdempotencyRecord' | 'gauges' | 'eventTraces'
    > {
  /** One result per place, as {@link Storage.findSettings} returns it. */
  findSettings(places: readonly SettingsPlace[]): Promise<(StoredSettings | undefined)[]>
  /** One result per project, as {@link Storage.settings} returns it. */
  settings(projects: readonly string[]): Promise<Awaited<ReturnType<Storage['settings']>>[]>
}

export interface DatabaseHealth extends Omit<StorageHealth, 'schemaVersion' | 'compatible'> {
  readonly schema: Schema
}

/** A database that checks that its tables are compatible with this release. */
export interface Database<Transaction>
  extends Omit<UncheckedDatabase<Transaction>, 'migrate' | 'health'>,
    Required<Pick<Storage, 'migrate' | 'health'>> {}

/** The differences between the databases. Each method uses at most one connection, and releases it. */
export interface UncheckedDatabase<Transaction>
  extends Reads,
    Pick<Storage, 'hold' | 'failureOf' | 'eventPage' | 'searchEvents' | 'eventCreators' | 'eventsPerDay'>,
    Required<Pick<Storage, 'recountEvents'>> {
  /** Applies the missing migrations and returns the schema. Other processes may do the same concurrently. */
  migrate(): Promise<Schema>
  health(): Promise<DatabaseHealth>
  /** Reads the meta table; inside a transaction of the host app on its connection. */
  readSchema(transaction?: Transaction): Promise<Schema>
  nextIds(kind: IdKind, count: number): Promise<number[]>
  /** One result per proposal, in the order of the proposals. */
  loadProposals(proposals: readonly Proposal[]): Promise<LoadedProposal[]>
  /** Commits all entries in one transaction, or writes them inside the given one. Each entry has its own outcome; false for a lost race. */
  write(entries: readonly Entry[], transaction?: Transaction): Promise<readonly Outcome<boolean>[]>
  /**
   * Runs `work` in a new transaction that holds the write lock from the start. Commits unless `work` throws. Absent if nothing
   * may wait inside a transaction.
   */
  readonly transaction?: (<Value>(work: (transaction: Transaction) => Promise<Value>) => Promise<Value>) | undefined
  /**
   * Runs `work` synchronously in a new transaction, and writes the entry that it returns in it. Everything is rolled back if
   * `work` throws, or if the entry loses a race: then it returns false. Absent where `transaction` exists.
   */
  readonly transactionSync?: ((work: (transaction: Transaction) => Entry) => Promise<boolean>) | undefined
  /** True when the server rejected a statement and rolled back: nothing was written, and a retry is safe. */
  isRejection(error: unknown): boolean
  /** One result per project; '' is the whole instance. */
  eventHeads(projects: readonly string[]): Promise<EventHead[]>
  /** Calls `notify` when another process commits, until the returned function is called. */
  listen?(notify: () => void): () => Promise<void>
  readonly consumers: ConsumerStorage
  readonly inspect: StorageInspection
  /** The head of any other scope. */
  scopeHead(scope: EventScope): Promise<EventHead>
}

/** Table names with prefix and schema, already checked and quoted. */
export interface Names {
  readonly table: (name: string) => string
  /** For indexes, which are in the schema of their table. */
  readonly index: (name: string) => string
}

/** Drivers return 64-bit integers as text or bigint; beyond 2^53 numbers cannot distinguish them. */
export function safeInteger(value: unknown): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('The database returned an integer greater than 2^53 - 1.')
  return number
}
