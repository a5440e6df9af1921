/** The tables of schema version 1 on SQLite. The columns of lists precede the document, which may fill many pages. */
export const initialSqlite = `
create table {{ids}} (
  kind text primary key,
  last integer not null
) without rowid;

insert into {{ids}} (kind, last) values ('changeRequest', 0), ('change', 0);

create table {{change_requests}} (
  id integer primary key,
  project text not null,
  environment text not null,
  created_by integer not null,
  state text not null,
  state_since text not null,
  open integer not null,
  after_review integer not null,
  whole_project integer not null,
  version integer not null,
  created_at text not null,
  updated_at text not null,
  due_at text,
  scheduled_at text,
  held integer not null default false,
  applying_since text,
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
on {{change_requests}} (id, updated_at, project, state);

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
  change_request_id integer not null,
  subject text not null,
  primary key (change_request_id, subject)
) without rowid;

create index {{index change_request_subjects_subject}}
on {{change_request_subjects}} (subject, change_request_id);

create table {{change_request_texts}} (
  change_request_id integer primary key,
  text text not null
);

create table {{change_request_counts}} (
  author text not null,
  project text not null,
  environment text not null,
  whole_project integer not null,
  state text not null,
  total integer not null,
  primary key (author, project, environment, whole_project, state)
) without rowid;

create table {{settings}} (
  project text not null,
  environment text not null,
  enabled integer not null,
  required_approvals integer not null,
  version integer not null,
  primary key (project, environment)
) without rowid;

create table {{idempotency}} (
  user_id integer not null,
  key text not null,
  created_at text not null,
  fingerprint text not null,
  project text not null,
  change_request_id integer not null,
  comment_id integer,
  primary key (user_id, key)
);

create index {{index idempotency_created_at}} on {{idempotency}} (created_at);

create table {{events}} (
  id integer primary key autoincrement,
  created_at text not null,
  type text not null,
  project text,
  environment text,
  feature_name text,
  created_by_user_id integer,
  created_by_kind text,
  change_request_id integer,
  group_type text,
  group_id text,
  trace text,
  body text not null check (json_valid(body))
);

create index {{index events_project}} on {{events}} (project, id);

create index {{index events_type}} on {{events}} (type, id);

create index {{index events_feature_name}}
on {{events}} (feature_name, id) where feature_name is not null;

create index {{index events_created_by_user_id}}
on {{events}} (created_by_user_id, id) where created_by_user_id is not null;

create index {{index events_environment}}
on {{events}} (environment, id) where environment is not null;

create index {{index events_change_request_id}}
on {{events}} (change_request_id, id) where change_request_id is not null;

create index {{index events_group}}
on {{events}} (group_id, id) where group_id is not null;

create table {{event_counts}} (
  project text primary key,
  total integer not null,
  last_id integer not null
) without rowid;

create table {{event_tallies}} (
  project text not null,
  term text not null,
  total integer not null,
  first_id integer not null,
  last_id integer not null,
  primary key (project, term)
) without rowid;

create table {{event_log}} (
  one integer primary key check (one = 1),
  id text not null
);

insert into {{event_log}} (one, id)
select 1, substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 14, 3) || '-a' || substr(h, 18, 3) || '-' || substr(h, 21)
from (select lower(hex(randomblob(16))) as h);

create table {{consumers}} (
  name text primary key,
  position integer not null,
  event_id integer,
  fingerprint text,
  owner text,
  epoch integer not null,
  lease_until integer not null,
  status text not null
) without rowid;
`
