import type { LoadedProposal } from '../../../ports/storage/change-requests'
import { unwrap } from '../database/batched'
import type { Entry, IdKind, Proposal, UncheckedDatabase } from '../database/database'
import { rejects, sqliteFailure } from '../database/failures'
import { createEventReads } from '../events/event-reads'
import { storedCounts } from '../events/stored-counts'
import { type Migration, tablesOf } from '../migrations'
import { consumerStorage } from '../queries/consumers'
import { holdWrite } from '../queries/due'
import { inspection } from '../queries/inspect'
import { changeRequestReads, type Dialect, toSettings } from '../queries/reads'
import { StoredTexts } from '../queries/stored-texts'
import { type SqliteOptions, sqliteConnections } from './connection'
import { type Borrow, sqliteEventStatements, sqliteHead, sqliteScopeHead } from './events/reads'
import { recountSqlite } from './events/recount'
import { sqliteEvents, sqliteReviewers } from './events/statements'
import { isInTransaction, type SqliteConnection } from './handle'
import { hostTransactions } from './host-transaction'
import { withoutBlocking } from './lock'
import { migrateSqlite, readSqliteSchema, sqliteHealth } from './migrate'
import { prepared } from './prepared'
import { entryWriter } from './write-entries'

const groups = `(select value ->> 0 as project, value ->> 1 as environment, value ->> 2 as whole_project,
  value ->> 3 as state from json_each(?))`

export const sqliteDialect: Omit<Dialect, 'rows' | 'texts'> = {
  among: (column) => sqliteEvents.among(column, 'text'),
  values: '(select value from json_each(?))',
  // Without statistics, SQLite would sort all rows of the projects.
  projectInOrder: '+project',
  byIndex: (index) => `indexed by ${index}`,
  isoTime: (column) => column,
  position: 'instr',
  groups,
  withIds: (ids, table) => `(${ids}) as f cross join ${table} as c on c.id = f.id`,
  // SQLite has no lateral join: the rows of each group are one JSON value.
  perGroup: (query) => `select r.value ->> 0 as id, r.value ->> 1 as at from ${groups} as g,
    json_each((select json_group_array(json_array(id, at)) from (${query}))) as r`,
}

export function sqliteDatabase<Transaction>(
  options: SqliteOptions<Transaction>,
  migrations: readonly Migration[],
): UncheckedDatabase<Transaction> {
  const { names } = options
  const { table } = names
  const connections = sqliteConnections(options)
  const texts = new StoredTexts()
  const { borrow, read, transact, writing } = connections
  const { writeAll, writeInHostTransaction, allocateIds, findSettings } = entryWriter(names, texts)
  const readWith: Borrow = (use) => read((connection) => use((text) => prepared(connection, text)))
  const transactPrepared: Borrow = (work) => transact((connection) => work((text) => prepared(connection, text)))

  function loadProposal(connection: SqliteConnection, { key, changeIds }: Proposal): LoadedProposal {
    const { project, environment, userId } = key
    const found = prepared(
      connection,
      `select version, document, content from ${table('change_requests')}
       where project = ? and environment = ? and created_by = ? and open`,
    ).get(project, environment, userId)
    const settings = findSettings(connection, project, environment)
    const [changeRequestId = 0] =
      found === undefined && changeIds > 0 ? allocateIds(connection, 'changeRequest', 1) : []
    return {
      open: found && texts.toStored(found),
      settings: settings && toSettings(settings),
      changeRequestId,
      changeIds: changeIds === 0 ? [] : allocateIds(connection, 'change', changeIds),
    }
  }

  /** The gateway may use its own statements between BEGIN and COMMIT, so a call of it is never repeated. */
  async function transactionSync(work: (transaction: Transaction) => Entry): Promise<boolean> {
    const lostRace = new Error('Another process was faster.')
    const run = (connection: SqliteConnection) => {
      const entry = work(connection as Transaction)
      if (!isInTransaction(connection)) throw new Error('The transaction was completed before its changes were stored.')
      if (!unwrap(writeAll(connection, [entry])[0])) throw lostRace
      return true
    }
    try {
      return await transact(run, { retries: false })
    } catch (error) {
      if (error === lostRace) return false
      throw error
    }
  }

  const bound = (values: readonly unknown[]) =>
    values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value))
  const allRows = (connection: SqliteConnection, text: string, values: readonly unknown[]) =>
    prepared(connection, text).all(...bound(values))
  const readRows = (text: string, values: readonly unknown[]) => read((connection) => allRows(connection, text, values))

  return {
    migrate: () => migrateSqlite(options, connections, migrations),
    health: () => sqliteHealth(options, connections, migrations.length),
    readSchema: (transaction) => read((connection) => readSqliteSchema(connection, names), undefined, transaction),
    ...changeRequestReads(names, { rows: readRows, texts, ...sqliteDialect }),
    hold: holdWrite(names, sqliteDialect.values, texts, (text, values) =>
      transact((connection) => prepared(connection, text).run(...bound(values)), { durable: false }),
    ),
    failureOf: sqliteFailure,
    ...(options.handle.transaction === undefined
      ? { transactionSync }
      : { transaction: hostTransactions(options, connections, options.handle.transaction) }),
    nextIds: async (kind: IdKind, count: number) =>
      // A commit that uses the ids comes later in the same WAL and flushes them to the disk as well.
      transact((connection) => allocateIds(connection, kind, count), { durable: false }),
    loadProposals: async (proposals: readonly Proposal[]) => {
      const load = (connection: SqliteConnection) => proposals.map((proposal) => loadProposal(connection, proposal))
      return proposals.some(({ changeIds }) => changeIds > 0) ? transact(load, { durable: false }) : read(load)
    },
    write: (entries: readonly Entry[], transaction?: Transaction) =>
      transaction === undefined
        ? transact((connection) => writeAll(connection, entries))
        : writing.run(() =>
            borrow(
              (connection) => withoutBlocking(connection, () => writeInHostTransaction(connection, entries)),
              transaction,
            ),
          ),
    isRejection: rejects(/^SQLITE_(CONSTRAINT|TOOBIG$)/),
    eventHeads: (projects: readonly string[]) =>
      read((connection) => {
        const prepare = (text: string) => prepared(connection, text)
        const find = prepare(`select total, last_id from ${table('event_counts')} where project = ?`)
        return projects.map((project) => sqliteHead(names, prepare, find.get(project)))
      }),
    ...createEventReads(sqliteEventStatements(names, readWith)),
    ...storedCounts(names, sqliteEvents, readRows),
    scopeHead: (scope) => sqliteScopeHead(names, readWith, scope),
    consumers: consumerStorage(names, {
      now: "cast(unixepoch('subsec') * 1000 as integer)",
      values: sqliteDialect.values,
      rows: readRows,
      write: (text, values, options) => transact((connection) => allRows(connection, text, values), options),
    }),
    inspect: inspection(names, tablesOf(migrations, 'sqlite'), {
      rows: readRows,
      isoTime: sqliteDialect.isoTime,
      jsonArray: 'json_group_array',
      reviewers: sqliteReviewers,
      columnsOf: (name) => `select name from pragma_table_info('${name.slice(1, -1)}')`,
    }),
    recountEvents: () => recountSqlite(names, readWith, transactPrepared),
  }
}
