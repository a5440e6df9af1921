// Faults in the storage on SQLite.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
const sqlite = 'src/storage/sql/sqlite/index.ts'
const connection = 'src/storage/sql/sqlite/connection.ts'
const entries = 'src/storage/sql/sqlite/write-entries.ts'
const reviews = 'src/storage/sql/queries/reviews.ts'
const writes = 'src/storage/sql/sqlite/writes.ts'
const shared = 'src/storage/sql/sqlite/host-transaction.ts'
const migrate = 'src/storage/sql/sqlite/migrate.ts'
const lock = 'src/storage/sql/sqlite/lock.ts'
const pragmas = 'src/storage/sql/sqlite/pragmas.ts'
const restored = 'restore.push(`pragma ${name} = ${before}`)'
const heldLock = { project: 'storage', test: 'test/storage/knex/held-lock' }
const tables = 'src/storage/sql/migrations/0001-initial-sqlite.ts'
const contract = { project: 'storage', test: 'test/storage/contract' }
const changeRequests = { project: 'storage', test: 'test/storage/change-requests' }

module.exports = [
  {
    id: 'M1-sqlite',
    fault: 'events are written after the commit',
    edits: [
      {
        file: sqlite,
        text: '? transact((connection) => writeAll(connection, entries))',
        by: `? transact((connection) => writeAll(connection, entries.map((e) => (e.write ? { ...e, events: [] } : e)))).then(
            async (outcomes) => {
              const late = entries.filter((e, n) => e.write && (outcomes[n] as { value: boolean }).value)
              await transact((connection) => writeAll(connection, late.map(({ events }) => ({ events }))))
              return outcomes
            })`,
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/points',
    only: 'on SQLite stores everything when it dies after COMMIT',
    build: true,
  },
  {
    id: 'M2-sqlite',
    fault: 'an event that cannot be written is dropped',
    edits: [
      {
        file: entries,
        text: '      insertEvents(connection, rows, counts)\n',
        by: '      try { insertEvents(connection, rows, counts) } catch {}\n',
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/commit',
    only: 'on SQLite at an event',
  },
  {
    id: 'M2-lost-sqlite',
    fault: 'an event that a trigger skipped is not noticed',
    edits: [
      {
        file: 'src/storage/sql/sqlite/prepared.ts',
        text: 'if (result.changes !== 1)',
        by: 'if (result.changes > 1)',
      },
    ],
    project: 'storage',
    test: 'test/storage/lost-rows',
    only: 'on SQLite',
  },
  {
    id: 'M3-sqlite',
    fault: 'the version is not compared',
    edits: [
      {
        file: entries,
        text: 'where id = ? and version = ? and document = coalesce(?, document)`,\n',
        by: 'where id = ? and ? is not null and document = coalesce(?, document)`,\n',
      },
    ],
    ...contract,
    only: 'contract on SQLite.*race for one version',
  },
  {
    id: 'M3-remove-sqlite',
    fault: 'the version is not compared where a draft is removed',
    edits: [{ file: entries, text: 'where id = ? and version = ?`,\n', by: 'where id = ? and ? is not null`,\n' }],
    ...changeRequests,
    only: 'SQLite storage commit removes with the same version check',
  },
  {
    id: 'M5-sqlite',
    fault: 'an error of COMMIT is not noticed',
    edits: [
      {
        file: connection,
        text: "        prepared(connection, 'commit').run()\n",
        by: "        try { prepared(connection, 'commit').run() } catch { prepared(connection, 'rollback').run() }\n",
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/commit',
    only: 'on SQLite at COMMIT',
  },
  {
    id: 'M6-sqlite',
    fault: 'the index on open change requests is not unique',
    edits: [{ file: tables, text: 'create unique index', by: 'create index' }],
    ...contract,
    only: 'contract on SQLite.*open one for one key',
  },
  {
    id: 'M10-sqlite',
    fault: 'migrations do not wait for each other',
    edits: [
      {
        file: migrate,
        text: 'return transact((connection) => advance',
        by: 'return ((work: any, _: object) => read(work))((connection: any) => advance',
      },
      { file: migrate, text: 'exec(metaTable(names))', by: "exec(metaTable(names).replace('if not exists', ''))" },
    ],
    project: 'storage',
    test: 'test/storage/sql/migrations/migrate',
    only: 'concurrent',
  },
  {
    id: 'M10-sqlite-kill',
    fault: 'a migration runs without a transaction',
    edits: [
      {
        file: migrate,
        text: 'return transact((connection) => advance',
        by: 'return ((work: any, _: object) => read(work))((connection: any) => advance',
      },
    ],
    project: 'faults',
    test: 'test/faults/storage/migration-kill',
    only: 'on SQLite',
  },
  {
    id: 'M11',
    fault: 'a commit is not synced to the disk',
    edits: [{ file: connection, text: "=== 'full' ? 2 : 1", by: "=== 'full' ? 1 : 1" }],
    project: 'faults',
    test: 'test/faults/apply/fsync',
    build: true,
  },
  {
    id: 'M12',
    fault: 'a transaction that reads first and locks later',
    why: 'A transaction that finds the database busy is retried, so the edit removes that as well.',
    edits: [
      {
        file: connection,
        text: "prepared(connection, 'begin immediate').run()",
        by: "prepared(connection, 'begin').run(); prepared(connection, 'select count(*) from sqlite_master').get()",
      },
      { file: lock, text: 'begun() || !isHeld(error)', by: 'begun() || error' },
    ],
    project: 'storage',
    test: 'test/storage/knex/many-processes',
    only: 'SQLite: .* commits each',
  },
  ...['project', 'environment'].map((column) => ({
    id: `M18-sqlite-${column}`,
    fault: `the open change request is looked up without ${column}`,
    edits: [
      {
        file: sqlite,
        text: 'where project = ? and environment = ? and created_by = ? and open`',
        by: 'where project = ? and environment = ? and created_by = ? and open`'.replace(
          `${column} = ?`,
          '? is not null',
        ),
      },
    ],
    ...contract,
    only: 'contract on SQLite loadProposal',
  })),
  {
    id: 'M18-events-sqlite',
    fault: 'the events of a project are read without the filter by project',
    edits: [
      {
        file: 'src/storage/sql/queries/event-filter.ts',
        text: 'of givenLists(filter)) {',
        by: "of givenLists(filter).filter(({ name }) => name !== 'projects')) {",
      },
    ],
    ...contract,
    only: 'contract on SQLite eventPage',
  },
  {
    id: 'M24-lost-sqlite',
    fault: 'the idempotency record is not stored',
    edits: [
      { file: entries, text: '    if (idempotency !== undefined) related.putRecord(prepare, idempotency)\n', by: '' },
    ],
    project: 'storage',
    test: 'test/storage/model/idempotency',
    only: 'on SQLite',
  },
  {
    id: 'T54-blocking',
    fault: 'each attempt blocks the event loop for a while',
    edits: [{ file: lock, text: 'busy_timeout: 0', by: 'busy_timeout: 250' }],
    ...heldLock,
    only: 'lets commit fail after',
  },
  {
    id: 'T54-alone',
    fault: 'each write has the full timeout of its own',
    edits: [
      {
        file: lock,
        text: '    for (let count = 1; ; count += 1) {',
        by: '    const started = performance.now()\n    for (let count = 1; ; count += 1) {',
      },
      {
        file: lock,
        text: 'this.#leftMs(performance.now())',
        by: 'this.#leftMs(performance.now()) * 0 + started + this.#timeoutMs - performance.now()',
      },
    ],
    project: 'storage',
    test: 'test/storage/router/held-lock',
    only: 'within one timeout',
  },
  {
    id: 'T54-retried',
    fault: 'a lock timeout counts as a lost race',
    edits: [
      {
        file: 'src/storage/sql/database/failures.ts',
        text: "['SQLITE_BUSY', 'busy']",
        by: "['SQLITE_BUSY', 'lost-race']",
      },
    ],
    project: 'storage',
    test: 'test/storage/router/trouble',
    only: 'on SQLite a write that has waited for a lock',
  },
  {
    id: 'T54-impatient',
    fault: 'a write does not wait for a lock',
    edits: [{ file: lock, text: 'begun() || !isHeld(error)', by: 'begun() || error' }],
    ...heldLock,
    only: 'lets .* through when it is released',
  },
  {
    id: 'T54-readers',
    fault: 'a reader blocks the event loop',
    edits: [
      {
        file: connection,
        text: 'wait.run(() => borrow((connection) => withoutBlocking(connection, () => use(connection)), transaction))',
        by: 'borrow(use, transaction)',
      },
    ],
    ...heldLock,
    only: 'lets find fail',
  },
  {
    id: 'T54-commit',
    fault: 'the COMMIT of a shared transaction blocks the event loop',
    edits: [{ file: shared, text: '          await commitWhenFree(connection)\n', by: '          commitWhenFree\n' }],
    ...heldLock,
    only: 'lets transaction wait for readers',
  },
  {
    id: 'T54-busy-timeout',
    fault: 'the busy_timeout of the host is not restored',
    edits: [{ file: pragmas, text: restored, by: `if (name !== 'busy_timeout') ${restored}` }],
    ...heldLock,
    only: 'is unchanged after',
  },
  {
    id: 'T54-synchronous',
    fault: 'the synchronous level of the host is not restored',
    edits: [{ file: pragmas, text: restored, by: `if (name !== 'synchronous') ${restored}` }],
    ...heldLock,
    only: 'is unchanged after',
  },
  {
    id: 'M26-recount-sqlite',
    fault: 'a recount does nothing',
    edits: [
      {
        file: sqlite,
        text: '() => recountSqlite(names, readWith,',
        by: '() => (async (..._: unknown[]) => {})(names, recountSqlite, look,',
      },
    ],
    ...contract,
    only: 'contract on SQLite recountEvents',
  },
  {
    id: 'M30-sqlite',
    fault: 'a new state changes no count of change requests',
    edits: [{ file: entries, text: '    related.putCounts(prepare, write)\n', by: '' }],
    ...contract,
    only: 'contract on SQLite countByState',
  },
  {
    id: 'M30-scope-sqlite',
    fault: 'a write that only changes the scope does not store it',
    edits: [
      { file: entries, text: 'and whole_project = ? and', by: 'and whole_project is not null and ? is not null and' },
    ],
    ...contract,
    only: 'contract on SQLite reviews',
  },
  {
    id: 'M30-groups-sqlite',
    fault: 'the change requests that the caller created and approved are not counted apart',
    edits: [
      {
        file: 'src/storage/sql/queries/state-counts.ts',
        text: 'id === author ? ownReviewedBy(id) : reviewedByOther(id)',
        by: 'reviewedByOther(id)',
      },
    ],
    ...contract,
    only: 'contract on SQLite countGroups',
  },
  {
    id: 'M31-approved',
    fault: 'the inbox lists what the caller has approved already',
    edits: [
      {
        file: reviews,
        text: 'if (withoutSubject !== undefined) conditions',
        by: 'if (withoutSubject === null) conditions',
      },
    ],
    ...contract,
    only: 'contract on SQLite reviews',
  },
  {
    id: 'M31-waiting',
    fault: 'the inbox continues the order of waiting in the other direction',
    edits: [{ file: reviews, text: "direction === 'desc' ? '<' : '>'", by: "direction === 'desc' ? '<' : '<'" }],
    ...contract,
    only: 'contract on SQLite reviews',
  },
  {
    id: 'M31-text',
    fault: 'the inbox finds a text that was replaced',
    edits: [{ file: writes, text: 'else if (before?.searchText !== searchText)', by: 'else if (before === null)' }],
    ...contract,
    only: 'contract on SQLite reviews',
  },
  {
    id: 'M31-count',
    fault: 'the inbox counts without the filters of the search',
    edits: [
      {
        file: reviews,
        text: 'if (createdBy !== undefined || all.length > 0) return [amongCandidates()]',
        by: "if (end.includes('order') && (createdBy !== undefined || all.length > 0)) return [amongCandidates()]",
      },
    ],
    ...contract,
    only: 'contract on SQLite reviews',
  },
  {
    id: 'M3-document-sqlite',
    fault: 'the document that a proposal was decided on is not compared',
    edits: [
      { file: entries, text: 'document = coalesce(?, document) and state', by: '(? is null or true) and state' },
      { file: entries, text: 'document = coalesce(?, document)`', by: '(? is null or true)`' },
    ],
    project: 'storage',
    test: 'test/storage/router/remembered-proposals',
    only: 'on SQLite is added to the document of a restored database with the same version',
  },
  {
    id: 'M3-settings-sqlite',
    fault: 'the settings that a proposal was decided on are not compared',
    edits: [
      { file: entries, text: 'settingsText(found && toSettings(found)) === settings', by: "settings !== 'other'" },
    ],
    project: 'storage',
    test: 'test/storage/router/remembered-proposals',
    only: 'on SQLite follows the settings that another process changed',
  },
  {
    id: 'M3-ids-sqlite',
    fault: 'a proposal uses ids that another one has taken',
    edits: [{ file: entries, text: "where kind = 'change' and last = ?`", by: "where kind = 'change' and ? >= 0`" }],
    ...contract,
    only: 'contract on SQLite.*its ids were not allocated and are taken',
  },
  {
    id: 'M3-gap-sqlite',
    fault: 'a proposal that loses leaves a gap between the ids',
    edits: [{ file: entries, text: '      moveChangeIds(connection, next, newest)\n', by: '' }],
    project: 'storage',
    test: 'test/storage/router/remembered-proposals',
    only: 'on SQLite leaves no gaps between the ids of changes',
  },
  {
    id: 'M3-shared-payload',
    fault: 'a remembered change request shares its payloads with the body of the request',
    edits: [{ file: 'src/domain/decisions/changes.ts', text: 'payload: copyOf(payload)', by: 'payload' }],
    project: 'storage',
    test: 'test/storage/router/remembered-proposals',
    only: 'on Postgres keeps what was sent',
  },
  {
    id: 'M3-remembered',
    fault: 'a proposal is rejected because of remembered content',
    edits: [
      {
        file: 'src/kernel/writer/aggregate-writer.ts',
        text: 'decided.rejects || decided.last === undefined',
        by: 'decided.last === undefined && !decided.rejects',
      },
    ],
    project: 'storage',
    test: 'test/storage/router/remembered-proposals',
    only: 'on Postgres is rejected for what is stored now',
  },
]
