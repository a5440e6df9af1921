import { createHash } from 'node:crypto'
import type {
  ChangeRequestSummary,
  EventHead,
  EventRow,
  IdempotencyRecord,
  State,
  StoredChangeRequest,
  StoredConsumer,
  StoredSettings,
} from 'express-change-requests'
import { type Key, open } from 'lmdb'

/** The fields of an event that filters compare. */
export type Columns = Omit<EventRow, 'json'>

/** The fields that lists filter and page by, so that only the items of the page are read. */
export interface Listed {
  readonly project: string
  readonly environment: string
  readonly scope: ChangeRequestSummary['scope']
  readonly state: State
  readonly stateSince: string
  readonly createdBy: number
  readonly reviewedBy: readonly number[]
  readonly searchText: string
  readonly subjects: readonly string[]
  readonly afterReview: boolean
  /** The lengths of the JSON texts. */
  readonly bytes: { readonly changeRequest: number; readonly summary: number }
}

/** A consumer with the time at which its lease ends. */
export interface Lease extends Omit<StoredConsumer, 'leaseLeftMs'> {
  readonly leaseUntil: number
}

/** All projects, in a key. Sorts before all names. */
export const everywhere = false
export type Place = string | typeof everywhere

/** Sorts after every name, number and time. */
export const last = Buffer.from([0xff])

export type Tables = ReturnType<typeof openTables>

/** Opens the store in the folder, or creates it. Keys sort by their parts: names by bytes, numbers by value. */
export function openTables(path: string) {
  // Without overlapping sync, a commit is on the disk before anyone can read it and before its writer continues.
  // Batches of LMDB cause an unhandled rejection when the disk is full, so writes are batched here.
  const root = open({ path, maxDbs: 32, overlappingSync: false, eventTurnBatching: false })
  const table = <Value, Id extends Key>(name: string) => root.openDB<Value, Id>({ name, encoding: 'json' })
  return {
    root,
    /** The last id of each kind, including events, and the schema version. */
    numbers: table<number, string>('numbers'),
    changeRequests: table<StoredChangeRequest, number>('changeRequests'),
    summaries: table<ChangeRequestSummary, number>('summaries'),
    /** The open change request, by project, environment and author. */
    open: table<number, [string, string, number]>('open'),
    /** By time and id, once for its project and once for all projects. */
    lists: table<Listed, [Place, string, number]>('lists'),
    /** The positions in `lists` by subject. */
    bySubject: table<true, [string, string, number]>('bySubject'),
    /** Scheduled change requests by when they are due, their time and id; whether each is held; and the key of each. */
    due: table<boolean, [string, string, number]>('due'),
    dueOf: table<[string, string], number>('dueOf'),
    /** The projects of apply attempts whose result is unknown, by time and id, and the time of each. */
    attempts: table<string, [string, number]>('attempts'),
    attemptOf: table<string, number>('attemptOf'),
    settings: table<StoredSettings, [string, string]>('settings'),
    idempotency: table<IdempotencyRecord, [number, string]>('idempotency'),
    idempotencyByAge: table<true, [string, number, string]>('idempotencyByAge'),
    /** UTF-8, as received. */
    events: root.openDB<Buffer, number>({ name: 'events', encoding: 'binary' }),
    /** The filter fields of events, ordered by id, once for the project and once for all projects. */
    log: table<Columns, [Place, number]>('log'),
    /** By flag and project, or all flags, or all projects. */
    heads: table<Omit<EventHead, 'fingerprint'>, [Place, Place]>('heads'),
    /** The newest event of each, once for the project and once for all projects. */
    creators: table<number, [Place, number]>('creators'),
    /** The number of events per day, once for the project and once for all projects. */
    days: table<number, [Place, string]>('days'),
    /** The random id of the log. */
    logId: table<string, 'id'>('logId'),
    /** By name. */
    consumers: table<Lease, string>('consumers'),
  }
}

/** A name as a part of a key. LMDB keys have no NUL and at most 1978 bytes, so malformed names are replaced by their digest. */
export function part(name: string): string {
  return name.length <= 300 && !name.includes('\0') ? name : createHash('sha256').update(name).digest('hex')
}
