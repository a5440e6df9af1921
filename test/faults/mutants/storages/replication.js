// Faults of the storage on Postgres when the primary moves or the network fails. The tests with a standby run nightly.
const replicated = { project: 'faults', test: 'test/faults/failover/replication', nightly: true }
const network = { project: 'faults', test: 'test/faults/storage/lost-network' }
const pgbouncer = { project: 'faults', test: 'test/faults/storage/pgbouncer' }
const lending = 'src/storage/sql/postgres/lending.ts'
const migrate = 'src/storage/sql/postgres/migrate.ts'
const knex = 'src/storage/knex/handles.ts'

module.exports = [
  {
    id: 'T60-old',
    fault: 'connections to a demoted primary stay in the pool',
    edits: [{ file: lending, text: 'if (demoted.test(code))', by: 'if (demoted === undefined)' }],
    ...replicated,
    only: 'leaves no connection to an old primary',
  },
  {
    id: 'T61-commit',
    fault: 'BEGIN and COMMIT of Knex have no time limit',
    edits: [
      {
        file: knex,
        text: 'setTimeout(discard, statementTimeoutMs',
        by: 'setTimeout(() => undefined, statementTimeoutMs',
      },
    ],
    ...network,
    only: 'when COMMIT gets no answer',
  },
  {
    id: 'T61-rollback',
    fault: 'a failed ROLLBACK hides the error that caused it',
    edits: [{ file: knex, text: 'failure === undefined ? error : failure.error', by: 'error' }],
    ...network,
    only: 'when ROLLBACK gets no answer',
  },
  {
    id: 'T63-notice',
    fault: 'a cancelled wait for the standby looks like success',
    edits: [{ file: lending, text: "if (routine === 'SyncRepWaitForLSN') isReplicated = false", by: 'void routine' }],
    ...replicated,
    only: 'as unknown when the wait for the standby is cancelled',
  },
  {
    id: 'T67-migrate',
    fault: 'migrate() finds no tables on a standby',
    edits: [{ file: migrate, text: '    await rejectStandby(read)\n', by: '' }],
    ...replicated,
    only: 'says of a standby without tables',
  },
  {
    id: 'T67-gateway',
    fault: 'a gateway is called on a standby',
    edits: [
      {
        file: 'src/storage/sql/postgres/write-entries.ts',
        text: 'if (rows[0].recovery) throw new StandbyError()',
        by: 'void [rows, StandbyError]',
      },
    ],
    ...replicated,
    only: 'neither writes nor calls a gateway',
  },
  {
    id: 'T68-deaf',
    fault: 'notifications that do not arrive are not noticed',
    edits: [
      {
        file: 'src/storage/sql/postgres/notify.ts',
        text: 'if (isReceived || !isSent ||',
        by: 'if (isReceived || isSent ||',
      },
    ],
    ...pgbouncer,
    only: 'reports once that notifications do not arrive',
  },
  {
    id: 'T71-option',
    fault: 'the log does not name the option for a pooler',
    edits: [
      {
        file: 'src/storage/sql/postgres/connection.ts',
        text: '      warnOfPooler(error)\n',
        by: '      void warnOfPooler\n',
      },
    ],
    ...pgbouncer,
    only: 'prepared statements are mixed up',
  },
  {
    id: 'T71-code',
    fault: 'a lost prepared statement is an unknown error',
    edits: [{ file: 'src/storage/sql/database/failures.ts', text: "  ['26000', 'busy'],\n", by: '' }],
    ...pgbouncer,
    only: 'prepared statements are mixed up',
  },
]
