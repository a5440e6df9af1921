import { createHash } from 'node:crypto'
import type {
  ChangeRequestSummary,
  EventHead,
  EventRow,
  IdempotencyRecord,
  State,
  StoredChangeRequest,
  StoredSettings,
} from 'express-change-requests'
import { type Key, open } from 'lmdb'

/** An event without its text: what filters compare. */
export type Columns = Omit<EventRow, 'json'>

/** What a list is filtered and paged by, so that nothing else is read but the items of the page. */
export interface Listed {
  readonly project: string
  readonly environment: string
  readonly state: State
  readonly createdBy: number
  readonly subjects: readonly string[]
  readonly afterReview: boolean
  /** How long the JSON texts are. */
  readonly bytes: { readonly changeRequest: number; readonly summary: number }
}

/** The place of what is of no one project in a key; sorts before all names. */
export const everywhere = false
export type Place = string | typeof everywhere

/** Sorts behind every name, number and time. */
export const last = Buffer.from([0xff])

export type Tables = ReturnType<typeof openTables>

/** Opens the store in the folder, and makes it if need be. Keys sort by their parts: names by bytes, numbers by value. */
export function openTables(path: string) {
  // Syncs that do not overlap: a commit is on the disk before anybody can read it, and before its writer goes on.
  // Batches of LMDB's own leave a rejection behind when the disk is full, which nobody can catch; ours do not.
  const root = open({ path, maxDbs: 32, overlappingSync: false, eventTurnBatching: false })
  const table = <Value, Id extends Key>(name: string) => root.openDB<Value, Id>({ name, encoding: 'json' })
  return {
    root,
    /** The last id drawn of each kind, those of events among them, and the version of the schema. */
    numbers: table<number, string>('numbers'),
    changeRequests: table<StoredChangeRequest, number>('changeRequests'),
    summaries: table<ChangeRequestSummary, number>('summaries'),
    /** The one that is open, by project, environment and author. */
    open: table<number, [string, string, number]>('open'),
    /** By time and id, once under its project and once everywhere. */
    lists: table<Listed, [Place, string, number]>('lists'),
    /** What is scheduled, by time and id; and the time of each. */
    due: table<true, [string, number]>('due'),
    dueOf: table<string, number>('dueOf'),
    /** The projects of the apply attempts without an outcome, by time and id; and the time of each. */
    attempts: table<string, [string, number]>('attempts'),
    attemptOf: table<string, number>('attemptOf'),
    settings: table<StoredSettings, [string, string]>('settings'),
    idempotency: table<IdempotencyRecord, [number, string]>('idempotency'),
    idempotencyByAge: table<true, [string, number, string]>('idempotencyByAge'),
    /** UTF-8, as they were given. */
    events: root.openDB<Buffer, number>({ name: 'events', encoding: 'binary' }),
    /** What events are filtered by, in the order of their ids, once under the project and once everywhere. */
    log: table<Columns, [Place, number]>('log'),
    /** By flag and project, of which each may be everything. */
    heads: table<Omit<EventHead, 'fingerprint'>, [Place, Place]>('heads'),
    /** The newest event of each, once under the project and once everywhere. */
    creators: table<number, [Place, number]>('creators'),
    /** How many events of each day, once under the project and once everywhere. */
    days: table<number, [Place, string]>('days'),
  }
}

/** A name as a part of a key: LMDB takes no NUL there and 1978 bytes in all, so a name that is no name gives its digest. */
export function part(name: string): string {
  return name.length <= 300 && !name.includes('\0') ? name : createHash('sha256').update(name).digest('hex')
}
