import { checkOptions, each, must, type OptionTable, oneOf, optional } from '../../check-options'
import type { Names } from './database/database'
import { anIdentifier, createNames } from './database/names'
import {
  type Kind,
  type Migration,
  metaTable,
  migrations,
  statementsOf,
  versionQuery,
  versionStatement,
} from './migrations/index'
import { migrationLock } from './postgres/migrate'

/** Options of {@link migrationSql}. Only `client` is required. */
export interface MigrationSqlOptions {
  /** The client that the host's Knex uses for this database. */
  readonly client: 'pg' | 'better-sqlite3'
  /**
   * As for `knexStorage`.
   * @defaultValue `'ffcr_'`
   */
  readonly tablePrefix?: string
  /**
   * Postgres, as for `knexStorage`.
   * @defaultValue the first of the connection's search path
   */
  readonly schema?: string
  /**
   * The current schema version of the database, as in `health()`.
   * @defaultValue `0`
   */
  readonly from?: number
}

const optionTable: OptionTable<MigrationSqlOptions> = {
  client: oneOf('pg', 'better-sqlite3'),
  from: optional(must((from) => Number.isSafeInteger(from) && Number(from) >= 0, 'a whole number, 0 or more')),
  tablePrefix: anIdentifier,
  schema: optional(
    each(
      anIdentifier,
      must((_, { client }: MigrationSqlOptions) => client === 'pg', 'left out on SQLite'),
    ),
  ),
}

/**
 * The migrations as a script for psql or sqlite3, for teams in which a DBA changes the tables. The script
 * is one transaction with the same locks as `migrate()`, which has nothing left to do afterwards. It fails on a database
 * whose version is not `from`.
 *
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs'
 *
 * const sql = migrationSql({ client: 'pg', schema: 'audit' })
 * ```
 *
 * @throws TypeError that names the option when one is missing, unknown or out of its range.
 */
export function migrationSql(options: MigrationSqlOptions): string {
  return printMigrations(options, migrations)
}

/** Like {@link migrationSql}, with other migrations; for tests. */
export function printMigrations(options: MigrationSqlOptions, all: readonly Migration[]): string {
  checkOptions('migrationSql', options, optionTable)
  const { client, tablePrefix, schema, from = 0 } = options
  const names = createNames({ tablePrefix, schema })
  const to = all.length
  if (from >= to) return `-- Nothing to do: the schema version is ${from}, and this release needs ${to}.\n`
  const title = `-- express-change-requests, schema version ${from} to ${to}`
  if (client === 'better-sqlite3') return sqliteScript(title, names, from, steps(names, 'sqlite', from, all))
  return postgresScript(title, names, from, steps(names, 'postgres', from, all))
}

function postgresScript(title: string, names: Names, from: number, steps: readonly string[]): string {
  return script([
    `${title}, for Postgres: psql -v ON_ERROR_STOP=1 -f <this file>`,
    'begin isolation level read committed;',
    `${migrationLock(names)};`,
    `${metaTable(names)};`,
    `do $$ begin
  if coalesce((${versionQuery(names)}), 0) <> ${from} then
    raise exception '${otherVersion(from)}';
  end if;
end $$;`,
    ...steps,
    'commit;',
  ])
}

/** SQL of SQLite cannot raise an error, so a failing constraint has the message as its name. */
function sqliteScript(title: string, names: Names, from: number, steps: readonly string[]): string {
  const check = names.table('from_version')
  return script([
    `${title}, for SQLite: sqlite3 -bail <database> < <this file>`,
    '-- Leave this line out where the option durability is "host".\npragma journal_mode = wal;',
    'begin immediate;',
    `${metaTable(names)};`,
    `create temporary table ${check} (value integer, constraint "${otherVersion(from)}" check (value = ${from}));`,
    `insert into ${check} values (coalesce((${versionQuery(names)}), 0));`,
    `drop table ${check};`,
    ...steps,
    'commit;',
  ])
}

function otherVersion(from: number): string {
  return `This script is for schema version ${from}; the database has a different one.`
}

function steps(names: Names, kind: Kind, from: number, all: readonly Migration[]): string[] {
  return [
    ...all
      .slice(from)
      .flatMap((migration) => [
        `-- ${migration.name}`,
        ...statementsOf(migration, kind, names).map((text) => `${text};`),
      ]),
    `${versionStatement(names, all.length, all)};`,
  ]
}

function script(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
