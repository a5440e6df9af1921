import type { SqliteConnections, SqliteOptions } from './connection'
import { isInTransaction, type SqliteConnection, type SqliteHandle } from './handle'
import { LockWait, setPragmas, withoutBlocking } from './lock'
import { prepared } from './prepared'

export function hostTransactions<Transaction>(
  options: SqliteOptions<Transaction>,
  connections: SqliteConnections<Transaction>,
  begin: NonNullable<SqliteHandle<Transaction>['transaction']>,
) {
  const { names } = options
  const { borrow, durability, writing } = connections

  /**
   * The BEGIN of Knex takes no lock, so the first statement is a write. `work` starts only after that statement has the lock.
   * Within `work` the `busy_timeout` of the host app applies.
   */
  function transaction<Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value> {
    let begun = false
    const once = async (connection: SqliteConnection) => {
      try {
        return await begin(connection, async (transaction) => {
          withoutBlocking(connection, () => prepared(connection, `update ${names.table('ids')} set last = last`).run())
          begun = true
          const value = await work(transaction)
          await commitWhenFree(connection)
          return value
        })
      } finally {
        // Knex does not roll back after a failed COMMIT, for instance on a full disk.
        if (isInTransaction(connection)) prepared(connection, 'rollback').run()
      }
    }
    return writing.run(
      () =>
        borrow(async (connection) => {
          const restore = setPragmas(connection, durability(true))
          try {
            return await once(connection)
          } finally {
            restore()
          }
        }),
      () => begun,
    )
  }

  /**
   * Without WAL a COMMIT waits for readers, and the COMMIT of Knex would block the event loop meanwhile. So this function
   * commits first and leaves Knex an empty transaction, which does not have to wait.
   */
  async function commitWhenFree(connection: SqliteConnection): Promise<void> {
    // When `work` has ended the transaction itself, Knex reports it.
    if (!isInTransaction(connection)) return
    const commit = () => withoutBlocking(connection, () => prepared(connection, 'commit').run())
    await new LockWait(options.statementTimeoutMs).run(commit)
    prepared(connection, 'begin').run()
  }

  return transaction
}
