import { checkOption, refuseUnknownOptions } from '../../check-options'
import type { Names } from './database'
import { latestVersion, metaTable, migrations, versionQuery, versionStatement } from './migrations'
import { createNames } from './names'
import { migrationLock } from './postgres-migrate'

/**
 * What {@link migrationSql} takes; only `client` is required.
 *
 * @example
 * ```ts
 * const { schemaVersion } = await router.health()
 * const options: MigrationSqlOptions = { client: 'pg', schema: 'flags', from: schemaVersion }
 * ```
 */
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
   * The schema version that the database has, as `health()` tells it.
   * @defaultValue `0`
   */
  readonly from?: number
}

const optionNames = [
  'client',
  'tablePrefix',
  'schema',
  'from',
] as const satisfies readonly (keyof MigrationSqlOptions)[]

/**
 * The migrations as a script for psql or sqlite3, for hosts where somebody else alters the tables: one transaction with
 * the guards of `migrate()`, after which `migrate()` finds nothing to do. It refuses a database of another version than
 * `from`.
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
  const owner = 'migrationSql'
  refuseUnknownOptions(owner, options, optionNames)
  const { client, tablePrefix, schema, from = 0 } = options
  checkOption(owner, 'client', ['pg', 'better-sqlite3'].includes(client), '"pg" or "better-sqlite3"')
  checkOption(owner, 'from', Number.isSafeInteger(from) && from >= 0, 'a whole number, 0 or more')
  checkOption(owner, 'schema', client === 'pg' || schema === undefined, 'left out on SQLite')
  const names = createNames(owner, { tablePrefix, schema })
  if (from >= latestVersion) return `-- Nothing to do: the schema version is ${from}, ${latestVersion} is needed.\n`
  const title = `-- express-change-requests, schema version ${from} to ${latestVersion}`
  return client === 'pg' ? postgresScript(title, names, from) : sqliteScript(title, names, from)
}

function postgresScript(title: string, names: Names, from: number): string {
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
    ...steps(names, 'postgres', from),
    'commit;',
  ])
}

/** SQL of SQLite can raise nothing; a constraint whose name is the message comes near. */
function sqliteScript(title: string, names: Names, from: number): string {
  const check = names.table('from_version')
  return script([
    `${title}, for SQLite: sqlite3 -bail <database> < <this file>`,
    '-- Leave this line out where the option durability is "host".\npragma journal_mode = wal;',
    'begin immediate;',
    `${metaTable(names)};`,
    `create temporary table ${check} (value integer, constraint "${otherVersion(from)}" check (value = ${from}));`,
    `insert into ${check} values (coalesce((${versionQuery(names)}), 0));`,
    `drop table ${check};`,
    ...steps(names, 'sqlite', from),
    'commit;',
  ])
}

function otherVersion(from: number): string {
  return `This script is for schema version ${from}; the database has another.`
}

function steps(names: Names, database: 'postgres' | 'sqlite', from: number): string[] {
  const pending = migrations(names).slice(from)
  return [
    ...pending.flatMap((migration, index) => [
      `-- ${from + index + 1}: ${migration.name}`,
      ...migration[database].map((text) => `${text};`),
    ]),
    `${versionStatement(names, latestVersion)};`,
  ]
}

function script(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
