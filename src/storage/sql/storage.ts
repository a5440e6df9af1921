import type { Write } from '../../ports/storage/change-requests'
import type { SettingsPlace } from '../../ports/storage/settings'
import type { Storage, TransactionStorage } from '../../ports/storage/storage'
import { createAppended, listenWhileSubscribed, type Problems } from '../listeners'
import { batched, outcomes, unwrap, writeBatch } from './database/batched'
import { checkedDatabase } from './database/checked-database'
import type { Entry, Names, Proposal, UncheckedDatabase } from './database/database'
import type { PostgresHandle } from './postgres/handle'

interface SqlStorageParts<Transaction> {
  readonly names: Names
  readonly handle: Pick<PostgresHandle<Transaction>, 'checkTransaction' | 'committed'>
  readonly database: UncheckedDatabase<Transaction>
  readonly version: number
  readonly problems: Problems
}

/** The storage in an SQL database: batches writes, and joins transactions of the host app. */
export function createSqlStorage<Transaction>(
  parts: SqlStorageParts<Transaction>,
): Storage<Transaction> & Required<Pick<Storage<Transaction>, 'within'>> {
  const { names, handle, version, problems } = parts
  const database = checkedDatabase(parts.database, version, names.table('meta'), problems.report)
  const { write, isRejection, readSchema, listen, loadProposals, eventHeads, scopeHead, ...others } = database
  const {
    settings: settingsOf,
    findSettings: settingsIn,
    transaction: begin,
    transactionSync: beginSync,
    ...shared
  } = others
  const appended = createAppended()
  const listening = listenWhileSubscribed(database, appended)
  const writes = batched(async (entries: readonly Entry[]) => {
    const outcomes = await writeBatch(database, entries)
    appended.notify()
    return outcomes
  })
  const transactions = new Set<Promise<unknown>>()
  const findSettings = batched(async (places: readonly SettingsPlace[]) => outcomes(await settingsIn(places)))
  const settings = batched(async (projects: readonly string[]) => outcomes(await settingsOf(projects)))
  const heads = batched(async (projects: readonly string[]) => outcomes(await eventHeads(projects)))
  const proposals = batched(async (wanted: readonly Proposal[]) => outcomes(await loadProposals(wanted)))

  function track<Value>(running: Promise<Value>): Promise<Value> {
    transactions.add(running)
    return running.finally(() => transactions.delete(running))
  }

  /** @param committed resolves when the transaction is committed; undefined if nobody can know. */
  function storageWithin(transaction: Transaction, committed: () => Promise<unknown> | undefined): TransactionStorage {
    let hasWritten = false
    const one = async (entry: Entry) => {
      const outcome = (await write([entry], transaction))[0]
      if (!hasWritten) committed()?.then(appended.notify, () => undefined)
      hasWritten = true
      return unwrap(outcome)
    }
    return {
      commit: (write) => one(toEntry(write)),
      appendEvents: async (events) => {
        if (events.length > 0) await one({ events })
      },
    }
  }

  return {
    portVersion: 1,
    ...shared,
    close: async () => {
      await Promise.all([writes.idle(), heads.idle(), proposals.idle(), settings.idle(), findSettings.idle()])
      await Promise.allSettled(transactions)
      await listening.stop()
    },
    loadProposal: (key, changeIds) => proposals({ key, changeIds }),
    findSettings: (place) => findSettings(place),
    settings: (project) => settings(project),
    // Absent where nothing may wait inside a transaction.
    ...(begin && {
      transaction: <Value>(work: (transaction: Transaction, storage: TransactionStorage) => Promise<Value>) => {
        const running: Promise<Value> = begin((transaction) =>
          work(
            transaction,
            storageWithin(transaction, () => running),
          ),
        )
        return track(running)
      },
    }),
    ...(beginSync && {
      transactionSync: async (work: (transaction: Transaction) => Write) => {
        const written = await track(beginSync((transaction) => toEntry(work(transaction))))
        if (written) appended.notify()
        return written
      },
    }),
    commit: (write) => writes(toEntry(write)),
    commitSettings: (write) => writes({ settings: write, events: write.events }),
    appendEvents: async (events) => {
      if (events.length > 0) await writes({ events })
    },
    eventHead: (scope) => {
      const { projects, features } = scope
      // The counts use the empty name for the whole instance; here it matches nothing.
      const alone = features === undefined && (projects === undefined || (projects.length === 1 && projects[0] !== ''))
      return alone ? heads(projects?.[0] ?? '') : scopeHead(scope)
    },
    onAppend: (listener) => listening.subscribe(listener),
    onProblem: (listener) => problems.subscribe(listener),
    within: (transaction) => {
      handle.checkTransaction(transaction)
      return storageWithin(transaction, () => handle.committed?.(transaction))
    },
  }
}

function toEntry(write: Write): Entry {
  return { write, events: write.events }
}
