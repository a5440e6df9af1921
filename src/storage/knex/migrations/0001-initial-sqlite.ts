import type { Names } from '../shared/database'
import { changeRequestIdOf, isAboutChangeRequest } from '../shared/event-expressions'

/** The tables of schema version 1 on SQLite. What lists read stands before the document, which may fill many pages. */
export function initialSqlite({ table, index }: Names): string[] {
  const on = (name: string, columns: string, where = '') =>
    `create index ${index(`events_${name}`)} on ${table('events')} (${columns})${where && ` where ${where}`}`
  return [
    `create table ${table('ids')} (kind text primary key, last integer not null) without rowid`,
    `insert into ${table('ids')} (kind, last) values ('changeRequest', 0), ('change', 0)`,
    `create table ${table('change_requests')} (
      id integer primary key,
      project text not null,
      environment text not null,
      created_by integer not null,
      state text not null,
      open integer not null,
      version integer not null,
      created_at text not null,
      summary text not null,
      document text not null
    )`,
    `create unique index ${index('change_requests_open')}
      on ${table('change_requests')} (project, environment, created_by) where open`,
    `create index ${index('change_requests_project')}
      on ${table('change_requests')} (project, created_at desc, id desc)`,
    `create index ${index('change_requests_state')} on ${table('change_requests')} (project, state, created_by)`,
    `create index ${index('change_requests_environment')} on ${table('change_requests')} (project, environment)`,
    `create index ${index('change_requests_created_at')} on ${table('change_requests')} (created_at desc, id desc)`,
    `create index ${index('change_requests_created_by')} on ${table('change_requests')} (created_by)`,
    `create table ${table('change_request_subjects')} (
      change_request_id integer not null,
      subject text not null,
      primary key (change_request_id, subject)
    ) without rowid`,
    `create index ${index('change_request_subjects_subject')}
      on ${table('change_request_subjects')} (subject, change_request_id)`,
    `create table ${table('settings')} (
      project text not null,
      environment text not null,
      enabled integer not null,
      required_approvals integer not null,
      version integer not null,
      primary key (project, environment)
    ) without rowid`,
    `create table ${table('idempotency')} (
      user_id integer not null,
      key text not null,
      created_at text not null,
      fingerprint text not null,
      project text not null,
      change_request_id integer not null,
      comment_id integer,
      primary key (user_id, key)
    )`,
    `create index ${index('idempotency_created_at')} on ${table('idempotency')} (created_at)`,
    `create table ${table('events')} (
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
    on('project', 'project, id'),
    on('feature', 'feature_name, id', 'feature_name is not null'),
    on('type', 'type, id'),
    on('environment', 'environment, id', 'environment is not null'),
    on('group', 'group_id, id', 'group_id is not null'),
    on('created_at', 'created_at, id'),
    on('change_request', `(${changeRequestIdOf.sqlite}), id`, isAboutChangeRequest),
    `create table ${table('event_counts')} (
      project text primary key,
      total integer not null,
      last_id integer not null
    ) without rowid`,
    `create table ${table('event_tallies')} (
      kind text not null,
      name text not null,
      project text not null,
      total integer not null,
      last_id integer not null,
      primary key (kind, name, project)
    ) without rowid`,
  ]
}
