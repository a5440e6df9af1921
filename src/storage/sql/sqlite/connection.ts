import type { StorageProblem } from '../../../ports/storage/storage'
import type { Names } from '../database/database'
import { isInTransaction, type SqliteConnection, type SqliteHandle } from './handle'
import { LockWait, type Pragmas, withoutBlocking } from './lock'
import type { Durability } from './options'
import { prepared } from './prepared'

export interface SqliteOptions<Transaction = unknown> {
  readonly handle: SqliteHandle<Transaction>
  readonly names: Names
  readonly report: (problem: StorageProblem) => void
  readonly durability: Durability
  readonly statementTimeoutMs: number
}

/** A migration may rewrite a lot of data, and other processes wait for it. */
const migrationTimeoutMs = 60_000

export type SqliteConnections<Transaction> = ReturnType<typeof sqliteConnections<Transaction>>

/** Access to the connections of the host's pool: prepared statements, reads, and transactions that wait for locks. */
export function sqliteConnections<Transaction>(
  options: Pick<SqliteOptions<Transaction>, 'handle' | 'durability' | 'statementTimeoutMs'>,
) {
  const { borrow } = options.handle

  // Readers and writers wait for different locks: a successful read does not mean that the write lock is free.
  const [reading, writing] = [new LockWait(options.statementTimeoutMs), new LockWait(options.statementTimeoutMs)]
  const migrating = new LockWait(Math.max(options.statementTimeoutMs, migrationTimeoutMs))

  /** Without WAL, readers can be locked out as well, so they retry like writers. */
  const read = <Value>(use: (connection: SqliteConnection) => Value, wait = reading, transaction?: Transaction) =>
    wait.run(() => borrow((connection) => withoutBlocking(connection, () => use(connection)), transaction))

  /**
   * Runs `work` between BEGIN IMMEDIATE and COMMIT without yielding to the event loop, so nothing else uses the connection.
   * If another process holds the lock, nothing has been done yet, so everything is retried; unless `retries` is false, also when
   * COMMIT finds a lock held.
   */
  function transact<Value>(
    work: (connection: SqliteConnection) => Value,
    { durable = true, wait = writing, retries = true } = {},
  ): Promise<Value> {
    let begun = false
    const once = (connection: SqliteConnection) => {
      prepared(connection, 'begin immediate').run()
      begun = true
      try {
        const value = work(connection)
        prepared(connection, 'commit').run()
        return value
      } catch (error) {
        if (isInTransaction(connection)) prepared(connection, 'rollback').run()
        throw error
      }
    }
    return wait.run(
      () => borrow((connection) => withoutBlocking(connection, () => once(connection), durability(durable))),
      () => begun && !retries,
    )
  }

  function durability(durable: boolean): Pragmas {
    if (options.durability === 'host') return {}
    return { synchronous: durable && options.durability === 'full' ? 2 : 1 }
  }

  return { borrow, read, transact, durability, writing, migrating }
}
