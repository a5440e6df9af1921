import type { Write } from '../../ports/storage/change-requests'
import type { Storage, TransactionStorage } from '../../ports/storage/storage'
import { createAppended, listenWhileSubscribed, type Problems } from '../listeners'
import { outcomes, writeBatch } from './batches'
import { batched } from './database/batched'
import { checkedDatabase } from './database/checked-database'
import type { Entry, Names, Proposal, UncheckedDatabase } from './database/database'
import type { PostgresHandle } from './postgres/handle'
import { toEntry, transactionStorage } from './transaction-storage'

/** A {@link Storage} that can take part in a transaction of the host app. */
type SqlStorage<Transaction> = Storage<Transaction> & Required<Pick<Storage<Transaction>, 'within'>>

interface SqlStorageParts<Transaction> {
  readonly names: Names
  readonly handle: Pick<PostgresHandle<Transaction>, 'checkTransaction' | 'committed'>
  readonly database: UncheckedDatabase<Transaction>
  /** The schema version of this release. */
  readonly version: number
  readonly problems: Problems
}

/** The storage in an SQL database: batches writes, and joins transactions of the host app. */
export function createSqlStorage<Transaction>(parts: SqlStorageParts<Transaction>): SqlStorage<Transaction> {
  const { names, handle, version, problems } = parts
  const database = checkedDatabase(parts.database, version, names.table('meta'), problems.report)
  const appended = createAppended()
  const listening = listenWhileSubscribed(database, appended)
  const writes = batched(async (entries: readonly Entry[]) => {
    const outcomes = await writeBatch(database, entries)
    appended.notify()
    return outcomes
  })
  const transactions = new Set<Promise<unknown>>()
  const settings = batched(async (projects: readonly string[]) => outcomes(await database.settings(projects)))
  const heads = batched(async (projects: readonly string[]) => outcomes(await database.eventHeads(projects)))
  const proposals = batched(async (wanted: readonly Proposal[]) => outcomes(await database.loadProposals(wanted)))

  function track<Value>(running: Promise<Value>): Promise<Value> {
    transactions.add(running)
    return running.finally(() => transactions.delete(running))
  }

  /** Absent where nothing may wait inside a transaction. */
  function sharedTransactions(): Pick<Storage<Transaction>, 'transaction' | 'transactionSync'> {
    const { transaction: begin, transactionSync: beginSync } = database
    return {
      ...(begin && {
        transaction: <Value>(work: (transaction: Transaction, storage: TransactionStorage) => Promise<Value>) => {
          const running: Promise<Value> = begin((transaction) =>
            work(
              transaction,
              transactionStorage(database, transaction, () => running, appended.notify),
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
    }
  }

  return {
    portVersion: 1,
    migrate: () => database.migrate(),
    health: () => database.health(),
    close: async () => {
      await Promise.all([writes.idle(), heads.idle(), proposals.idle(), settings.idle()])
      await Promise.allSettled(transactions)
      await listening.stop()
    },
    failureOf: (error) => database.failureOf(error),
    nextIds: (kind, count) => database.nextIds(kind, count),
    loadProposal: (key, changeIds) => proposals({ key, changeIds }),
    find: (scope, id) => database.find(scope, id),
    list: (filter, page) => database.list(filter, page),
    summaries: (filter, page) => database.summaries(filter, page),
    countByState: (filter) => database.countByState(filter),
    countGroups: (filter) => database.countGroups(filter),
    reviews: (search) => database.reviews(search),
    due: (page) => database.due(page),
    dueTimes: (at) => database.dueTimes(at),
    hold: (write) => database.hold(write),
    interrupted: (before, page) => database.interrupted(before, page),
    projects: () => database.projects(),
    findSettings: (place) => database.findSettings(place),
    settings: (project) => settings(project),
    findIdempotencyRecord: (key, since) => database.findIdempotencyRecord(key, since),
    ...sharedTransactions(),
    commit: (write) => writes(toEntry(write)),
    commitSettings: (write) => writes({ settings: write, events: write.events }),
    appendEvents: async (events) => {
      if (events.length > 0) await writes({ events })
    },
    eventHead: ({ projects, features }) => {
      // The counts use the empty name for the whole instance; here it matches nothing.
      const alone = features === undefined && (projects === undefined || (projects.length === 1 && projects[0] !== ''))
      return alone
        ? heads(projects?.[0] ?? '')
        : database.scopeHead({ ...(projects && { projects }), ...(features && { features }) })
    },
    eventPage: (filter, cursor, limit, grouped) => database.eventPage(filter, cursor, limit, grouped),
    searchEvents: (search) => database.searchEvents(search),
    eventCreators: (projects) => database.eventCreators(projects),
    eventsPerDay: (days, projects) => database.eventsPerDay(days, projects),
    recountEvents: () => database.recountEvents(),
    onAppend: (listener) => listening.subscribe(listener),
    onProblem: (listener) => problems.subscribe(listener),
    within: (transaction) => {
      handle.checkTransaction(transaction)
      return transactionStorage(database, transaction, () => handle.committed?.(transaction), appended.notify)
    },
    consumers: database.consumers,
  }
}
