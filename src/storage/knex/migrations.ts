import type { Names } from './database'
import { eventColumns, partitionedEvents } from './event-partitions'
import { eventTables } from './event-tables'
import { reviewTables } from './review-tables'

/** Numbered by their place, append-only, additive within a major version; each runs in one transaction. */
export interface Migration {
  /** Stands in the records of the host's Knex: never altered. */
  readonly name: string
  readonly postgres: readonly string[]
  /** Where the log is to have partitions and that is something else. */
  readonly partitionedPostgres?: readonly string[]
  readonly sqlite: readonly string[]
}

/** What a migration is written for. */
export type Kind = 'postgres' | 'partitionedPostgres' | 'sqlite'

export function migrations(names: Names): readonly Required<Migration>[] {
  const { table, index } = names
  const openIndex = `on ${table('change_requests')} (project, environment, created_by)`
  const projectIndex = `on ${table('events')} (project, id)`
  const withEvents = (events: readonly string[]) => [
    `create sequence ${table('change_request_ids')}`,
    `create sequence ${table('change_ids')}`,
    `create table ${table('change_requests')} (
      id bigint primary key,
      project text not null,
      environment text not null,
      created_by bigint not null,
      state text not null,
      open boolean not null,
      version integer not null,
      created_at timestamptz not null,
      document text not null
    )`,
    `create unique index ${index('change_requests_open')} ${openIndex} where open`,
    ...events,
    `create index ${index('events_project')} ${projectIndex}`,
    `create table ${table('event_counts')} (
      project text primary key,
      total bigint not null,
      last_id bigint not null
    )`,
  ]
  const all: Migration[] = [
    {
      name: 'tables',
      postgres: withEvents([
        `create table ${table('events')} (
          id bigint generated always as identity primary key,
          ${eventColumns}
        )`,
      ]),
      partitionedPostgres: withEvents(partitionedEvents(names)),
      sqlite: [
        `create table if not exists ${table('ids')} (kind text primary key, last integer not null) without rowid`,
        `insert into ${table('ids')} (kind, last) values ('changeRequest', 0), ('change', 0) on conflict do nothing`,
        `create table if not exists ${table('change_requests')} (
          id integer primary key,
          project text not null,
          environment text not null,
          created_by integer not null,
          state text not null,
          open integer not null,
          version integer not null,
          created_at text not null,
          document text not null
        )`,
        `create unique index if not exists ${index('change_requests_open')} ${openIndex} where open`,
        `create table if not exists ${table('events')} (
          id integer primary key autoincrement,
          created_at text not null,
          type text not null,
          project text,
          environment text,
          feature_name text,
          created_by_user_id integer,
          group_type text,
          group_id text,
          body text not null check (json_valid(body))
        )`,
        `create index if not exists ${index('events_project')} ${projectIndex}`,
        `create table if not exists ${table('event_counts')} (
          project text primary key,
          total integer not null,
          last_id integer not null
        ) without rowid`,
      ],
    },
    reviewTables(names),
    eventTables(names),
  ]
  return all.map(({ name, postgres, partitionedPostgres = postgres, sqlite }) => ({
    name,
    postgres: postgres.map(dedented),
    partitionedPostgres: partitionedPostgres.map(dedented),
    sqlite: sqlite.map(dedented),
  }))
}

/** They are printed, and SQLite keeps them as they are. */
function dedented(text: string): string {
  const [first, ...rest] = text.split('\n')
  const indent = Math.min(...rest.map((line) => line.search(/\S/)))
  return [first, ...rest.map((line) => line.slice(indent))].join('\n')
}

/** The schema version that this release makes. */
export const latestVersion = migrations({ table: String, index: String }).length

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
export function statementsBetween(names: Names, kind: Kind, from: number, to: number): string[] {
  return migrations(names)
    .slice(from, to)
    .flatMap((migration) => migration[kind])
}
