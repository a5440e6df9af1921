import type { Write } from '../../ports/storage/change-requests'
import type { EventRow } from '../../ports/storage/events'
import type { TransactionStorage } from '../../ports/storage/storage'
import { unwrap } from './batches'
import type { Database, Entry } from './database/database'

export function toEntry(write: Write): Entry {
  return { write, events: write.events }
}

/**
 * The writes of the storage inside a transaction.
 *
 * @param committed resolves when the transaction is committed; undefined if nobody can know.
 * @param announce called after the commit.
 */
export function transactionStorage<Transaction>(
  database: Pick<Database<Transaction>, 'write'>,
  transaction: Transaction,
  committed: () => Promise<unknown> | undefined,
  announce: () => void,
): TransactionStorage {
  let hasWritten = false
  const one = async (entry: Entry) => {
    const outcome = (await database.write([entry], transaction))[0]
    if (!hasWritten) committed()?.then(announce, () => undefined)
    hasWritten = true
    return unwrap(outcome)
  }
  return {
    commit: (write) => one(toEntry(write)),
    appendEvents: async (events: readonly EventRow[]) => {
      if (events.length > 0) await one({ events })
    },
  }
}
