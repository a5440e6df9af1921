import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { StorageProblem } from '../../../ports/storage/storage'
import { withConnection } from '../shared/connection'
import { type Names, safeInteger } from '../shared/database'

/** The part of a pg connection that is used here. */
export interface PostgresConnection {
  query(config: object): Promise<unknown>
  escapeLiteral(text: string): string
  end(): Promise<void>
  /** False while a statement runs. */
  readonly readyForQuery?: boolean
  /** The status of the transaction after the last statement: T if it can be committed. Absent in older releases. */
  getTransactionStatus?(): string | null
  __knex__disposed?: unknown
}

export interface PostgresOptions {
  readonly knex: Knex
  readonly names: Names
  /** How many events are indexed together. */
  readonly blockSize: number
  /** Receives the problems for {@link Storage.onProblem}. */
  readonly report: (problem: StorageProblem) => void
  readonly preparedStatements: boolean
  /** Whether commits send a notification to followers of the log, and followers listen for it. */
  readonly notify: boolean
  /** Whether the event log has monthly partitions. */
  readonly partitioned: boolean
  readonly acquireTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
}

export interface QueryResult {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  readonly rows: any[]
}

export type PostgresConnections = ReturnType<typeof postgresConnections>

/** Access to the connections of the host's pool, and statements with a time limit. */
export function postgresConnections(options: PostgresOptions) {
  const query_timeout = options.statementTimeoutMs

  const borrow = <Value>(use: (connection: PostgresConnection) => Promise<Value>, on: Knex = options.knex) =>
    withConnection<PostgresConnection, Value>(on, options.acquireTimeoutMs, use)

  /** The name under which a statement is prepared; empty if it is not prepared. */
  const nameOf = (text: string, named: boolean) =>
    named && options.preparedStatements ? { name: statementName(text) } : {}

  function query(connection: PostgresConnection, text: string, values: unknown[], named = true): Promise<QueryResult> {
    const result = connection.query({
      ...nameOf(text, named),
      text,
      values,
      query_timeout,
      types: columnTypes,
    }) as Promise<QueryResult>
    return discardOnTimeout(connection, result)
  }

  return { borrow, query, nameOf }
}

const boolean = 16
const integer = 23

/** Parses booleans and integers and leaves everything else as text, regardless of the type parsers of the host app. */
export const columnTypes = {
  getTypeParser: (type: number) => (text: string) => {
    if (type === boolean) return text === 't'
    return type === integer ? Number(text) : text
  },
}

/** The ids of an array of bigint in the text format of Postgres, such as {1,2}. */
export function idsOf(text: string | null): number[] {
  return text === null ? [] : text.slice(1, -1).split(',').map(safeInteger)
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

/**
 * Discards a connection whose statement timed out. It may be half open, and a late result would count as the result of the
 * next statement.
 */
export async function discardOnTimeout<Value>(connection: PostgresConnection, result: Promise<Value>): Promise<Value> {
  try {
    return await result
  } catch (error) {
    if (error instanceof Error && error.message === 'Query read timeout') {
      connection.__knex__disposed = error
      void connection.end().catch(() => undefined)
    }
    throw error
  }
}
