import { createHash } from 'node:crypto'
import type { ChangeRequest, EventRow, IdempotencyRecord, StoredSettings, Write } from 'express-change-requests'
import { ABORT, type Key, open } from 'lmdb'

/** What lists compare and return of a change request, so that they read no documents. */
export interface Row
  extends Pick<Write, 'summary' | 'version' | 'open' | 'subjects' | 'searchText' | 'dueAt' | 'applyingSince'>,
    Pick<ChangeRequest, 'updatedAt'> {
  readonly afterReview: boolean
  /** The lengths of the JSON texts. */
  readonly bytes: { readonly document: number; readonly summary: number }
}

export type Store = ReturnType<typeof openStore>

/** Opens the store in the folder, or creates it. Keys sort by their parts: names by bytes, numbers by value. */
export function openStore(path: string) {
  // Without overlapping sync, a commit is on the disk before anyone can read it and before its writer continues.
  // Batches of LMDB cause an unhandled rejection when the disk is full, so writes are batched here.
  const root = open({ path, overlappingSync: false, eventTurnBatching: false })
  const table = <Value, Id extends Key>(name: string) => root.openDB<Value, Id>({ name, encoding: 'json' })
  let pendingWrites: Promise<unknown> = Promise.resolve()

  return {
    /** The last id of each kind, including events, and the schema version. */
    numbers: table<number, string>('numbers'),
    documents: table<ChangeRequest, number>('documents'),
    rows: table<Row, number>('rows'),
    /** The only index: the ids of change requests by what they are found by, and the last event of each. */
    places: table<number, Key[]>('places'),
    settings: table<StoredSettings, [string, string]>('settings'),
    idempotency: table<IdempotencyRecord, [number, string]>('idempotency'),
    events: table<EventRow, number>('events'),

    /** Reads what all processes have committed; without the reset, LMDB would return its last snapshot. */
    async read<Value>(query: () => Value): Promise<Value> {
      root.resetReadTxn()
      return query()
    },
    /** Runs `work` in a transaction, which is rolled back if `work` throws or returns false. */
    async write<Value>(work: () => Value): Promise<Value> {
      const results: Value[] = []
      const running = root.childTransaction(() => {
        const result = work()
        results.push(result)
        return result === false ? ABORT : undefined
      })
      pendingWrites = Promise.allSettled([pendingWrites, running])
      await running.catch(rethrow)
      return results.at(-1) as Value
    },
    async close() {
      await pendingWrites
      await root.close()
    },
  }
}

/** A name as a part of a key. LMDB keys have no NUL and at most 1978 bytes, so malformed names are replaced by their digest. */
export function part(name: string): string {
  return name.length <= 300 && !name.includes('\0') ? name : createHash('sha256').update(name).digest('hex')
}

/** Sorts after every name, number and time. */
export const last = Buffer.from([0xff])

/** Whether a part of a filter that is a list allows the value; no list allows everything. */
export function isIn<Value>(value: Value | null, list: readonly Value[] | undefined): boolean {
  return list === undefined || (value !== null && list.includes(value))
}

/** The error of a failed commit does not contain the reason; LMDB provides it separately. */
async function rethrow(error: Error & { readonly commitError?: Promise<never> }): Promise<never> {
  await error.commitError
  throw error
}
