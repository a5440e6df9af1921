// Faults of the storage on SQLite.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
const sqlite = 'src/storage/knex/sqlite.ts'
const migrate = 'src/storage/knex/sqlite-migrate.ts'
const tables = 'src/storage/knex/initial-sqlite.ts'
const contract = { project: 'storage', test: 'test/storage/contract' }
const changeRequests = { project: 'storage', test: 'test/storage/review-change-requests' }

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
    test: 'test/faults/points',
    only: 'on SQLite leaves all of it when it dies after COMMIT',
    build: true,
  },
  {
    id: 'M2-sqlite',
    fault: 'an event that cannot be written is dropped',
    edits: [
      {
        file: sqlite,
        text: 'if (value) insertEvents(connection, events, tally)',
        by: 'try { if (value) insertEvents(connection, events, tally) } catch {}',
      },
    ],
    project: 'faults',
    test: 'test/faults/commit',
    only: 'on SQLite at an event',
  },
  {
    id: 'M3-sqlite',
    fault: 'the version is not compared',
    edits: [{ file: sqlite, text: 'where id = ? and version = ?`,\n', by: 'where id = ? and ? is not null`,\n' }],
    ...contract,
    only: 'contract on SQLite.*race for one version',
  },
  {
    id: 'M3-remove-sqlite',
    fault: 'the version is not compared where a draft is removed',
    edits: [{ file: sqlite, text: 'where id = ? and version = ?`\n', by: 'where id = ? and ? is not null`\n' }],
    ...changeRequests,
    only: 'SQLite storage commit removes under the same comparison',
  },
  {
    id: 'M5-sqlite',
    fault: 'an error of COMMIT is not noticed',
    edits: [
      {
        file: sqlite,
        text: "        prepared(connection, 'commit').run()\n",
        by: "        try { prepared(connection, 'commit').run() } catch { prepared(connection, 'rollback').run() }\n",
      },
    ],
    project: 'faults',
    test: 'test/faults/commit',
    only: 'on SQLite at COMMIT',
  },
  {
    id: 'M6-sqlite',
    fault: 'the index on open change requests is not unique',
    edits: [{ file: tables, text: '`create unique index ${index(', by: '`create index ${index(' }],
    ...contract,
    only: 'contract on SQLite.*open one for one key',
  },
  {
    id: 'M10-sqlite',
    fault: 'migrations wait for nobody',
    edits: [
      { file: sqlite, text: 'await transact((connection) => advance', by: 'await borrow((connection) => advance' },
      { file: migrate, text: 'exec(metaTable(names))', by: "exec(metaTable(names).replace('if not exists', ''))" },
    ],
    project: 'storage',
    test: 'test/storage/migrate',
    only: 'at once',
  },
  {
    id: 'M10-sqlite-kill',
    fault: 'a migration is no transaction',
    edits: [
      { file: sqlite, text: 'await transact((connection) => advance', by: 'await borrow((connection) => advance' },
    ],
    project: 'faults',
    test: 'test/faults/migration-kill',
    only: 'on SQLite',
  },
  {
    id: 'M11',
    fault: 'a commit is not synced to the disk',
    edits: [{ file: sqlite, text: "? 'full' : 'normal'", by: "? 'normal' : 'normal'" }],
    project: 'faults',
    test: 'test/faults/fsync',
    build: true,
  },
  {
    id: 'M12',
    fault: 'a transaction that reads first and locks later',
    why: 'A transaction that finds the database busy is tried again, so that is taken out as well.',
    edits: [
      {
        file: sqlite,
        text: "prepared(connection, 'begin immediate').run()",
        by: "prepared(connection, 'begin').run(); prepared(connection, 'select count(*) from sqlite_master').get()",
      },
      { file: sqlite, text: '|| !isBusy(error) ||', by: '|| isBusy(error) ||' },
    ],
    project: 'storage',
    test: 'test/storage/many-processes',
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
    only: 'contract on SQLite findOpen',
  })),
  {
    id: 'M18-events-sqlite',
    fault: 'the events of a project are read without it',
    edits: [
      {
        file: 'src/storage/knex/event-filter.ts',
        text: "  oneOf('project', 'text', projects)\n",
        by: '',
      },
    ],
    ...contract,
    only: 'contract on SQLite eventPage',
  },
  {
    id: 'M24-lost-sqlite',
    fault: 'the record for a retry is not stored',
    edits: [
      { file: sqlite, text: '    if (idempotency !== undefined) beside.putRecord(prepare, idempotency)\n', by: '' },
    ],
    project: 'storage',
    test: 'test/storage/model/idempotency',
    only: 'on SQLite',
  },
]
