import type { Knex } from 'knex'
import type { Storage, TransactionStorage } from '../../ports/storage/storage'
import { createAppended } from '../appended'
import { createProblems } from '../problems'
import { batchedIds, outcomes, writeBatch } from './batches'
import { type Migration, migrations } from './migrations'
import { type KnexStorageOptions, openDatabase } from './options'
import { defaultBlockSize } from './postings/sealer'
import { batched } from './shared/batched'
import type { Entry, Proposal } from './shared/database'
import { listenWhileSubscribed } from './shared/listening'
import { toProposalEntry } from './shared/proposals'
import { toEntry, transactionStorage } from './transaction-storage'

/**
 * The result of {@link knexStorage}: a {@link Storage} that can always take part in a transaction of Knex.
 *
 * @example
 * ```ts
 * const storage: KnexStorage = knexStorage({ knex })
 * await knex.transaction(async (transaction) => {
 *   await transaction('flags').where({ name: 'checkout' }).update({ archived: true })
 *   await storage.within(transaction).appendEvents([])
 * })
 * ```
 */
export interface KnexStorage extends Storage<Knex.Transaction> {
  /** Runs `work` in a new transaction. If `work` throws, everything is rolled back. */
  transaction<Value>(
    work: (transaction: Knex.Transaction, storage: TransactionStorage) => Promise<Value>,
  ): Promise<Value>
  /**
   * The same writes inside a transaction of the host.
   *
   * @throws TypeError when it is not a transaction of Knex.
   */
  within(transaction: Knex.Transaction): TransactionStorage
}

/**
 * A storage on the host's own Knex, SQLite or Postgres.
 *
 * @example
 * ```ts
 * import createKnex from 'knex'
 *
 * const storage = knexStorage({ knex: createKnex({ client: 'pg', connection: process.env['DATABASE_URL'] ?? '' }) })
 * await storage.migrate()
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
 */
export function knexStorage(options: KnexStorageOptions): KnexStorage {
  return createKnexStorage(options, migrations)
}

/** Like {@link knexStorage}, with other migrations or another block size; for tests. */
export function createKnexStorage(
  options: KnexStorageOptions,
  migrations: readonly Migration[],
  blockSize = defaultBlockSize,
): KnexStorage {
  const problems = createProblems()
  const database = openDatabase(options, migrations, blockSize, problems.report)
  const appended = createAppended()
  const listening = listenWhileSubscribed(database, appended)
  const writes = batched(async (entries: readonly Entry[]) => {
    const outcomes = await writeBatch(database, entries)
    appended.notify()
    database.appended(entries.reduce((count, { events }) => count + events.length, 0))
    return outcomes
  })
  const ids = {
    change: batchedIds(database, 'change'),
    changeRequest: batchedIds(database, 'changeRequest'),
  }
  const transactions = new Set<Promise<unknown>>()
  const settings = batched(async (projects: readonly string[]) => outcomes(await database.settings(projects)))
  const heads = batched(async (projects: readonly string[]) => outcomes(await database.eventHeads(projects)))
  const proposals = batched(async (wanted: readonly Proposal[]) => outcomes(await database.loadProposals(wanted)))

  return {
    portVersion: 1,
    migrate: () => database.migrate(),
    health: () => database.health(),
    close: async () => {
      await Promise.all([
        writes.idle(),
        ids.change.idle(),
        ids.changeRequest.idle(),
        heads.idle(),
        proposals.idle(),
        settings.idle(),
      ])
      await Promise.allSettled(transactions)
      await database.sealed()
      await listening.stop()
    },
    failureOf: (error) => database.failureOf(error),
    nextIds: (kind, count) => ids[kind](count),
    loadProposal: (key, changeIds) => proposals({ key, changeIds }),
    find: (scope, id) => database.find(scope, id),
    list: (filter, page) => database.list(filter, page),
    summaries: (filter, page) => database.summaries(filter, page),
    countByState: (filter) => database.countByState(filter),
    countGroups: (filter) => database.countGroups(filter),
    reviews: (search) => database.reviews(search),
    due: (page) => database.due(page),
    dueTimes: (at) => database.dueTimes(at),
    interrupted: (before, page) => database.interrupted(before, page),
    projects: () => database.projects(),
    findSettings: (place) => database.findSettings(place),
    settings: (project) => settings(project),
    findIdempotencyRecord: (key, since) => database.findIdempotencyRecord(key, since),
    transaction: (work) => {
      const running = database.transaction((transaction) =>
        work(transaction, transactionStorage(database, transaction, appended)),
      )
      transactions.add(running)
      return running.finally(() => transactions.delete(running))
    },
    commit: async (write) => {
      const proposal = toProposalEntry(write)
      const written = await writes({ ...toEntry(write), ...(proposal && { proposal }) })
      if (written === false) return false
      const areAllocated = database.allocatesAhead
      return proposal === undefined || { document: proposal.document, changeIds: written, areAllocated }
    },
    commitSettings: async (write) => (await writes({ settings: write, events: write.events })) !== false,
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
    countEvents: (filter, cursor, limit) => database.countEvents(filter, cursor, limit),
    searchEvents: (search) => database.searchEvents(search),
    eventCreators: (projects) => database.eventCreators(projects),
    eventsPerDay: (days, projects) => database.eventsPerDay(days, projects),
    recountEvents: () => database.recountEvents(),
    onAppend: (listener) => listening.subscribe(listener),
    onProblem: (listener) => problems.subscribe(listener),
    within: (transaction) => transactionStorage(database, transaction, appended),
    consumers: database.consumers,
  }
}
