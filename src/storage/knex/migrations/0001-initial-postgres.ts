import { eventColumns, partitionedEvents } from '../postgres/event-partitions'
import type { Names } from '../shared/database'
import { changeRequestIdOf, isAboutChangeRequest } from '../shared/event-expressions'

/** The tables of schema version 1 on Postgres; the log with partitions, or without. */
export function initialPostgres(names: Names, { partitioned }: { readonly partitioned: boolean }): string[] {
  const { table, index } = names
  const on = (name: string, columns: string, where = '') =>
    `create index ${index(`events_${name}`)} on ${table('events')} (${columns})${where && ` where ${where}`}`
  const events = `create table ${table('events')} (
      id bigint generated always as identity primary key,
      ${eventColumns}
    )`
  return [
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
      change_request_id bigint not null,
      subject text not null,
      primary key (change_request_id, subject)
    )`,
    `create index ${index('change_request_subjects_subject')}
      on ${table('change_request_subjects')} (subject, change_request_id)`,
    `create table ${table('settings')} (
      project text not null,
      environment text not null,
      enabled boolean not null,
      required_approvals integer not null,
      version integer not null,
      primary key (project, environment)
    )`,
    `create table ${table('idempotency')} (
      user_id bigint not null,
      key text not null,
      created_at timestamptz not null,
      fingerprint text not null,
      project text not null,
      change_request_id bigint not null,
      comment_id bigint,
      constraint ${index('idempotency_key')} primary key (user_id, key)
    )`,
    `create index ${index('idempotency_created_at')} on ${table('idempotency')} (created_at)`,
    ...(partitioned ? partitionedEvents(names) : [events]),
    on('project', 'project, id'),
    on('feature', 'feature_name, id', 'feature_name is not null'),
    on('type', 'type, id'),
    on('environment', 'environment, id', 'environment is not null'),
    on('group', 'group_id, id', 'group_id is not null'),
    on('created_at', 'created_at, id'),
    on('change_request', `(${changeRequestIdOf.postgres}), id`, isAboutChangeRequest),
    on('creator', 'created_by_user_id, id'),
    `create table ${table('event_counts')} (
      project text primary key,
      total bigint not null,
      last_id bigint not null
    )`,
    `create table ${table('event_tallies')} (
      kind text not null,
      name text not null,
      project text not null,
      total bigint not null,
      last_id bigint not null,
      primary key (kind, name, project)
    )`,
  ]
}
