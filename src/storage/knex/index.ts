import type { Knex } from 'knex'
import { checkOption, refuseUnknownOptions } from '../../check-options'
import type { EventRow, OpenKey, SettingsPlace, Storage, TransactionStorage, Write } from '../../ports/storage'
import { type Appended, createAppended } from '../appended'
import { postgresDatabase } from './postgres'
import { batched, type Outcome } from './shared/batched'
import type { Database, Entry, IdKind } from './shared/database'
import { listenWhileWanted } from './shared/listening'
import { createNames } from './shared/names'
import { type Durability, sqliteDatabase } from './sqlite'

export { type KnexMigration, type KnexMigrationSourceOptions, knexMigrationSource } from './migrations/migration-source'
export { type MigrationSqlOptions, migrationSql } from './migrations/migration-sql'
export type { Durability } from './sqlite'

/**
 * What {@link knexStorage} takes; only `knex` is required.
 *
 * @example
 * ```ts
 * const options: KnexStorageOptions = { knex, tablePrefix: 'reviews_', schema: 'flags', lockTimeoutMs: 5_000 }
 * ```
 */
export interface KnexStorageOptions {
  /** The host's own Knex with the driver `pg` or `better-sqlite3`; its pool is used, and it is never destroyed. */
  readonly knex: Knex
  /**
   * Begins the name of each table: lower-case letters, digits, underscores.
   * @defaultValue `'ffcr_'`
   */
  readonly tablePrefix?: string
  /**
   * The Postgres schema of the tables; it must exist.
   * @defaultValue the first of the connection's search path
   */
  readonly schema?: string
  /**
   * SQLite: what a commit survives. `full` a power loss, `normal` a crash of the process; both use WAL, and set
   * `synchronous` on the connection for as long as a transaction of the storage takes. `host` leaves both to the host.
   * @defaultValue `'full'`
   */
  readonly durability?: Durability
  /**
   * Postgres: false behind a pooler in transaction mode that does not know named statements.
   * @defaultValue `true`
   */
  readonly preparedStatements?: boolean
  /**
   * Postgres: whether whoever follows the log hears of the commits of other processes at once, and not only at the next
   * poll. Each commit then carries a NOTIFY, and one connection of the pool, which must have two, is held while somebody
   * follows.
   * @defaultValue `false`
   */
  readonly notify?: boolean
  /**
   * Postgres: `monthly` makes the event log of an empty database a table with a partition a month, and each `migrate()`
   * those of this month and the next three. A log that is there already stays as it is.
   * @defaultValue none: one table
   */
  readonly eventPartitions?: 'monthly'
  /**
   * How many milliseconds a request waits for a free connection of the pool before it is answered with 503.
   * @defaultValue `2000`
   */
  readonly acquireTimeoutMs?: number
  /**
   * How many milliseconds a write waits for others before it is answered with 503.
   * @defaultValue `2000`
   */
  readonly lockTimeoutMs?: number
  /**
   * How many milliseconds a statement may take before it is answered with 503. SQLite: how long the lock of the file is
   * waited for while another process holds it, by all together who wait for it; the event loop is free meanwhile.
   * @defaultValue `5000`
   */
  readonly statementTimeoutMs?: number
}

/**
 * What {@link knexStorage} makes: a {@link Storage} that always can share a transaction of Knex.
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
  /** Runs `work` in one transaction of its own; if `work` throws, nothing of it stays. */
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

const optionNames = [
  'knex',
  'tablePrefix',
  'schema',
  'durability',
  'preparedStatements',
  'notify',
  'eventPartitions',
  'acquireTimeoutMs',
  'lockTimeoutMs',
  'statementTimeoutMs',
] as const satisfies readonly (keyof KnexStorageOptions)[]

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
  const database = openDatabase(options)
  const appended = createAppended()
  const listening = listenWhileWanted(database, appended)
  const writes = batched(async (entries: readonly Entry[]) => {
    const outcomes = await writeTogether(database, entries)
    appended.tell()
    return outcomes
  })
  const ids = {
    change: drawnTogether(database, 'change'),
    changeRequest: drawnTogether(database, 'changeRequest'),
  }
  const transactions = new Set<Promise<unknown>>()
  const heads = batched(async (projects: readonly string[]) => outcomes(await database.eventHeads(projects)))
  const settings = batched(async (places: readonly SettingsPlace[]) => outcomes(await database.findSettings(places)))
  const open = batched(async (keys: readonly OpenKey[]) => outcomes(await database.findOpen(keys)))

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
        open.idle(),
        settings.idle(),
      ])
      await Promise.allSettled(transactions)
      await listening.stop()
    },
    failureOf: (error) => database.failureOf(error),
    nextIds: (kind, count) => ids[kind](count),
    findOpen: (key) => open(key),
    find: (scope, id) => database.find(scope, id),
    list: (filter, page) => database.list(filter, page),
    summaries: (filter, page) => database.summaries(filter, page),
    countByState: (filter) => database.countByState(filter),
    projects: () => database.projects(),
    findSettings: (place) => settings(place),
    settings: (project) => database.settings(project),
    findIdempotencyRecord: (key, since) => database.findIdempotencyRecord(key, since),
    transaction: (work) => {
      const running = database.transaction((transaction) => work(transaction, joined(database, transaction, appended)))
      transactions.add(running)
      return running.finally(() => transactions.delete(running))
    },
    commit: (write) => writes(toEntry(write)),
    commitSettings: (write) => writes({ settings: write, events: write.events }),
    appendEvents: async (events) => {
      if (events.length > 0) await writes({ events })
    },
    eventHead: ({ projects, features }) => {
      // The empty name stands for the instance among the counts, and for nothing here.
      const alone = features === undefined && (projects === undefined || (projects.length === 1 && projects[0] !== ''))
      return alone
        ? heads(projects?.[0] ?? '')
        : database.scopeHead({ ...(projects && { projects }), ...(features && { features }) })
    },
    eventPage: (filter, cursor, limit, grouped) => database.eventPage(filter, cursor, limit, grouped),
    countEvents: (filter, cursor, limit) => database.countEvents(filter, cursor, limit),
    eventCreators: (projects) => database.eventCreators(projects),
    recountEvents: () => database.recountEvents(),
    onAppend: (listener) => listening.subscribe(listener),
    within: (transaction) => joined(database, transaction, appended),
  }
}

function toEntry(write: Write): Entry {
  return { write, events: write.events }
}

function joined(database: Database, transaction: Knex.Transaction, appended: Appended): TransactionStorage {
  if (typeof transaction !== 'function' || transaction.isTransaction !== true) {
    throw new TypeError('The transaction must be one of Knex, as knex.transaction() gives it.')
  }
  let told = false
  const one = async (entry: Entry) => {
    const outcome = (await database.write([entry], transaction))[0]
    if (!told) transaction.executionPromise.then(appended.tell, () => undefined)
    told = true
    return unwrap(outcome)
  }
  return {
    commit: (write) => one(toEntry(write)),
    appendEvents: async (events: readonly EventRow[]) => {
      if (events.length > 0) await one({ events })
    },
  }
}

/** A batch that the database refused as a whole is tried one by one, so that a bad entry fails alone. */
async function writeTogether(database: Database, entries: readonly Entry[]): Promise<readonly Outcome<boolean>[]> {
  try {
    return await database.write(entries)
  } catch (error) {
    if (entries.length === 1 || !database.isRefusal(error)) throw error
  }
  const alone: Outcome<boolean>[] = []
  for (const entry of entries) {
    alone.push(
      await database.write([entry]).then(
        ([outcome]) => outcome ?? { error: new Error('The database answered no outcome.') },
        (error: unknown) => ({ error }),
      ),
    )
  }
  return alone
}

function drawnTogether(database: Database, kind: IdKind) {
  return batched(async (counts: readonly number[]) => {
    const drawn = await database.nextIds(
      kind,
      counts.reduce((sum, count) => sum + count, 0),
    )
    return outcomes(counts.map((count) => drawn.splice(0, count)))
  })
}

function outcomes<Value>(values: readonly Value[]): Outcome<Value>[] {
  return values.map((value) => ({ value }))
}

function unwrap<Value>(outcome: Outcome<Value> | undefined): Value {
  if (outcome === undefined) throw new Error('The database answered no outcome.')
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

function openDatabase(options: KnexStorageOptions): Database {
  const owner = 'knexStorage'
  refuseUnknownOptions(owner, options, optionNames)
  const {
    knex,
    tablePrefix,
    schema,
    durability = 'full',
    preparedStatements = true,
    notify = false,
    eventPartitions,
    acquireTimeoutMs = 2_000,
    lockTimeoutMs = 2_000,
    statementTimeoutMs = 5_000,
  } = options
  checkOption(owner, 'knex', typeof knex === 'function' && 'client' in knex, 'a Knex instance')
  const names = createNames(owner, { tablePrefix, schema })
  checkOption(owner, 'durability', ['full', 'normal', 'host'].includes(durability), '"full", "normal" or "host"')
  checkOption(owner, 'preparedStatements', typeof preparedStatements === 'boolean', 'a boolean')
  checkOption(owner, 'notify', typeof notify === 'boolean', 'a boolean')
  const partitioned = eventPartitions === 'monthly'
  checkOption(owner, 'eventPartitions', partitioned || eventPartitions === undefined, '"monthly" or left out')
  const timeouts = { acquireTimeoutMs, lockTimeoutMs, statementTimeoutMs }
  for (const [name, value] of Object.entries(timeouts)) {
    checkOption(owner, name, Number.isSafeInteger(value) && value > 0, 'a positive whole number of milliseconds')
  }
  switch (`${knex.client.dialect} ${knex.client.driverName}`) {
    case 'postgresql pg':
      checkOption(owner, 'notify', !notify || (knex.client.pool?.max ?? 2) >= 2, 'false with a pool of one connection')
      return postgresDatabase({ knex, names, preparedStatements, notify, partitioned, ...timeouts })
    case 'sqlite3 better-sqlite3':
      checkOption(owner, 'schema', schema === undefined, 'left out on SQLite')
      checkOption(owner, 'notify', !notify, 'left out on SQLite')
      checkOption(owner, 'eventPartitions', !partitioned, 'left out on SQLite')
      return sqliteDatabase({ knex, names, durability, ...timeouts })
    default:
      throw new TypeError('knexStorage: option "knex" must use the client "pg" or "better-sqlite3".')
  }
}
