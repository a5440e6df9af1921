import type { Knex } from 'knex'
import type {
  EventHead,
  EventRow,
  EventScope,
  OpenKey,
  SettingsPlace,
  SettingsWrite,
  Storage,
  StorageHealth,
  StoredChangeRequest,
  StoredSettings,
  Write,
} from '../../../ports/storage'
import type { Outcome } from './batched'

/** One write of a batch: a change request or settings with their events, or events alone. */
export interface Entry {
  readonly write?: Write
  readonly settings?: SettingsWrite
  readonly events: readonly EventRow[]
}

export type IdKind = 'changeRequest' | 'change'

/** What is read of change requests, settings and idempotency records: nearly the same SQL everywhere. */
export interface Reads
  extends Pick<
    Storage,
    'find' | 'list' | 'summaries' | 'countByState' | 'projects' | 'settings' | 'findIdempotencyRecord'
  > {
  /** One answer a place, in the order of the places. */
  findSettings(places: readonly SettingsPlace[]): Promise<(StoredSettings | undefined)[]>
}

/** What differs between the databases. Each method borrows one connection at most, and gives it back. */
export interface Database
  extends Reads,
    Pick<Storage, 'failureOf' | 'eventPage' | 'countEvents' | 'eventCreators' | 'recountEvents'> {
  /** Brings the schema to the last migration, whoever else is doing the same. */
  migrate(): Promise<void>
  health(): Promise<StorageHealth>
  nextIds(kind: IdKind, count: number): Promise<number[]>
  /** One answer a key, in the order of the keys. */
  findOpen(keys: readonly OpenKey[]): Promise<(StoredChangeRequest | undefined)[]>
  /** Commits all entries in one transaction, or inside the one given; each has its own outcome. */
  write(entries: readonly Entry[], transaction?: Knex.Transaction): Promise<readonly Outcome<boolean>[]>
  /** Runs `work` in a transaction of its own that may write from the beginning; commits unless it throws. */
  transaction<Value>(work: (transaction: Knex.Transaction) => Promise<Value>): Promise<Value>
  /** True when the server refused a statement and rolled back: nothing was written, and trying it again is safe. */
  isRefusal(error: unknown): boolean
  /** Of projects, one answer each; '' is the instance. */
  eventHeads(projects: readonly string[]): Promise<EventHead[]>
  /** Calls `tell` at the commits of other processes, until the answer is called; absent where nobody tells of them. */
  listen?(tell: () => void): () => Promise<void>
  /** Of any other scope. */
  scopeHead(scope: EventScope): Promise<EventHead>
}

/** Table names with prefix and schema, already checked and quoted. */
export interface Names {
  readonly table: (name: string) => string
  /** For indexes, which stand in the schema of their table. */
  readonly index: (name: string) => string
}

/** Drivers answer 64-bit integers as text or bigint; beyond 2^53 they cannot be told apart any more. */
export function safeInteger(value: unknown): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('The database answered an integer beyond 2^53 - 1.')
  return number
}
