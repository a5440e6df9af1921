import type { LoadedProposal } from '../../../ports/storage/change-requests'
import { type Entry, type IdKind, type Proposal, safeInteger, type UncheckedDatabase } from '../database/database'
import { postgresFailure, rejects } from '../database/failures'
import { createEventReads } from '../events/event-reads'
import { storedCounts } from '../events/stored-counts'
import { type Migration, tablesOf } from '../migrations'
import { consumerStorage } from '../queries/consumers'
import { holdWrite } from '../queries/due'
import { inspection } from '../queries/inspect'
import { changeRequestReads, type Dialect, toSettings } from '../queries/reads'
import { StoredTexts } from '../queries/stored-texts'
import { idsOf, type PostgresOptions, postgresConnections } from './connection'
import { pageReader, plainPageReader } from './events/page-reader'
import { newestFingerprint, postgresEventStatements, postgresScopeHead } from './events/reads'
import { recountPostgres } from './events/recount'
import { numbered, postgresEvents, postgresReviewers } from './events/statements'
import { migratePostgres, postgresHealth, readPostgresSchema, rejectStandby } from './migrate'
import { listenToCommits } from './notify'
import { ownTransaction } from './open-transaction'
import { entryWriter, hostTransactions, raceConstraints } from './write-entries'

const groups = `(select g ->> 0 as project, g ->> 1 as environment, (g ->> 2)::boolean as whole_project,
  g ->> 3 as state from (select unnest((select ?::text[]))::json as g) as v)`

export const postgresDialect: Omit<Dialect, 'rows' | 'texts'> = {
  among: (column) => postgresEvents.among(column, 'text'),
  values: '(select value from unnest((select ?::text[])) as v(value))',
  projectInOrder: 'project',
  byIndex: () => '',
  isoTime: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  position: 'strpos',
  groups,
  withIds: (ids, table) => `(${ids}) as f cross join lateral (select * from ${table} where id = f.id offset 0) as c`,
  perGroup: (query) => `select r.* from ${groups} as g cross join lateral (${query}) as r`,
}

export function postgresDatabase<Transaction>(
  options: PostgresOptions<Transaction>,
  migrations: readonly Migration[],
): UncheckedDatabase<Transaction> {
  const { handle, names } = options
  const { table } = names
  const connections = postgresConnections(options)
  const { borrow, query } = connections
  const texts = new StoredTexts()
  const { writeInOwnTransaction, writeInHostTransaction } = entryWriter(options, connections, texts)
  const constraints = raceConstraints(options)

  // With a limit the planner uses an index lookup per key, however few rows it expects. Ids are assigned after the snapshot
  // of the statement, so they are greater than all ids that it reads. The keys are JSON, because with arrays the statement
  // would be planned each time, which takes as long as running it.
  const loadProposalText = `select k.place, k.environment, found.version, found.document, found.content, s.enabled,
      s.required_approvals, s.version as settings_version,
      case when found.version is null and k.ids > 0 then nextval('${table('change_request_ids')}') end as fresh,
      case when k.ids > 0 then
        array(select nextval('${table('change_ids')}') from generate_series(1, k.ids))
      end as ids
    from json_to_recordset($1::json)
      as k(place integer, project text, environment text, user_id bigint, ids integer)
    left join lateral (
      select version, document, content from ${table('change_requests')} as c
      where c.project = k.project and c.environment = k.environment and c.created_by = k.user_id and c.open
      limit 1
    ) as found on true
    left join lateral (
      select enabled, required_approvals, version from ${table('settings')} as t
      where t.project = k.project and t.environment = k.environment
      limit 1
    ) as s on true`

  const rows = (text: string, values: readonly unknown[] = [], named = false) =>
    borrow(async (connection) => (await query(connection, text, [...values], named)).rows)
  const plannedRows: Dialect['rows'] = (text, values, planned) =>
    borrow(async (connection) => (await query(connection, numbered(text), [...values], planned === undefined)).rows)
  const namedRows = (text: string, values: readonly unknown[]) => rows(numbered(text), values, true)
  const pages = handle.isDriver ? pageReader(options, connections) : plainPageReader(connections)
  const statements = postgresEventStatements(names, { rows, ...pages })

  return {
    migrate: () => migratePostgres(options, migrations),
    health: () => postgresHealth(names, rows, migrations.length),
    readSchema: (transaction) =>
      handle.borrow(async (connection) => {
        const read = async (text: string) => (await query(connection, text, [], false)).rows
        const schema = await readPostgresSchema(names, read)
        // A standby gets its tables from the primary.
        if (schema.version < migrations.length) await rejectStandby(read)
        return schema
      }, transaction),
    ...changeRequestReads(names, { rows: plannedRows, texts, ...postgresDialect }),
    hold: holdWrite(names, postgresDialect.values, texts, (text, values) =>
      borrow((connection) => query(connection, numbered(text), [...values])),
    ),
    failureOf: (error) => postgresFailure(error, constraints),
    transaction: hostTransactions(options, connections),
    nextIds: (kind: IdKind, count: number) =>
      borrow(async (connection) => {
        const sequence = table(kind === 'change' ? 'change_ids' : 'change_request_ids')
        const text = `select nextval('${sequence}') as id from generate_series(1, $1::integer)`
        const { rows } = await query(connection, text, [count])
        return rows.map(({ id }) => safeInteger(id))
      }),
    loadProposals: (proposals: readonly Proposal[]) =>
      borrow(async (connection) => {
        const wanted = proposals.map(({ key: { userId: user_id, ...key }, changeIds: ids }, place) => {
          return { place, ...key, user_id, ids }
        })
        const { rows } = await query(connection, loadProposalText, [JSON.stringify(wanted)])
        const loaded: LoadedProposal[] = []
        for (const row of rows) loaded[row.place] = toProposal(row, texts)
        return loaded
      }),
    write: (entries: readonly Entry[], transaction?: Transaction) =>
      transaction === undefined
        ? borrow((connection) => writeInOwnTransaction(connection, entries))
        : handle.borrow((connection) => writeInHostTransaction(connection, entries), transaction),
    // Classes 22 and 23: data and constraints. P0: raised by a trigger.
    isRejection: rejects(/^(22|23|P0)/),
    eventHeads: (projects: readonly string[]) =>
      borrow(async (connection) => {
        const text = `select project, total, last_id, ${newestFingerprint(names)} as fingerprint
          from ${table('event_counts')} as head where project = any($1::text[])`
        const { rows } = await query(connection, text, [projects])
        const heads = new Map(rows.map((row) => [row.project, row]))
        return projects.map((project) => ({
          lastId: safeInteger(heads.get(project)?.last_id ?? 0),
          total: safeInteger(heads.get(project)?.total ?? 0),
          fingerprint: heads.get(project)?.fingerprint ?? '',
        }))
      }),
    ...createEventReads(statements),
    ...storedCounts(names, postgresEvents, namedRows),
    scopeHead: (scope) => postgresScopeHead(names, rows, scope),
    consumers: consumerStorage(names, {
      now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
      values: postgresDialect.values,
      rows: namedRows,
      write: namedRows,
    }),
    inspect: inspection(names, tablesOf(migrations, 'postgres'), {
      rows: plannedRows,
      isoTime: postgresDialect.isoTime,
      jsonArray: 'json_agg',
      reviewers: postgresReviewers,
      columnsOf: (name) => `select attname as name from pg_attribute
        where attrelid = to_regclass('${name}') and attnum > 0 and not attisdropped`,
    }),
    ...(options.notify && {
      listen: (notify: () => void) => listenToCommits(options, notify),
    }),
    recountEvents: () => ownTransaction(handle, (connection) => recountPostgres(names, connection)),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the driver.
function toProposal({ version, document, content, ids, fresh, ...settings }: any, texts: StoredTexts): LoadedProposal {
  return {
    open: version === null ? undefined : texts.toStored({ version, document, content }),
    settings:
      settings.settings_version === null ? undefined : toSettings({ ...settings, version: settings.settings_version }),
    changeRequestId: fresh === null ? 0 : safeInteger(fresh),
    changeIds: idsOf(ids),
  }
}
