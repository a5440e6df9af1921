/** The tables of schema version 1 on Postgres. */
export const initialPostgres = `
create sequence {{change_request_ids}};

create sequence {{change_ids}};

create table {{change_requests}} (
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
);

create unique index {{index change_requests_open}}
on {{change_requests}} (project, environment, created_by) where open;

create index {{index change_requests_project}}
on {{change_requests}} (project, created_at desc, id desc);

create index {{index change_requests_state}} on {{change_requests}} (project, state, created_by);

create index {{index change_requests_environment}} on {{change_requests}} (project, environment);

create index {{index change_requests_created_at}} on {{change_requests}} (created_at desc, id desc);

create index {{index change_requests_created_by}} on {{change_requests}} (created_by);

create table {{change_request_subjects}} (
  change_request_id bigint not null,
  subject text not null,
  primary key (change_request_id, subject)
);

create index {{index change_request_subjects_subject}}
on {{change_request_subjects}} (subject, change_request_id);

create table {{settings}} (
  project text not null,
  environment text not null,
  enabled boolean not null,
  required_approvals integer not null,
  version integer not null,
  primary key (project, environment)
);

create table {{idempotency}} (
  user_id bigint not null,
  key text not null,
  created_at timestamptz not null,
  fingerprint text not null,
  project text not null,
  change_request_id bigint not null,
  comment_id bigint,
  constraint {{index idempotency_key}} primary key (user_id, key)
);

create index {{index idempotency_created_at}} on {{idempotency}} (created_at);

create table {{events}} (
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
);

create index {{index events_project}} on {{events}} (project, id);

create index {{index events_feature}} on {{events}} (feature_name, id) where feature_name is not null;

create index {{index events_type}} on {{events}} (type, id);

create index {{index events_environment}} on {{events}} (environment, id) where environment is not null;

create index {{index events_group}} on {{events}} (group_id, id) where group_id is not null;

create index {{index events_created_at}} on {{events}} (created_at, id);

create index {{index events_change_request}} on {{events}} ((coalesce(body::json #>> '{data,changeRequestId}', body::json #>> '{preData,changeRequestId}')), id) where substr(type, 1, 7) = 'change-';

create index {{index events_creator}} on {{events}} (created_by_user_id, id);

create table {{event_counts}} (
  project text primary key,
  total bigint not null,
  last_id bigint not null
);

create table {{event_tallies}} (
  kind text not null,
  name text not null,
  project text not null,
  total bigint not null,
  last_id bigint not null,
  primary key (kind, name, project)
);
`
