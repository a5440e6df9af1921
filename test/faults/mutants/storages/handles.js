// Faults of the handles of the host app.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
const pool = { project: 'storage', test: 'test/storage/handles/postgres/pool' }
const sqlite = { project: 'storage', test: 'test/storage/handles/sqlite/sqlite' }
const orm = { project: 'storage', test: 'test/storage/handles/kysely/transactions' }
const client = 'src/storage/handles/postgres/client.ts'
const kysely = 'src/storage/handles/orms/kysely.ts'
const poolFile = 'src/storage/handles/postgres/pool.ts'
const handle = 'src/storage/handles/sqlite/handle.ts'
const connection = 'src/storage/sql/sqlite/connection.ts'
const apply = 'src/capabilities/apply/apply-synchronously.ts'
const waiting = 'else if (database.inTransaction) throw new HostTransactionError()'

module.exports = [
  {
    id: 'H1-error',
    fault: 'a client of pg.Pool that loses its connection while it is borrowed has no listener',
    edits: [{ file: poolFile, text: "    client.on('error', onError)\n", by: '' }],
    ...pool,
    only: 'returns 503 when the connection is lost',
  },
  {
    id: 'H1-discard',
    fault: 'a client whose statement timed out goes back into the pool',
    edits: [{ file: poolFile, text: 'void connection.end().catch(() => undefined)', by: 'void connection' }],
    project: 'faults',
    test: 'test/faults/storage/half-open',
    only: 'a connection of pg.Pool',
  },
  {
    id: 'H1-rollback',
    fault: 'a transaction of pg.Pool that fails is committed',
    edits: [{ file: poolFile, text: "await run('rollback')", by: "await run('commit')" }],
    ...pool,
    only: 'rolls back everything when the gateway throws',
  },
  {
    id: 'H1-idle',
    fault: 'a client without a transaction is accepted as one',
    edits: [{ file: poolFile, text: "=== 'I'", by: "=== 'none'" }],
    ...pool,
    only: 'rejects a client without a transaction',
  },
  {
    id: 'H2-join',
    fault: 'writes and reads join a transaction that the host app holds open',
    edits: [{ file: handle, text: 'else if (database.inTransaction) throw new HostTransactionError()\n', by: '' }],
    ...sqlite,
    only: 'waits, joins nothing and sees nothing of it',
  },
  {
    id: 'H2-write',
    fault: 'a write joins a transaction that the host app holds open',
    edits: [
      { file: handle, text: waiting, by: 'void HostTransactionError' },
      {
        file: connection,
        text: "      prepared(connection, 'begin immediate').run()\n",
        by: "      if (connection.inTransaction) return work(connection)\n      prepared(connection, 'begin immediate').run()\n",
      },
    ],
    ...sqlite,
    only: 'until its rollback a write waits',
  },
  {
    id: 'H2-read',
    fault: 'a read sees rows of a transaction that the host app holds open',
    edits: [{ file: handle, text: waiting, by: 'void HostTransactionError' }],
    ...sqlite,
    only: 'until its rollback a read waits',
  },
  {
    id: 'H2-follow',
    fault: 'a follower delivers events of a transaction that the host app holds open',
    edits: [{ file: handle, text: waiting, by: 'void HostTransactionError' }],
    project: 'storage',
    test: 'test/storage/handles/sqlite/host-transaction',
    only: 'before its rollback',
  },
  {
    id: 'H2-other',
    fault: 'within accepts another Database',
    edits: [{ file: handle, text: 'value === database && database.inTransaction', by: 'value && database' }],
    ...sqlite,
    only: 'rejects another Database',
  },
  {
    id: 'H2-within',
    fault: 'within accepts a Database without an open transaction',
    edits: [{ file: handle, text: 'value === database && database.inTransaction', by: 'value === database' }],
    ...sqlite,
    only: 'rejects a write after the transaction has ended',
  },
  {
    id: 'H3-promise',
    fault: 'a promise of a synchronous gateway is accepted',
    edits: [
      {
        file: apply,
        text: "if (typeof (result as PromiseLike<Value> | null)?.then !== 'function') return result as Value",
        by: 'if (method !== "") return result as Value',
      },
    ],
    ...sqlite,
    only: 'rolls back everything when the gateway returns a promise',
  },
  {
    id: 'H3-flags',
    fault: 'a synchronous apply does not compare the flags with those of its decision',
    edits: [
      {
        file: apply,
        text: 'if (!isDeepStrictEqual(compared(structuredClone(locked)), compared(before))) throw outdatedFlags\n',
        by: '',
      },
    ],
    ...sqlite,
    only: 'decides again when the flags changed after the decision',
  },
  {
    id: 'H3-rejection',
    fault: 'the rejection of a refused promise is not handled',
    edits: [{ file: apply, text: '(result as Promise<Value>).then(undefined, () => undefined)', by: 'void result' }],
    project: 'storage',
    test: 'test/storage/handles/sqlite/steps',
    only: 'returns a promise in the transaction that rejects',
  },
  {
    id: 'H4-limits',
    fault: 'the transaction of an ORM has no time limits',
    edits: [{ file: client, text: 'text: limits }', by: 'text: `select ${unusedColumn}` }' }],
    ...orm,
    only: 'run in transactions with both time limits',
  },
  {
    id: 'H4-acquire',
    fault: 'a transaction of an ORM that begins too late does its work',
    edits: [{ file: client, text: 'if (isLate) throw late\n', by: '' }],
    ...orm,
    only: 'without a free connection, and works again',
  },
  {
    id: 'H4-parsers',
    fault: 'rows pass through the type parsers of the host app',
    edits: [
      {
        file: client,
        text: 'isText ? undefined : asJsonRows(text)',
        by: "isText || text !== '' ? undefined : asJsonRows(text)",
      },
    ],
    project: 'storage',
    test: 'test/storage/handles/kysely/contract',
  },
  {
    id: 'H4-rollback',
    fault: 'the error of a failed rollback hides its cause',
    edits: [
      {
        file: client,
        text: 'if (ownError !== undefined) reject(ownError.error)',
        by: 'if (ownError === null) reject(error)',
      },
    ],
    ...orm,
    only: 'rolls back when work throws after a write',
  },
  {
    id: 'H4-isolation',
    fault: 'a write runs at the default isolation level of the host app',
    edits: [{ file: client, text: "          }, 'read committed')", by: '          })' }],
    ...orm,
    only: 'their own isolation level',
  },
  {
    id: 'H4-open',
    fault: 'the COMMIT of an ORM commits rows that the host app left open',
    edits: [
      {
        file: 'src/storage/sql/postgres/open-transaction.ts',
        text: 'if (row?.unused === false)',
        by: 'if (row === null)',
      },
    ],
    ...orm,
    only: 'is rolled back before',
  },
  {
    id: 'H4-transaction',
    fault: 'any object with a transaction flag is accepted, even a finished transaction',
    edits: [
      { file: kysely, text: 'return given.isCommitted !== true && given.isRolledBack !== true', by: 'return true' },
    ],
    ...orm,
    only: 'rejects',
  },
  {
    id: 'H4-plugins',
    fault: "the plugins of the host app's Kysely change the statements of the storage",
    edits: [
      {
        file: kysely,
        text: 'on.withoutPlugins().executeQuery',
        by: 'on.executeQuery',
      },
    ],
    ...orm,
    only: 'commits with the transaction',
  },
]
