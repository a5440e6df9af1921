import type { Knex } from 'knex'
import type { EventHead, EventRow, OpenKey, StorageHealth, StoredChangeRequest, Write } from '../../../ports/storage'
import { latestVersion } from '../migrations'
import type { Outcome } from '../shared/batched'
import { inTransaction, withConnection } from '../shared/connection'
import { type Database, type Entry, type IdKind, type Names, safeInteger } from '../shared/database'
import { sqliteFailure } from '../shared/failures'
import { changeRequestReads } from '../shared/reads'
import { recountSqlite } from '../shared/recount'
import { type Borrow, sqliteEvents } from './events'
import { LockWait, withoutBlocking } from './lock'
import { advanceSqlite, sqliteHealth, sqliteVersion } from './migrate'
import { Tally } from './tally'
import { besideDocuments, type Statement } from './writes'

/**
 * What a commit to SQLite survives: `full` a power loss, `normal` a crash of the process; `host` leaves it to what the
 * host has set.
 *
 * @example
 * ```ts
 * const durability: Durability = 'normal'
 * ```
 */
export type Durability = 'full' | 'normal' | 'host'

export interface SqliteOptions {
  readonly knex: Knex
  readonly names: Names
  readonly durability: Durability
  readonly acquireTimeoutMs: number
  readonly statementTimeoutMs: number
}

/** What we use of a connection of the driver better-sqlite3. */
interface SqliteConnection {
  readonly inTransaction: boolean
  exec(text: string): void
  pragma(text: string, options?: { simple: true }): unknown
  prepare(text: string): Statement
}

/** As SQLite numbers them, for our own commits. */
const levels = { full: 2, normal: 1, host: undefined }

/** Whoever comes first may have much to do to the data, and the others wait for it. */
const migrationPatienceMs = 60_000

export function sqliteDatabase(options: SqliteOptions): Database {
  const { knex, names } = options
  const { table } = names
  const beside = besideDocuments(names)
  const statements = new WeakMap<SqliteConnection, Map<string, Statement>>()

  // Readers and writers wait for different locks: a read that succeeds says nothing of the writers'.
  const [reading, writing] = [new LockWait(options.statementTimeoutMs), new LockWait(options.statementTimeoutMs)]
  const migrating = new LockWait(Math.max(options.statementTimeoutMs, migrationPatienceMs))

  const borrow = <Value>(use: (connection: SqliteConnection) => Value | Promise<Value>, on: Knex = knex) =>
    withConnection<SqliteConnection, Value>(on, options.acquireTimeoutMs, use)

  /** Without WAL a reader can be locked out as well, and tries again like a writer. */
  const read = <Value>(look: (connection: SqliteConnection) => Value) =>
    reading.run(() => borrow((connection) => withoutBlocking(connection, () => look(connection))))

  function prepared(connection: SqliteConnection, text: string): Statement {
    let known = statements.get(connection)
    if (known === undefined) {
      known = new Map()
      statements.set(connection, known)
    }
    let statement = known.get(text)
    if (statement === undefined) {
      // Whatever the host has made the default; what does not fit is refused by safeInteger.
      statement = connection.prepare(text).safeIntegers(false)
      known.set(text, statement)
    }
    return statement
  }

  /**
   * Runs `work` between BEGIN IMMEDIATE and COMMIT without giving up the event loop, so nobody shares the connection.
   * While another process holds the lock nothing has been done, so all of it is tried again.
   */
  function transact<Value>(
    work: (connection: SqliteConnection) => Value,
    { durable = true, wait = writing } = {},
  ): Promise<Value> {
    const once = (connection: SqliteConnection) => {
      prepared(connection, 'begin immediate').run()
      try {
        const value = work(connection)
        prepared(connection, 'commit').run()
        return value
      } catch (error) {
        if (connection.inTransaction) prepared(connection, 'rollback').run()
        throw error
      }
    }
    return wait.run(() =>
      borrow((connection) =>
        withDurability(connection, durable, () => withoutBlocking(connection, () => once(connection))),
      ),
    )
  }

  /**
   * Belongs to the connection, so what the host has set holds again afterwards. It cannot be set inside a transaction, and
   * takes effect when compiled: never prepared.
   */
  async function withDurability<Value>(
    connection: SqliteConnection,
    durable: boolean,
    use: () => Value | Promise<Value>,
  ): Promise<Value> {
    if (options.durability === 'host') return use()
    const before = connection.pragma('synchronous', { simple: true })
    connection.exec(`pragma synchronous = ${durable && options.durability === 'full' ? 'full' : 'normal'}`)
    try {
      return await use()
    } finally {
      connection.exec(`pragma synchronous = ${before}`)
    }
  }

  function insertEvents(connection: SqliteConnection, rows: readonly EventRow[], tally: Tally): void {
    const insert = prepared(
      connection,
      `insert into ${table('events')}
         (created_at, type, project, environment, feature_name, created_by_user_id, group_type, group_id, body)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const row of rows) {
      const { lastInsertRowid } = insert.run(
        row.createdAt,
        row.type,
        row.project,
        row.environment,
        row.featureName,
        row.createdByUserId,
        row.groupType,
        row.groupId,
        row.json,
      )
      tally.add(row, Number(lastInsertRowid))
    }
  }

  function put(connection: SqliteConnection, write: Write): boolean {
    const prepare = (text: string) => prepared(connection, text)
    const { changeRequest, expectedVersion, removed = false, idempotency } = write
    if (idempotency !== undefined && beside.isUsed(prepare, idempotency)) return false
    const remove = `delete from ${table('change_requests')} where id = ? and version = ?`
    const won = removed
      ? prepare(remove).run(changeRequest.id, expectedVersion).changes === 1
      : putDocument(connection, write)
    if (!won) return false
    beside.putSubjects(prepare, write)
    if (idempotency !== undefined) beside.putRecord(prepare, idempotency)
    return true
  }

  function putDocument(connection: SqliteConnection, write: Write): boolean {
    const { changeRequest, version, expectedVersion, open } = write
    const { id, project, environment, createdBy, state, createdAt } = changeRequest
    const [summary, document] = [JSON.stringify(write.summary), JSON.stringify(changeRequest)]
    if (expectedVersion > 0) {
      return (
        prepared(
          connection,
          `update or ignore ${table('change_requests')} set state = ?, open = ?, version = ?, summary = ?, document = ?
           where id = ? and version = ?`,
        ).run(state, Number(open), version, summary, document, id, expectedVersion).changes === 1
      )
    }
    return (
      prepared(
        connection,
        `insert into ${table('change_requests')}
           (id, project, environment, created_by, state, open, version, created_at, summary, document)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
      ).run(id, project, environment, createdBy.id, state, Number(open), version, createdAt, summary, document)
        .changes === 1
    )
  }

  function writeAll(connection: SqliteConnection, entries: readonly Entry[]): Outcome<boolean>[] {
    const tally = new Tally()
    const outcomes = entries.map(({ write, settings, events }) => {
      const value =
        (write === undefined || put(connection, write)) &&
        (settings === undefined || beside.putSettings((text) => prepared(connection, text), settings))
      if (value) insertEvents(connection, events, tally)
      return { value }
    })
    tally.write((text) => prepared(connection, text), names)
    return outcomes
  }

  /** In a transaction of the host, who may go on after an error: with a savepoint, so that no half of a write stays. */
  function writeInside(connection: SqliteConnection, entries: readonly Entry[]): Outcome<boolean>[] {
    connection.exec('savepoint change_requests_write')
    try {
      return writeAll(connection, entries)
    } catch (error) {
      if (connection.inTransaction) connection.exec('rollback to change_requests_write')
      throw error
    } finally {
      if (connection.inTransaction) connection.exec('release change_requests_write')
    }
  }

  /**
   * Knex's BEGIN takes no lock yet: a write comes first, and as long as it is refused `work` has not begun. `work` itself
   * finds the `busy_timeout` of the host.
   */
  function transaction<Value>(work: (transaction: Knex.Transaction) => Promise<Value>): Promise<Value> {
    let begun = false
    const once = async (connection: SqliteConnection) => {
      try {
        return await inTransaction(knex, connection, async (transaction) => {
          withoutBlocking(connection, () => prepared(connection, `update ${table('ids')} set last = last`).run())
          begun = true
          const value = await work(transaction)
          await commitWhenFree(connection)
          return value
        })
      } finally {
        // Knex does not roll back after a COMMIT that failed, of which the disk may be full.
        if (connection.inTransaction) prepared(connection, 'rollback').run()
      }
    }
    return writing.run(
      () => borrow((connection) => withDurability(connection, true, () => once(connection))),
      () => begun,
    )
  }

  /**
   * Without WAL a COMMIT waits for those who read, and Knex's would block the event loop meanwhile. It is left an empty
   * transaction, which waits for nobody.
   */
  async function commitWhenFree(connection: SqliteConnection): Promise<void> {
    // Where `work` has ended the transaction itself Knex says so.
    if (!connection.inTransaction) return
    const commit = () => withoutBlocking(connection, () => prepared(connection, 'commit').run())
    await new LockWait(options.statementTimeoutMs).run(commit)
    prepared(connection, 'begin').run()
  }

  /** Looks first, so that a database that is ready is not locked. */
  async function migrate(): Promise<void> {
    const look = (connection: SqliteConnection) => {
      if (options.durability !== 'host') connection.pragma('journal_mode = wal')
      return sqliteVersion(connection, names)
    }
    const present = await migrating.run(() =>
      borrow((connection) => withoutBlocking(connection, () => look(connection))),
    )
    if (present >= latestVersion) return
    await transact((connection) => advanceSqlite(connection, names, latestVersion), { wait: migrating })
  }

  async function health(): Promise<StorageHealth> {
    try {
      return await read((connection) => sqliteHealth(connection, names, levels[options.durability]))
    } catch {
      return { reachable: false, schemaVersion: 0, lastEventId: 0, durability: 'unknown' }
    }
  }

  const look: Borrow = (use) => read((connection) => use((text) => prepared(connection, text)))

  return {
    migrate,
    health,
    ...changeRequestReads(names, {
      rows: (text, values) =>
        read((connection) => {
          const bound = values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
          return prepared(connection, text).all(...bound)
        }),
      among: (column) => `${column} in (select value from json_each(?))`,
      isoTime: (column) => column,
    }),
    failureOf: sqliteFailure,
    transaction,
    nextIds: async (kind: IdKind, count: number) => {
      const text = `update ${table('ids')} set last = last + ? where kind = ? returning last`
      // Any commit that uses the ids comes later in the same log and takes them to the disk with it.
      const last = await transact((connection) => safeInteger(prepared(connection, text).get(count, kind).last), {
        durable: false,
      })
      return Array.from({ length: count }, (_, index) => last - count + 1 + index)
    },
    findOpen: (keys: readonly OpenKey[]) =>
      read((connection) => {
        const find = prepared(
          connection,
          `select version, document from ${table('change_requests')}
           where project = ? and environment = ? and created_by = ? and open`,
        )
        return keys.map(({ project, environment, userId }): StoredChangeRequest | undefined => {
          const row = find.get(project, environment, userId)
          return row && { version: row.version, changeRequest: JSON.parse(row.document) }
        })
      }),
    write: (entries: readonly Entry[], transaction?: Knex.Transaction) =>
      transaction === undefined
        ? transact((connection) => writeAll(connection, entries))
        : writing.run(() =>
            borrow((connection) => withoutBlocking(connection, () => writeInside(connection, entries)), transaction),
          ),
    isRefusal,
    eventHeads: (projects: readonly string[]) =>
      read((connection) => {
        const find = prepared(connection, `select total, last_id from ${table('event_counts')} where project = ?`)
        return projects.map((project): EventHead => {
          const row = find.get(project)
          return { lastId: safeInteger(row?.last_id ?? 0), total: safeInteger(row?.total ?? 0) }
        })
      }),
    ...sqliteEvents(names, look),
    recountEvents: () =>
      recountSqlite(names, look, (work) => transact((connection) => work((text) => prepared(connection, text)))),
  }
}

function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_TOOBIG')
}
