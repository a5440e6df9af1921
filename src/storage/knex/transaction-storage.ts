import type { Knex } from 'knex'
import type { Write } from '../../ports/storage/change-requests'
import type { EventRow } from '../../ports/storage/events'
import type { TransactionStorage } from '../../ports/storage/storage'
import type { Appended } from '../appended'
import { unwrap } from './batches'
import type { Database, Entry } from './shared/database'

export function toEntry(write: Write): Entry {
  return { write, events: write.events }
}

/** The writes of the storage inside a transaction of Knex. */
export function transactionStorage(
  database: Database,
  transaction: Knex.Transaction,
  appended: Appended,
): TransactionStorage {
  if (typeof transaction !== 'function' || transaction.isTransaction !== true) {
    throw new TypeError('The transaction must be one that knex.transaction() provides.')
  }
  let subscribed = false
  let count = 0
  const committed = () => {
    appended.notify()
    database.appended(count)
  }
  const one = async (entry: Entry) => {
    const outcome = (await database.write([entry], transaction))[0]
    if (!subscribed) transaction.executionPromise.then(committed, () => undefined)
    subscribed = true
    count += entry.events.length
    return unwrap(outcome) !== false
  }
  return {
    commit: (write) => one(toEntry(write)),
    appendEvents: async (events: readonly EventRow[]) => {
      if (events.length > 0) await one({ events })
    },
  }
}
