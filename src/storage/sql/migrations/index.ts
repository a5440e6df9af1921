import type { Names } from '../database/database'
import { initialPostgres } from './0001-initial-postgres'
import { initialSqlite } from './0001-initial-sqlite'

/**
 * Migrations are numbered by position, append-only, and additive within a major version. Each runs in one transaction. Every
 * text has its own file without imports, and its hash is pinned once it is released (`.ci/migrations`).
 */
export interface Migration {
  /** Recorded by the host's Knex, so it never changes. */
  readonly name: string
  /** The lowest schema version of a release that still works on the tables after this migration. */
  readonly compatibleFrom: number
  readonly postgres: string
  readonly sqlite: string
}

export type Kind = 'postgres' | 'sqlite'

export const migrations: readonly Migration[] = [
  {
    name: '0001_initial',
    compatibleFrom: 1,
    postgres: initialPostgres,
    sqlite: initialSqlite,
  },
]

export const latestVersion = migrations.length

/** Creates the table that holds `schema_version` and `compatible_from`. */
export function metaTable({ table }: Names): string {
  return `create table if not exists ${table('meta')} (name text primary key, value integer not null)`
}

/** Returns no row, or one with the column `value`. */
export function versionQuery({ table }: Names): string {
  return `select value from ${table('meta')} where name = 'schema_version'`
}

/** Returns the rows that describe the schema, none before the first migration. */
export function schemaQuery({ table }: Names): string {
  return `select name, value from ${table('meta')} where name in ('schema_version', 'compatible_from')`
}

/** Records both numbers of the first `version` migrations. Never lowers them: a newer release may have raised them. */
export function versionStatement({ table }: Names, version: number, all: readonly Migration[]): string {
  const { compatibleFrom } = all[version - 1] as Migration
  return `insert into ${table('meta')} as meta (name, value) values ('schema_version', ${version}), ('compatible_from', ${compatibleFrom})
on conflict (name) do update set value = excluded.value where meta.value < excluded.value`
}

/** The columns of each table that the migrations create, from their text. A sequence has none. */
export function tablesOf(all: readonly Migration[], kind: Kind): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, string[]>()
  for (const migration of all) {
    for (const statement of migration[kind].split('\n\n')) {
      const [, verb, table = ''] = /^\s*(create|alter) (?:table|sequence) \{\{(\w+)\}\}/.exec(statement) ?? []
      if (verb === undefined) continue
      const columns = tables.get(table) ?? []
      const line = verb === 'create' ? /^ {2}(?!primary key|constraint)(\w+) \w/gm : /\badd column (\w+)/g
      for (const [, column = ''] of statement.matchAll(line)) columns.push(column)
      tables.set(table, columns)
    }
  }
  return tables
}

/**
 * The statements of a migration, without the semicolons that end them in its text. An empty line separates them; `{{events}}`
 * becomes the name of a table or sequence, `{{index events_type}}` the name of an index or constraint. Released migrations
 * depend on this: it never changes.
 */
export function statementsOf(migration: Migration, kind: Kind, { table, index }: Names): string[] {
  return migration[kind]
    .trim()
    .split('\n\n')
    .map((statement) =>
      statement
        .replace(/;$/, '')
        .replace(/\{\{(index )?([a-z_%]+)\}\}/g, (_, isIndex: string | undefined, name: string) =>
          isIndex === undefined ? table(name) : index(name),
        ),
    )
}
