import type { Names } from './database'
import type { Migration } from './migrations'

/** What the review needs: subjects, settings, kept answers, and the indexes of the lists. */
export function reviewTables({ table, index }: Names): Migration {
  const indexes = [
    `create index if not exists ${index('change_request_subjects_subject')}
       on ${table('change_request_subjects')} (subject, change_request_id)`,
    `create index if not exists ${index('answers_created_at')} on ${table('answers')} (created_at)`,
    `create index if not exists ${index('change_requests_project')}
       on ${table('change_requests')} (project, created_at desc, id desc)`,
    `create index if not exists ${index('change_requests_state')}
       on ${table('change_requests')} (project, state, created_by)`,
    `create index if not exists ${index('change_requests_environment')}
       on ${table('change_requests')} (project, environment)`,
    `create index if not exists ${index('change_requests_created_at')}
       on ${table('change_requests')} (created_at desc, id desc)`,
    `create index if not exists ${index('change_requests_created_by')} on ${table('change_requests')} (created_by)`,
  ]
  return {
    name: 'review',
    postgres: [
      `create table ${table('change_request_subjects')} (
        change_request_id bigint not null,
        subject text not null,
        primary key (change_request_id, subject)
      )`,
      `create table ${table('settings')} (
        project text not null,
        environment text not null,
        enabled boolean not null,
        required_approvals integer not null,
        version integer not null,
        primary key (project, environment)
      )`,
      `create table ${table('answers')} (
        user_id bigint not null,
        key text not null,
        created_at timestamptz not null,
        fingerprint text not null,
        status integer not null,
        headers text not null,
        body text not null,
        constraint ${index('answers_key')} primary key (user_id, key)
      )`,
      `insert into ${table('change_request_subjects')} (change_request_id, subject)
       select distinct id, subject from (
         select c.id, coalesce('feature:' || (e.change ->> 'feature'), 'segment:' || (e.change #>> '{payload,id}'))
           as subject
         from ${table('change_requests')} c, json_array_elements(c.document::json -> 'changes') as e(change)
       ) as found where subject is not null`,
      ...indexes,
    ],
    sqlite: [
      `create table if not exists ${table('change_request_subjects')} (
        change_request_id integer not null,
        subject text not null,
        primary key (change_request_id, subject)
      ) without rowid`,
      `create table if not exists ${table('settings')} (
        project text not null,
        environment text not null,
        enabled integer not null,
        required_approvals integer not null,
        version integer not null,
        primary key (project, environment)
      ) without rowid`,
      `create table if not exists ${table('answers')} (
        user_id integer not null,
        key text not null,
        created_at text not null,
        fingerprint text not null,
        status integer not null,
        headers text not null,
        body text not null,
        primary key (user_id, key)
      )`,
      `insert into ${table('change_request_subjects')} (change_request_id, subject)
       select distinct id, subject from (
         select c.id, coalesce('feature:' || json_extract(e.value, '$.feature'),
             'segment:' || json_extract(e.value, '$.payload.id')) as subject
         from ${table('change_requests')} c, json_each(c.document, '$.changes') e
       ) where subject is not null`,
      ...indexes,
    ],
  }
}
