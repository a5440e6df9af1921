import { hash } from 'node:crypto'
import type { StorageProblem } from '../../../ports/storage/storage'
import { type Names, safeInteger } from '../database/database'
import { codeOf } from '../database/failures'
import { discardOnTimeout, type PostgresConnection, type PostgresHandle } from './handle'

export interface PostgresOptions<Transaction = unknown> {
  readonly handle: PostgresHandle<Transaction>
  readonly names: Names
  readonly report: (problem: StorageProblem) => void
  readonly preparedStatements: boolean
  /** Whether commits send a notification to followers of the log, and followers listen for it. */
  readonly notify: boolean
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
}

export interface QueryResult {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  readonly rows: any[]
}

export type PostgresConnections = ReturnType<typeof postgresConnections>

/** Access to the connections of the host's pool, and statements with a time limit. */
export function postgresConnections<Transaction>(options: PostgresOptions<Transaction>) {
  const { handle } = options
  const query_timeout = options.statementTimeoutMs

  /** The name under which a statement is prepared; empty if it is not prepared. */
  const nameOf = (text: string, named: boolean) =>
    named && options.preparedStatements ? { name: statementName(text) } : {}

  function query(connection: PostgresConnection, text: string, values: unknown[], named = true): Promise<QueryResult> {
    const config = { ...nameOf(text, named), text, values, query_timeout, types: columnTypes }
    return discardOnTimeout(handle, connection, connection.query(config) as Promise<QueryResult>)
  }

  let hasWarned = false

  /** Reports once that a pooler has lost a prepared statement. */
  function warnOfPooler(error: unknown): void {
    const code = codeOf(error)
    if (hasWarned || !options.preparedStatements || !preparedStatementCodes.includes(code)) return
    hasWarned = true
    options.report({
      level: 'warn',
      message:
        'The database does not know a prepared statement of this connection. Behind a pooler in transaction mode, set the ' +
        'option preparedStatements to false.',
      details: { code },
    })
  }

  const borrow = <Value>(use: (connection: PostgresConnection) => Promise<Value>) =>
    handle.borrow(use).catch((error) => {
      warnOfPooler(error)
      throw error
    })

  return { borrow, query, nameOf }
}

/** The statement does not exist, exists already, or takes other parameters. */
const preparedStatementCodes = ['26000', '42P05', '08P01']

const boolean = 16
const integer = 23

/** Parses booleans and integers and leaves everything else as text, regardless of the type parsers of the host app. */
export const columnTypes = {
  getTypeParser: (type: number) => (text: string) => {
    if (type === boolean) return text === 't'
    return type === integer ? Number(text) : text
  },
}

/** The ids of an array of bigint: in JSON, or in the text format of Postgres, such as {1,2}. */
export function idsOf(ids: readonly number[] | string | null): number[] {
  if (ids === null) return []
  return (typeof ids === 'string' ? ids.slice(1, -1).split(',') : ids).map(safeInteger)
}

const statementNames = new Map<string, string>()

function statementName(text: string): string {
  const name = statementNames.get(text) ?? `change_requests_${hash('sha256', text, 'hex').slice(0, 16)}`
  statementNames.set(text, name)
  return name
}
