import type { Knex } from 'knex'
import type { StorageProblem } from '../../../ports/storage/storage'
import { withConnection } from '../shared/connection'
import type { Names } from '../shared/database'
import type { Durability } from './durability'
import { LockWait, withoutBlocking } from './lock'
import type { Statement } from './writes'

export interface SqliteOptions {
  readonly knex: Knex
  readonly names: Names
  /** How many events are indexed together. */
  readonly blockSize: number
  /** Receives the problems for {@link Storage.onProblem}. */
  readonly report: (problem: StorageProblem) => void
  readonly durability: Durability
  readonly acquireTimeoutMs: number
  readonly statementTimeoutMs: number
}

/** The part of a better-sqlite3 connection that is used here. */
export interface SqliteConnection {
  readonly inTransaction: boolean
  exec(text: string): void
  pragma(text: string, options?: { simple: true }): unknown
  prepare(text: string): Statement
}

/** A migration may rewrite a lot of data, and other processes wait for it. */
const migrationTimeoutMs = 60_000

export type SqliteConnections = ReturnType<typeof sqliteConnections>

/** Access to the connections of the host's pool: prepared statements, reads, and transactions that wait for locks. */
export function sqliteConnections(options: SqliteOptions) {
  const statements = new WeakMap<SqliteConnection, Map<string, Statement>>()

  // Readers and writers wait for different locks: a successful read does not mean that the write lock is free.
  const [reading, writing] = [new LockWait(options.statementTimeoutMs), new LockWait(options.statementTimeoutMs)]
  const migrating = new LockWait(Math.max(options.statementTimeoutMs, migrationTimeoutMs))

  const borrow = <Value>(use: (connection: SqliteConnection) => Value | Promise<Value>, on: Knex = options.knex) =>
    withConnection<SqliteConnection, Value>(on, options.acquireTimeoutMs, use)

  /** Without WAL, readers can be locked out as well, so they retry like writers. */
  const read = <Value>(use: (connection: SqliteConnection) => Value, wait = reading, on?: Knex) =>
    wait.run(() => borrow((connection) => withoutBlocking(connection, () => use(connection)), on))

  function prepared(connection: SqliteConnection, text: string): Statement {
    let known = statements.get(connection)
    if (known === undefined) {
      known = new Map()
      statements.set(connection, known)
    }
    let statement = known.get(text)
    if (statement === undefined) {
      // Overrides the default of the host app. safeInteger rejects integers that are too large.
      statement = connection.prepare(text).safeIntegers(false)
      known.set(text, statement)
    }
    return statement
  }

  /**
   * Runs `work` between BEGIN IMMEDIATE and COMMIT without yielding to the event loop, so nothing else uses the connection.
   * If another process holds the lock, nothing has been done yet, so everything is retried.
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
   * The setting belongs to the connection, so the host's value is restored afterwards. It cannot be changed inside a
   * transaction. It takes effect when the statement is compiled, so it is never prepared.
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

  return { borrow, read, prepared, transact, withDurability, writing, migrating }
}
