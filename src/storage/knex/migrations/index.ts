import type { Names } from '../shared/database'
import { initialPostgres } from './0001-initial-postgres'
import { initialSqlite } from './0001-initial-sqlite'

/** Numbered by their place, append-only, additive within a major version; each runs in one transaction. */
export interface Migration {
  /** Stands in the records of the host's Knex: never altered. */
  readonly name: string
  readonly postgres: (names: Names) => readonly string[]
  /** Where the log is to have partitions. */
  readonly partitionedPostgres: (names: Names) => readonly string[]
  readonly sqlite: (names: Names) => readonly string[]
}

/** What a migration is written for. */
export type Kind = 'postgres' | 'partitionedPostgres' | 'sqlite'

export const migrations: readonly Migration[] = [
  {
    name: '0001_initial',
    postgres: (names) => initialPostgres(names, { partitioned: false }),
    partitionedPostgres: (names) => initialPostgres(names, { partitioned: true }),
    sqlite: initialSqlite,
  },
]

/** The schema version that this release makes. */
export const latestVersion = migrations.length

/** The statements of a migration. */
export function statementsOf(migration: Migration, kind: Kind, names: Names): string[] {
  return migration[kind](names).map(dedented)
}

/** They are printed, and SQLite keeps them as they are. */
function dedented(text: string): string {
  const [first, ...rest] = text.split('\n')
  const indent = Math.min(...rest.map((line) => line.search(/\S/)))
  return [first, ...rest.map((line) => line.slice(indent))].join('\n')
}

/** Where the number of the last migration stands. */
export function metaTable({ table }: Names): string {
  return `create table if not exists ${table('meta')} (name text primary key, value integer not null)`
}

/** Zero rows, or one with the column `value`. */
export function versionQuery({ table }: Names): string {
  return `select value from ${table('meta')} where name = 'schema_version'`
}

/** Never lowers it: a newer release may have been here. */
export function versionStatement({ table }: Names, version: number): string {
  return `insert into ${table('meta')} as meta (name, value) values ('schema_version', ${version})
on conflict (name) do update set value = excluded.value where meta.value < excluded.value`
}

/** The statements that lead from one version to another. */
export function statementsBetween(
  names: Names,
  kind: Kind,
  from: number,
  to: number,
  all: readonly Migration[] = migrations,
): string[] {
  return all.slice(from, to).flatMap((migration) => statementsOf(migration, kind, names))
}
