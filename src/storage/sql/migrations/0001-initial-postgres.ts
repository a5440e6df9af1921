/** The tables of schema version 1 on Postgres. The indexes of events have full pages, because events are appended in order. */
export const initialPostgres = `
create sequence {{change_request_ids}};

create sequence {{change_ids}};

create table {{change_requests}} (
  id bigint primary key,
  project text not null,
  environment text not null,
  created_by bigint not null,
  state text not null,
  state_since timestamptz not null,
  open boolean not null,
  after_review boolean not null,
  whole_project boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  due_at timestamptz,
  scheduled_at timestamptz,
  held boolean not null default false,
  applying_since timestamptz,
  summary text not null,
  document text not null,
  document_sha256 text not null,
  content text not null,
  content_sha256 text not null
);

create unique index {{index change_requests_open}}
on {{change_requests}} (project, environment, created_by) where open;

create index {{index change_requests_project}}
on {{change_requests}} (project, created_at desc, id desc);

create index {{index change_requests_newest}}
on {{change_requests}} (project, environment, state, whole_project, created_at desc, id desc, created_by);

create index {{index change_requests_waiting}}
on {{change_requests}} (project, environment, state, whole_project, state_since, id, created_by, created_at);

create index {{index change_requests_created_at}}
on {{change_requests}} (created_at desc, id desc, project, state, created_by);

create index {{index change_requests_updated_at}}
on {{change_requests}} (updated_at, id);

create index {{index change_requests_created_by}} on {{change_requests}} (created_by);

create index {{index change_requests_after_review}}
on {{change_requests}} (created_at desc, id desc) where after_review;

create index {{index change_requests_due}}
on {{change_requests}} (due_at, scheduled_at, id) where due_at is not null;

create index {{index change_requests_scheduled}}
on {{change_requests}} (scheduled_at, id) where scheduled_at is not null;

create index {{index change_requests_held}} on {{change_requests}} (id) where held;

create index {{index change_requests_applying}}
on {{change_requests}} (applying_since, id) where applying_since is not null;

create table {{change_request_subjects}} (
  change_request_id bigint not null,
  subject text collate "C" not null,
  primary key (change_request_id, subject)
);

create index {{index change_request_subjects_subject}}
on {{change_request_subjects}} (subject, change_request_id);

create table {{change_request_texts}} (
  change_request_id bigint primary key,
  text text not null
);

create table {{change_request_counts}} (
  author text not null,
  project text not null,
  environment text not null,
  whole_project boolean not null,
  state text not null,
  total bigint not null,
  primary key (author, project, environment, whole_project, state)
);

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
  id bigint generated always as identity primary key with (fillfactor = 100),
  created_at timestamptz not null,
  type text not null,
  project text,
  environment text,
  feature_name text,
  created_by_user_id bigint,
  created_by_kind text,
  change_request_id bigint,
  group_type text,
  group_id text,
  trace text,
  body text not null
);

create index {{index events_project}} on {{events}} (project, id) with (fillfactor = 100);

create index {{index events_type}} on {{events}} (type, id) with (fillfactor = 100);

create index {{index events_feature_name}}
on {{events}} (feature_name, id) with (fillfactor = 100) where feature_name is not null;

create index {{index events_created_by_user_id}}
on {{events}} (created_by_user_id, id) with (fillfactor = 100) where created_by_user_id is not null;

create index {{index events_environment}}
on {{events}} (environment, id) with (fillfactor = 100) where environment is not null;

create index {{index events_change_request_id}}
on {{events}} (change_request_id, id) with (fillfactor = 100) where change_request_id is not null;

create index {{index events_group}}
on {{events}} (group_id, id) with (fillfactor = 100) where group_id is not null;

create table {{event_counts}} (
  project text primary key,
  total bigint not null,
  last_id bigint not null
);

create table {{event_tallies}} (
  project text not null,
  term text collate "C" not null,
  total bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  primary key (project, term)
);

create table {{event_log}} (
  one integer primary key check (one = 1),
  id text not null
);

insert into {{event_log}} (one, id) values (1, gen_random_uuid()::text);

create table {{consumers}} (
  name text primary key,
  position bigint not null,
  event_id bigint,
  fingerprint text,
  owner text,
  epoch bigint not null,
  lease_until bigint not null,
  status text not null
);
`
