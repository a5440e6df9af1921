import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { OpenKey } from '../../../ports/storage'
import type { Outcome } from '../shared/batched'
import { inTransaction, withConnection } from '../shared/connection'
import { type Database, type Entry, type IdKind, type Names, safeInteger } from '../shared/database'
import { postgresFailure } from '../shared/failures'
import { type PostgresConnection, readRawRows } from '../shared/raw-row-reader'
import { changeRequestReads } from '../shared/reads'
import { recountPostgres } from '../shared/recount'
import { commitStatement, parameters } from './commit'
import { idempotencyKey, isRare, rareParts } from './commit-rare'
import { numbered, postgresEvents } from './events'
import { migratePostgres, postgresHealth } from './migrate'
import { listenToCommits, notification } from './notify'
import { columnTypes } from './types'

export interface PostgresOptions {
  readonly knex: Knex
  readonly names: Names
  readonly preparedStatements: boolean
  /** Whether commits tell those who follow the log, and these listen. */
  readonly notify: boolean
  /** Whether the log has monthly partitions. */
  readonly partitioned: boolean
  readonly acquireTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
}

/** The commit statement without and with its rare parts. */
interface CommitTexts {
  readonly common: string
  readonly rare: string
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  readonly rows: any[]
}

export function postgresDatabase(options: PostgresOptions): Database {
  const { knex, names } = options
  const { table } = names
  const told = options.notify ? [notification(names)] : []
  const limit = `set_config('lock_timeout', '${options.lockTimeoutMs}', true)`
  const ownCommit = commitTexts(names, [limit, ...told].join(', '))
  // In a transaction of the host its own limits hold.
  const joinedCommit = commitTexts(names, ['1', ...told].join(', '))
  // Both refuse a write that came too late: its key was used meanwhile, or its author has another open request.
  const rivals = [idempotencyKey(names), names.index('change_requests_open').slice(1, -1)]

  // With a limit the planner looks up key after key, however few rows it believes there are.
  const findOpenText = `select place, version, document
    from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as k(project, environment, user_id, place)
    cross join lateral (
      select version, document from ${table('change_requests')} as c
      where c.project = k.project and c.environment = k.environment and c.created_by = k.user_id and c.open
      limit 1
    ) as found`

  const borrow = <Value>(use: (connection: PostgresConnection) => Promise<Value>, on: Knex = knex) =>
    withConnection<PostgresConnection, Value>(on, options.acquireTimeoutMs, use)

  const query_timeout = options.statementTimeoutMs
  /** Of the last page that was read, with a little room. */
  let bytesPerEvent = 1_024

  function query(connection: PostgresConnection, text: string, values: unknown[], named = true): Promise<Answer> {
    const name = named && options.preparedStatements ? { name: statementName(text) } : {}
    const answer = connection.query({ ...name, text, values, query_timeout, types: columnTypes }) as Promise<Answer>
    return discardIfSilent(connection, answer)
  }

  type Entries = readonly Entry[]

  async function write(connection: PostgresConnection, texts: CommitTexts, entries: Entries) {
    const rare = entries.some(isRare)
    const { rows } = await query(connection, rare ? texts.rare : texts.common, parameters(entries, rare))
    const won = new Set(rows.map(({ n }) => n as number))
    return entries.map(
      ({ write, settings }, n): Outcome<boolean> => ({
        value: (write === undefined && settings === undefined) || won.has(n),
      }),
    )
  }

  /** Of a batch nobody knows who was too late: its entries are tried again one by one, and come here alone. */
  async function writeOrLose(connection: PostgresConnection, texts: CommitTexts, entries: Entries) {
    try {
      return await write(connection, texts, entries)
    } catch (error) {
      if (entries.length === 1 && rivals.includes((error as { constraint?: string }).constraint ?? '')) {
        return [{ value: false }]
      }
      throw error
    }
  }

  /**
   * Where the host has made a stricter isolation the default, what was committed while the statement waited for the lock
   * is a conflict. A level of its own costs two more round trips, so it is left to those that meet one.
   */
  async function writeApart(connection: PostgresConnection, entries: Entries): Promise<Outcome<boolean>[]> {
    try {
      return await writeOrLose(connection, ownCommit, entries)
    } catch (error) {
      if ((error as { code?: unknown }).code !== '40001') throw error
    }
    await query(connection, 'begin isolation level read committed', [])
    try {
      const outcomes = await writeOrLose(connection, ownCommit, entries)
      await query(connection, 'commit', [])
      return outcomes
    } catch (error) {
      // What went wrong first is what counts; a connection that cannot roll back has no transaction either.
      await query(connection, 'rollback', []).catch(() => undefined)
      throw error
    }
  }

  /** With a savepoint, because a statement that a rival's row refused would leave the host's transaction unusable. */
  async function writeInside(connection: PostgresConnection, entries: Entries): Promise<Outcome<boolean>[]> {
    await query(connection, 'savepoint change_requests_write', [])
    const outcomes = await writeOrLose(connection, joinedCommit, entries)
    const lost = outcomes.some((outcome) => 'value' in outcome && !outcome.value)
    await query(connection, `${lost ? 'rollback to' : 'release'} savepoint change_requests_write`, [])
    return outcomes
  }

  async function transaction<Value>(work: (transaction: Knex.Transaction) => Promise<Value>): Promise<Value> {
    const { lockTimeoutMs, statementTimeoutMs } = options
    return borrow((connection) =>
      inTransaction(knex, connection, async (transaction) => {
        const limits = `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`
        await query(connection, limits, [String(lockTimeoutMs), String(statementTimeoutMs)])
        const value = await work(transaction)
        // After an error that `work` caught, COMMIT rolls back without a word; any other statement says so.
        await query(connection, 'select 1', [])
        return value
      }),
    )
  }

  const events = postgresEvents(names, {
    rows: (text, values) => borrow(async (connection) => (await query(connection, text, [...values], false)).rows),
    async page(statement, limit) {
      const expectedBytes = Math.ceil(limit * bytesPerEvent)
      const page = await borrow((connection) =>
        discardIfSilent(connection, readRawRows(connection, { ...statement, query_timeout, expectedBytes })),
      )
      if (page.count > 0) bytesPerEvent = (page.json.length / page.count) * 1.05
      return page
    },
  })

  return {
    migrate: () => migratePostgres(knex, names, options),
    health: () => postgresHealth(names, (text) => borrow((connection) => query(connection, text, [], false))),
    ...changeRequestReads(names, {
      rows: (text, values, planned) =>
        borrow(
          async (connection) => (await query(connection, numbered(text), [...values], planned === undefined)).rows,
        ),
      among: (column) => `${column} = any(?::text[])`,
      isoTime: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    }),
    failureOf: (error) => postgresFailure(error, rivals),
    transaction,
    nextIds: (kind: IdKind, count: number) =>
      borrow(async (connection) => {
        const sequence = table(kind === 'change' ? 'change_ids' : 'change_request_ids')
        const text = `select nextval('${sequence}') as id from generate_series(1, $1::integer)`
        const { rows } = await query(connection, text, [count])
        return rows.map(({ id }) => safeInteger(id))
      }),
    findOpen: (keys: readonly OpenKey[]) =>
      borrow(async (connection) => {
        const { rows } = await query(connection, findOpenText, [
          keys.map(({ project }) => project),
          keys.map(({ environment }) => environment),
          keys.map(({ userId }) => userId),
        ])
        const found = new Map(rows.map((row) => [Number(row.place), row]))
        return keys.map((_, index) => {
          const row = found.get(index + 1)
          return row && { version: row.version, changeRequest: JSON.parse(row.document) }
        })
      }),
    write: (entries: readonly Entry[], transaction?: Knex.Transaction) =>
      transaction === undefined
        ? borrow((connection) => writeApart(connection, entries))
        : borrow((connection) => writeInside(connection, entries), transaction),
    isRefusal,
    eventHeads: (projects: readonly string[]) =>
      borrow(async (connection) => {
        const text = `select project, total, last_id from ${table('event_counts')} where project = any($1::text[])`
        const { rows } = await query(connection, text, [projects])
        const heads = new Map(rows.map((row) => [row.project, row]))
        return projects.map((project) => ({
          lastId: safeInteger(heads.get(project)?.last_id ?? 0),
          total: safeInteger(heads.get(project)?.total ?? 0),
        }))
      }),
    ...events,
    ...(options.notify && {
      listen: (tell: () => void) => listenToCommits(knex, names, options.acquireTimeoutMs, tell),
    }),
    recountEvents: () =>
      recountPostgres(names, (work) => knex.transaction(work, { isolationLevel: 'read committed' }), borrow),
  }
}

function commitTexts(names: Names, patience: string): CommitTexts {
  return { common: commitStatement(names, patience), rare: commitStatement(names, patience, rareParts(names)) }
}

/** Classes 22 and 23: data and constraints; P0: raised by a trigger. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(22|23|P0)/.test(code)
}

const statementNames = new Map<string, string>()

function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `change_requests_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    statementNames.set(text, name)
  }
  return name
}

/** A connection that did not answer in time may be half open: its late answer would meet the next statement. */
async function discardIfSilent<Value>(connection: PostgresConnection, answer: Promise<Value>): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && error.message === 'Query read timeout') {
      connection.__knex__disposed = error
      void connection.end().catch(() => undefined)
    }
    throw error
  }
}
