import type { Names } from './database'
import { reviewTables } from './review-tables'

/** Numbered by their place, append-only, additive within a major version; each runs in one transaction. */
export interface Migration {
  readonly postgres: readonly string[]
  readonly sqlite: readonly string[]
}

export function migrations(names: Names): readonly Migration[] {
  const { table, index } = names
  const openIndex = `on ${table('change_requests')} (project, environment, created_by)`
  const projectIndex = `on ${table('events')} (project, id)`
  return [
    {
      postgres: [
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
        `create table ${table('events')} (
          id bigint generated always as identity primary key,
          created_at timestamptz not null,
          type text not null,
          project text,
          environment text,
          feature_name text,
          created_by_user_id bigint,
          group_type text,
          group_id text,
          body text not null
        )`,
        `create index ${index('events_project')} ${projectIndex}`,
        `create table ${table('event_counts')} (
          project text primary key,
          total bigint not null,
          last_id bigint not null
        )`,
      ],
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
  ]
}

/** Where the number of the last migration stands. */
export function metaTable({ table }: Names): string {
  return `create table if not exists ${table('meta')} (name text primary key, value integer not null)`
}
