// Faults that only a database, another process or HTTP can show: at most 40. StrykerJS covers the rules and operations. Each
// edit replaces a text that occurs once in its file.
//   id       the kind of fault, followed by the database or the part if there are several
//   project, test, only   the tests that must fail, as options of Jest
//   runs     how many runs a random test needs to detect it; by default as many as in `npm test`
//   nightly  set if `npm test` skips them
//   build    the tests run the built package
//   why      why the edit differs from the fault that it stands for
module.exports = [
  {
    id: 'M1-sqlite',
    fault: 'events are written after the commit',
    project: 'faults',
    test: 'test/faults/apply/points',
    only: 'on SQLite stores everything when it dies after COMMIT',
    build: true,
    edits: [
      {
        file: 'src/storage/sql/sqlite/index.ts',
        text: '? transact((connection) => writeAll(connection, entries))',
        by: `? transact((connection) => writeAll(connection, entries.map((e) => (e.write ? { ...e, events: [] } : e)))).then(
            async (outcomes) => {
              const late = entries.filter((e, n) => e.write && (outcomes[n] as { value: boolean }).value)
              await transact((connection) => writeAll(connection, late.map(({ events }) => ({ events }))))
              return outcomes
            })`,
      },
    ],
  },
  {
    id: 'M1-postgres',
    fault: 'events are written after the commit',
    project: 'faults',
    test: 'test/faults/apply/points',
    only: 'on Postgres stores everything when it dies after COMMIT',
    build: true,
    edits: [
      {
        file: 'src/storage/sql/postgres/write-entries.ts',
        text: 'const { rows } = await query(connection, text, parameters(entries, storedTexts, rare, counts))',
        by: `const first = entries.map((e) => (e.write ? { ...e, events: [] } : e))
        const { rows } = await query(connection, text, parameters(first, storedTexts, rare, counts))
        const late = rows.map(({ n }) => ({ events: entries[n]?.events ?? [] }))
        await query(connection, textOf({ inserts: false, updates: false, rare: false, counts: false }), parameters(late, storedTexts, false, []))`,
      },
    ],
  },
  {
    id: 'M2-lost-sqlite',
    fault: 'an event that a trigger skipped is not noticed',
    project: 'storage',
    test: 'test/storage/lost-rows',
    only: 'on SQLite',
    edits: [
      {
        file: 'src/storage/sql/sqlite/prepared.ts',
        text: 'if (result.changes !== 1)',
        by: 'if (result.changes > 1)',
      },
    ],
  },
  {
    id: 'M2-lost-postgres',
    fault: 'an event that a trigger skipped is not noticed',
    project: 'storage',
    test: 'test/storage/lost-rows',
    only: 'on Postgres',
    edits: [
      {
        file: 'src/storage/sql/postgres/commit.ts',
        text: 'when count(id) = ${',
        by: 'when count(id) >= 0 * ${',
      },
    ],
  },
  {
    id: 'M3-sqlite',
    fault: 'the version is not compared',
    project: 'storage',
    test: 'test/storage/handles/sqlite/contract',
    only: 'race for one version',
    edits: [
      {
        file: 'src/storage/sql/sqlite/write-entries.ts',
        text: `where id = ? and version = ?\`,
    insert:`,
        by: `where id = ? and ? is not null\`,
    insert:`,
      },
    ],
  },
  {
    id: 'M3-postgres',
    fault: 'the version is not compared',
    project: 'storage',
    test: 'test/storage/contract',
    only: 'contract on Postgres commit.write. returns false when the stored version is another',
    edits: [
      {
        file: 'src/storage/sql/postgres/commit.ts',
        text: ' and c.version = w.expected',
        by: '',
      },
    ],
  },
  {
    id: 'M4',
    fault: 'no lock: event ids appear out of order',
    project: 'faults',
    test: 'test/faults/events/followers',
    edits: [
      {
        file: 'src/storage/sql/postgres/commit.ts',
        text: 'return `pg_advisory_xact_lock(',
        by: 'return `(',
      },
    ],
  },
  {
    id: 'M5-sqlite',
    fault: 'an error of COMMIT is not noticed',
    project: 'storage',
    test: 'test/storage/knex/trouble',
    only: 'a COMMIT that fails, on SQLite',
    edits: [
      {
        file: 'src/storage/sql/sqlite/connection.ts',
        text: `        prepared(connection, 'commit').run()
`,
        by: `        try { prepared(connection, 'commit').run() } catch { prepared(connection, 'rollback').run() }
`,
      },
    ],
  },
  {
    id: 'M5-postgres',
    fault: 'an error of COMMIT is not noticed',
    project: 'storage',
    test: 'test/storage/knex/trouble',
    only: 'a COMMIT that fails, on Postgres',
    why: 'The commit is one statement, so it is put between BEGIN and a COMMIT that nobody looks at.',
    edits: [
      {
        file: 'src/storage/sql/postgres/write-entries.ts',
        text: 'const { rows } = await query(connection, text, parameters(entries, storedTexts, rare, counts))',
        by: `await query(connection, 'begin', [], false)
        const { rows } = await query(connection, text, parameters(entries, storedTexts, rare, counts))
        await query(connection, 'commit', [], false).catch(() => undefined)`,
      },
    ],
  },
  {
    id: 'M6-postgres',
    fault: 'the index on open change requests is not unique',
    project: 'storage',
    test: 'test/storage/contract',
    only: 'contract on Postgres.*open one for one key',
    edits: [
      {
        file: 'src/storage/sql/migrations/0001-initial-postgres.ts',
        text: 'create unique index',
        by: 'create index',
      },
    ],
  },
  {
    id: 'M9',
    fault: 'due change requests are applied without compare-and-set',
    project: 'faults',
    test: 'test/faults/schedule',
    only: 'on Postgres are applied once by a transactional gateway',
    runs: 5,
    build: true,
    nightly: true,
    edits: [
      {
        file: 'src/storage/sql/postgres/commit.ts',
        text: `where w.action = 'update' and c.id = w.id and c.version = w.expected`,
        by: `where w.action = 'update' and c.id = w.id`,
      },
    ],
  },
  {
    id: 'M10-sqlite',
    fault: 'migrations do not wait for each other',
    project: 'storage',
    test: 'test/storage/sql/migrations/migrate',
    only: 'concurrent',
    edits: [
      {
        file: 'src/storage/sql/sqlite/migrate.ts',
        text: 'return transact((connection) => advance',
        by: 'return ((work: any, _: object) => read(work))((connection: any) => advance',
      },
      {
        file: 'src/storage/sql/sqlite/migrate.ts',
        text: 'exec(metaTable(names))',
        by: `exec(metaTable(names).replace('if not exists', ''))`,
      },
    ],
  },
  {
    id: 'M10-postgres-kill',
    fault: 'a migration runs without a transaction',
    project: 'faults',
    test: 'test/faults/storage/migration-kill',
    only: 'on Postgres',
    nightly: true,
    edits: [
      {
        file: 'src/storage/sql/postgres/migrate.ts',
        text: 'ownTransaction(handle, use)',
        by: 'handle.borrow(use)',
      },
    ],
  },
  {
    id: 'M11',
    fault: 'a commit is not synced to the disk',
    project: 'faults',
    test: 'test/faults/apply/fsync',
    build: true,
    edits: [
      {
        file: 'src/storage/sql/sqlite/connection.ts',
        text: `=== 'full' ? 2 : 1`,
        by: `=== 'full' ? 1 : 1`,
      },
    ],
  },
  {
    id: 'M12',
    fault: 'a transaction that reads first and locks later',
    project: 'storage',
    test: 'test/storage/knex/many-processes',
    only: 'SQLite: .* commits each',
    why: 'A transaction that finds the database busy is retried, so the edit removes that as well.',
    edits: [
      {
        file: 'src/storage/sql/sqlite/connection.ts',
        text: `prepared(connection, 'begin immediate').run()`,
        by: `prepared(connection, 'begin').run(); prepared(connection, 'select count(*) from sqlite_master').get()`,
      },
      {
        file: 'src/storage/sql/sqlite/lock.ts',
        text: 'begun() || !isHeld(error)',
        by: 'begun() || error',
      },
    ],
  },
  {
    id: 'M14',
    fault: 'the event loop is blocked between two pages',
    project: 'faults',
    test: 'test/faults/apply/yields',
    only: 'application/json',
    edits: [
      {
        file: 'src/http/send.ts',
        text: `    for (let count = yields; count > 0; count -= 1) await setImmediate()
`,
        by: '',
      },
    ],
  },
  {
    id: 'M20',
    fault: 'a write is retried after an error of COMMIT',
    project: 'storage',
    test: 'test/storage/router/trouble',
    only: 'a connection that breaks after the commit',
    edits: [
      {
        file: 'src/kernel/writer/retry-on-conflict.ts',
        text: 'if (isLostRace(storage, error)) return { next: state }',
        by: 'if (error) return { next: state }',
      },
    ],
  },
  {
    id: 'M24-savepoint-postgres',
    fault: 'a write that a constraint can reject has no savepoint in the transaction of the host app',
    project: 'storage',
    test: 'test/storage/knex/transaction',
    only: 'on Postgres continues after a commit that lost a race for its version or idempotency key',
    edits: [
      {
        file: 'src/storage/sql/postgres/write-entries.ts',
        text: 'if (!entries.some(canBeRejected)) return',
        by: 'if (canBeRejected !== undefined) return',
      },
    ],
  },
  {
    id: 'M24-outside',
    fault: 'the idempotency record is stored in a separate commit',
    project: 'storage',
    test: 'test/storage/model/idempotency',
    only: 'two processes that get the same call',
    runs: 100,
    edits: [
      {
        file: 'src/kernel/writer/aggregate-writer.ts',
        text: 'const write = this.#toWrite(loaded.current, decided.last, decided, record)',
        by: 'const write = this.#toWrite(loaded.current, decided.last, decided)',
      },
      {
        file: 'src/kernel/writer/aggregate-writer.ts',
        text: `if (!(await this.#telemetry.span('commit', () => this.#storage.commit(write), { links }))) return undefined
`,
        by: `if (!(await this.#storage.commit(write))) return undefined
        if (record) await this.#storage.commit(this.#toWrite(decided.last, decided.last, { events: [] }, record))
`,
      },
    ],
  },
  {
    id: 'M28',
    fault: 'a connection that timed out goes back into the pool',
    project: 'faults',
    test: 'test/faults/storage/lost-network',
    edits: [
      {
        file: 'src/storage/sql/postgres/handle.ts',
        text: 'handle.discard(connection, error)',
        by: 'void 0',
      },
      {
        file: 'src/storage/sql/postgres/lending.ts',
        text: 'else if (unusable.test(code) || isReadTimeout(error)) outdated.add(connection)',
        by: 'else if (unusable.test(code)) outdated.add(connection)',
      },
    ],
  },
  {
    id: 'M62-epoch',
    fault: 'a process that lost its lease moves the position',
    project: 'storage',
    test: 'test/storage/contract.test',
    only: 'consumers .optional.',
    edits: [
      {
        file: 'src/storage/sql/queries/consumers.ts',
        text: 'and epoch = ? and position = ?',
        by: 'and epoch + 0 * ? >= 0 and position = ?',
      },
    ],
  },
  {
    id: 'M62-kill',
    fault: 'a batch is skipped when its process is killed',
    project: 'faults',
    test: 'test/faults/consumers/kills.test',
    build: true,
    nightly: true,
    edits: [
      {
        file: 'src/capabilities/consumers/delivery.ts',
        text: `    this.#attempt = attempt
`,
        by: `    await this.#store(next, status)
    this.#attempt = attempt
`,
      },
    ],
  },
  {
    id: 'H2-join',
    fault: 'writes and reads join a transaction that the host app holds open',
    project: 'storage',
    test: 'test/storage/handles/sqlite/sqlite',
    only: 'waits, joins nothing and sees nothing of it',
    edits: [
      {
        file: 'src/storage/handles/sqlite/handle.ts',
        text: `else if (isInTransaction(database)) throw new HostTransactionError()
`,
        by: '',
      },
    ],
  },
  {
    id: 'S1-kill',
    fault: 'the apply of a killed process is never settled',
    project: 'faults',
    test: 'test/faults/apply/two-databases',
    build: true,
    nightly: true,
    edits: [
      {
        file: 'src/router/index.ts',
        text: `      settler.start()
`,
        by: '',
      },
    ],
  },
  {
    id: 'T54-readers',
    fault: 'a reader blocks the event loop',
    project: 'storage',
    test: 'test/storage/knex/held-lock',
    only: 'lets find fail',
    edits: [
      {
        file: 'src/storage/sql/sqlite/connection.ts',
        text: 'wait.run(() => borrow((connection) => withoutBlocking(connection, () => use(connection)), transaction))',
        by: 'borrow(use, transaction)',
      },
    ],
  },
  {
    id: 'T60-old',
    fault: 'connections to a demoted primary stay in the pool',
    project: 'faults',
    test: 'test/faults/failover/replication',
    only: 'leaves no connection to an old primary',
    nightly: true,
    edits: [
      {
        file: 'src/storage/sql/postgres/lending.ts',
        text: 'if (demoted.test(code))',
        by: 'if (demoted === undefined)',
      },
    ],
  },
  {
    id: 'T63-notice',
    fault: 'a cancelled wait for the standby looks like success',
    project: 'faults',
    test: 'test/faults/failover/replication',
    only: 'as unknown when the wait for the standby is cancelled',
    nightly: true,
    edits: [
      {
        file: 'src/storage/sql/postgres/lending.ts',
        text: `if (routine === 'SyncRepWaitForLSN') isReplicated = false`,
        by: 'void routine',
      },
    ],
  },
  {
    id: 'T67-gateway',
    fault: 'a gateway is called on a standby',
    project: 'faults',
    test: 'test/faults/failover/replication',
    only: 'neither writes nor calls a gateway',
    nightly: true,
    edits: [
      {
        file: 'src/storage/sql/postgres/write-entries.ts',
        text: 'if (rows[0].recovery) throw new StandbyError()',
        by: 'void [rows, StandbyError]',
      },
    ],
  },
]
