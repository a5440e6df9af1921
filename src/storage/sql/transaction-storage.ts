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
 * @param announce called after the commit with the number of events.
 */
export function transactionStorage<Transaction>(
  database: Pick<Database<Transaction>, 'write'>,
  transaction: Transaction,
  committed: () => Promise<unknown> | undefined,
  announce: (count: number) => void,
): TransactionStorage {
  let count = 0
  const one = async (entry: Entry) => {
    const outcome = (await database.write([entry], transaction))[0]
    if (count === 0) {
      committed()?.then(
        () => announce(count),
        () => undefined,
      )
    }
    count += entry.events.length
    return unwrap(outcome)
  }
  return {
    commit: (write) => one(toEntry(write)),
    appendEvents: async (events: readonly EventRow[]) => {
      if (events.length > 0) await one({ events })
    },
  }
}
