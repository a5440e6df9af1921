// Faults in the storage on Postgres.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
const postgres = 'src/storage/sql/postgres/index.ts'
const entries = 'src/storage/sql/postgres/write-entries.ts'
const statement = 'src/storage/sql/postgres/commit.ts'
const rareStatement = 'src/storage/sql/postgres/commit-rare.ts'
const migrate = 'src/storage/sql/postgres/migrate.ts'
const tables = 'src/storage/sql/migrations/0001-initial-postgres.ts'
const sendCommit = 'const { rows } = await query(connection, text, parameters(entries, rare, counts))'
const contract = { project: 'storage', test: 'test/storage/contract' }
const changeRequests = { project: 'storage', test: 'test/storage/change-requests' }

module.exports = [
  {
    id: 'M1-postgres',
    fault: 'events are written after the commit',
    edits: [
      {
        file: entries,
        text: sendCommit,
        by: `const first = entries.map((e) => (e.write ? { ...e, events: [] } : e))
        const { rows } = await query(connection, text, parameters(first, rare, counts))
        const late = rows.map(({ n }) => ({ events: entries[n]?.events ?? [] }))
        await query(connection, textOf({ inserts: false, updates: false, rare: false, counts: false }), parameters(late, false, []))`,
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/points',
    only: 'on Postgres stores everything when it dies after COMMIT',
    build: true,
  },
  {
    id: 'M2-postgres',
    fault: 'an event that cannot be written is dropped',
    why: 'The commit is one statement, so it is sent again without events.',
    edits: [
      {
        file: entries,
        text: sendCommit,
        by: `const { rows } = await query(connection, text, parameters(entries, rare, counts)).catch(() =>
          query(connection, text, parameters(entries.map((e) => ({ ...e, events: [] })), rare, counts)))`,
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/commit',
    only: 'on Postgres at an event',
  },
  {
    id: 'M2-lost-postgres',
    fault: 'an event that a trigger skipped is not noticed',
    edits: [{ file: statement, text: 'when count(id) = ${', by: 'when count(id) >= 0 * ${' }],
    project: 'storage',
    test: 'test/storage/lost-rows',
    only: 'on Postgres',
  },
  {
    id: 'M3-postgres',
    fault: 'the version is not compared',
    edits: [{ file: statement, text: ' and c.version = w.expected', by: '' }],
    ...contract,
    only: 'contract on Postgres commit.write. returns false when the stored version is another',
  },
  {
    id: 'M3-remove-postgres',
    fault: 'the version is not compared where a draft is removed',
    edits: [{ file: rareStatement, text: ' and c.version = w.expected', by: '' }],
    ...changeRequests,
    only: 'Postgres storage commit removes with the same version check',
  },
  {
    id: 'M4',
    fault: 'no lock: event ids appear out of order',
    edits: [
      {
        file: statement,
        text: 'return `pg_advisory_xact_lock(',
        by: 'return `(',
      },
    ],
    project: 'faults',
    test: 'test/faults/events/followers',
  },
  {
    id: 'M4-streams',
    fault: 'no lock: event ids appear out of order',
    edits: [{ file: statement, text: 'return `pg_advisory_xact_lock(', by: 'return `(' }],
    project: 'faults',
    test: 'test/faults/events/event-followers',
    only: 'on Postgres',
  },
  {
    id: 'M5-postgres',
    fault: 'an error of COMMIT is not noticed',
    why: 'The commit is one statement, so it is put between BEGIN and a COMMIT that nobody looks at.',
    edits: [
      {
        file: entries,
        text: sendCommit,
        by: `await query(connection, 'begin', [], false)
        ${sendCommit}
        await query(connection, 'commit', [], false).catch(() => undefined)`,
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/commit',
    only: 'on Postgres at COMMIT',
  },
  {
    id: 'M6-postgres',
    fault: 'the index on open change requests is not unique',
    edits: [{ file: tables, text: 'create unique index', by: 'create index' }],
    ...contract,
    only: 'contract on Postgres.*open one for one key',
  },
  {
    id: 'M10-postgres',
    fault: 'migrations do not wait for each other',
    edits: [
      {
        file: migrate,
        text: '  await rows(connection, migrationLock(names))\n  // Before the version',
        by: '  // Before the version',
      },
    ],
    project: 'storage',
    test: 'test/storage/sql/migrations/migrate',
    only: 'concurrent',
  },
  {
    id: 'M10-postgres-kill',
    fault: 'a migration runs without a transaction',
    edits: [
      {
        file: migrate,
        text: 'ownTransaction(handle, use)',
        by: 'handle.borrow(use)',
      },
    ],
    project: 'faults',
    test: 'test/faults/storage/migration-kill',
    only: 'on Postgres',
  },
  ...['project', 'environment'].map((column) => ({
    id: `M18-postgres-${column}`,
    fault: `the open change request is looked up without ${column}`,
    edits: [{ file: postgres, text: `c.${column} = k.${column} and `, by: '' }],
    ...contract,
    only: 'contract on Postgres loadProposal',
  })),
  {
    id: 'M18-events-postgres',
    fault: 'the events of a project are read without the filter by project',
    edits: [
      {
        file: 'src/storage/sql/postgres/events/statements.ts',
        text: 'where (project, id) > ((select $4::text), $1::bigint) and (project, id) < ((select $4::text), $2::bigint)',
        by: 'where $4::text is not null and id > $1::bigint and id < $2::bigint',
      },
    ],
    ...contract,
    only: 'contract on Postgres eventPage',
  },
  {
    id: 'M24-lost-postgres',
    fault: 'the idempotency record is not stored',
    edits: [{ file: rareStatement, text: 'where (select count(*) from expired) >= 0', by: 'where false' }],
    project: 'storage',
    test: 'test/storage/model/idempotency',
    only: 'on Postgres',
  },
  {
    id: 'M28',
    fault: 'a connection that timed out goes back into the pool',
    edits: [
      {
        file: 'src/storage/sql/postgres/handle.ts',
        text: 'handle.discard(connection, error)',
        by: 'void 0',
      },
    ],
    project: 'faults',
    test: 'test/faults/storage/half-open',
  },
  {
    id: 'M28-open',
    fault: 'a connection that the host app released inside a transaction is used',
    edits: [
      {
        file: 'src/storage/sql/postgres/open-transaction.ts',
        text: "return status === 'T' || status === 'E'",
        by: 'return status === undefined',
      },
    ],
    project: 'storage',
    test: 'test/storage/handles/postgres/open-transaction',
  },
  {
    id: 'M26-recount-postgres',
    fault: 'a recount does nothing',
    edits: [
      {
        file: postgres,
        text: '=> recountPostgres(names,',
        by: '=> (async (..._: unknown[]) => {})(recountPostgres, names,',
      },
    ],
    ...contract,
    only: 'contract on Postgres recountEvents',
  },
  {
    id: 'M30-lost-postgres',
    fault: 'a write that lost changes the counts of change requests',
    edits: [{ file: statement, text: '      where n in (select n from won)\n      group by', by: '      group by' }],
    ...contract,
    only: 'contract on Postgres countByState',
  },
  {
    id: 'M30-postgres',
    fault: 'a new state changes no count of change requests',
    edits: [{ file: entries, text: 'counts: counts.length > 0', by: 'counts: counts.splice(0).length < 0' }],
    ...contract,
    only: 'contract on Postgres countByState',
  },
  {
    id: 'M5-caught-error-postgres',
    fault: 'a transaction whose error the host caught counts as committed',
    edits: [{ file: entries, text: 'if (!isIntact(connection)) await', by: 'if (isIntact === undefined) await' }],
    project: 'storage',
    test: 'test/storage/knex/transaction',
    only: 'Postgres rejects when work caught an error that rolled everything back',
  },
  {
    id: 'M24-savepoint-postgres',
    fault: 'a write that a constraint can reject has no savepoint in the transaction of the host app',
    edits: [
      {
        file: entries,
        text: 'if (!entries.some(canBeRejected)) return',
        by: 'if (canBeRejected !== undefined) return',
      },
    ],
    project: 'storage',
    test: 'test/storage/knex/transaction',
    only: 'on Postgres continues after a commit that lost a race for its version or idempotency key',
  },
  {
    id: 'M3-fingerprint-postgres',
    fault: 'the document that a proposal was decided on is not compared',
    edits: [{ file: statement, text: "'hex') = w.fingerprint", by: "'hex') is not null" }],
    project: 'storage',
    test: 'test/storage/router/remembered-proposals',
    only: 'on Postgres is added to the document of a restored database with the same version',
  },
  {
    id: 'M3-settings-postgres',
    fault: 'the settings that a proposal was decided on are not compared',
    edits: [{ file: statement, text: 'and w.settings = coalesce((', by: "and 'x' <> coalesce((" }],
    project: 'storage',
    test: 'test/storage/router/remembered-proposals',
    only: 'on Postgres follows the settings that another process changed',
  },
]
