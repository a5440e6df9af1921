import type { StorageProblem } from '../../ports/storage/storage'
import { createProblems } from '../listeners'
import type { Migration } from './migrations'
import { postgresDatabase } from './postgres'
import type { PostgresOptions } from './postgres/connection'
import type { PostgresHandle } from './postgres/handle'
import { sqliteDatabase } from './sqlite'
import type { SqliteOptions } from './sqlite/connection'
import { createSqlStorage } from './storage'

/** The storage on a handle of Postgres, which reports its own problems. */
export function openPostgres<Transaction>(
  openHandle: (report: (problem: StorageProblem) => void) => PostgresHandle<Transaction>,
  options: Omit<PostgresOptions, 'handle' | 'report'>,
  migrations: readonly Migration[],
) {
  const problems = createProblems()
  const { report } = problems
  const handle = openHandle(report)
  const database = postgresDatabase({ ...options, handle, report }, migrations)
  return createSqlStorage({ handle, database, names: options.names, version: migrations.length, problems })
}

export function openSqlite<Transaction>(
  options: Omit<SqliteOptions<Transaction>, 'report'>,
  migrations: readonly Migration[],
) {
  const { handle, names } = options
  const problems = createProblems()
  const database = sqliteDatabase({ ...options, report: problems.report }, migrations)
  return createSqlStorage({ handle, database, names, version: migrations.length, problems })
}
