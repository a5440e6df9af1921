const postgres = {
  ids: 'create sequence {{change_request_ids}};\n\ncreate sequence {{change_ids}};',
  number: 'bigint',
  flag: 'boolean',
  time: 'timestamptz',
  // Sorted by its bytes, whatever the locale of the database.
  bytewise: 'text collate "C"',
  namedKey: 'constraint {{index idempotency_key}} ',
  eventId: 'bigint generated always as identity primary key with (fillfactor = 100)',
  // For the indexes of events, which are appended in order.
  fullPages: ' with (fillfactor = 100)',
  bodyCheck: '',
  keyOnly: '',
  logId: ' values (1, gen_random_uuid()::text)',
}

const sqlite = {
  ids: `create table {{ids}} (kind text primary key, last integer not null) without rowid;

insert into {{ids}} (kind, last) values ('changeRequest', 0), ('change', 0);`,
  number: 'integer',
  flag: 'integer',
  time: 'text',
  bytewise: 'text',
  namedKey: '',
  eventId: 'integer primary key autoincrement',
  fullPages: '',
  bodyCheck: ' check (json_valid(body))',
  keyOnly: ' without rowid',
  logId: `
select 1, substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 14, 3) || '-a' || substr(h, 18, 3) || '-' || substr(h, 21)
from (select lower(hex(randomblob(16))) as h)`,
}

/** The tables of schema version 1. The columns of lists precede the document, which may fill many pages. */
function tables(types: typeof postgres): string {
  const { ids, number, flag, time, bytewise, namedKey, eventId, fullPages, bodyCheck, keyOnly, logId } = types
  return `
${ids}

create table {{change_requests}} (
  id ${number} primary key,
  project text not null,
  environment text not null,
  created_by ${number} not null,
  state text not null,
  state_since ${time} not null,
  open ${flag} not null,
  after_review ${flag} not null,
  whole_project ${flag} not null,
  version integer not null,
  created_at ${time} not null,
  due_at ${time},
  scheduled_at ${time},
  held ${flag} not null default false,
  applying_since ${time},
  summary text not null,
  document text not null,
  content text not null
);

create unique index {{index change_requests_open}}
on {{change_requests}} (project, environment, created_by) where open;

create index {{index change_requests_project}}
on {{change_requests}} (project, created_at desc, id desc);

create index {{index change_requests_newest}}
on {{change_requests}} (project, environment, state, whole_project, created_at desc, id desc, created_by);

create index {{index change_requests_waiting}}
on {{change_requests}} (project, environment, state, whole_project, state_since, id, created_by);

create index {{index change_requests_created_at}}
on {{change_requests}} (created_at desc, id desc, project, state, created_by);

create index {{index change_requests_created_by}} on {{change_requests}} (created_by);

create index {{index change_requests_after_review}}
on {{change_requests}} (created_at desc, id desc) where after_review;

create index {{index change_requests_due}}
on {{change_requests}} (due_at, scheduled_at, id) where due_at is not null;

create index {{index change_requests_held}} on {{change_requests}} (id) where held;

create index {{index change_requests_applying}}
on {{change_requests}} (applying_since, id) where applying_since is not null;

create table {{change_request_subjects}} (
  change_request_id ${number} not null,
  subject ${bytewise} not null,
  primary key (change_request_id, subject)
)${keyOnly};

create index {{index change_request_subjects_subject}}
on {{change_request_subjects}} (subject, change_request_id);

create table {{change_request_texts}} (
  change_request_id ${number} primary key,
  text text not null
);

create table {{change_request_counts}} (
  author text not null,
  project text not null,
  environment text not null,
  whole_project ${flag} not null,
  state text not null,
  total ${number} not null,
  primary key (author, project, environment, whole_project, state)
)${keyOnly};

create table {{settings}} (
  project text not null,
  environment text not null,
  enabled ${flag} not null,
  required_approvals integer not null,
  version integer not null,
  primary key (project, environment)
)${keyOnly};

create table {{idempotency}} (
  user_id ${number} not null,
  key text not null,
  created_at ${time} not null,
  fingerprint text not null,
  project text not null,
  change_request_id ${number} not null,
  comment_id ${number},
  ${namedKey}primary key (user_id, key)
);

create index {{index idempotency_created_at}} on {{idempotency}} (created_at);

create table {{events}} (
  id ${eventId},
  created_at ${time} not null,
  type text not null,
  project text,
  environment text,
  feature_name text,
  created_by_user_id ${number},
  created_by_kind text,
  change_request_id ${number},
  group_type text,
  group_id text,
  body text not null${bodyCheck}
);

create index {{index events_project}} on {{events}} (project, id)${fullPages};

create index {{index events_type}} on {{events}} (type, id)${fullPages};

create index {{index events_feature_name}}
on {{events}} (feature_name, id)${fullPages} where feature_name is not null;

create index {{index events_created_by_user_id}}
on {{events}} (created_by_user_id, id)${fullPages} where created_by_user_id is not null;

create index {{index events_environment}}
on {{events}} (environment, id)${fullPages} where environment is not null;

create index {{index events_change_request_id}}
on {{events}} (change_request_id, id)${fullPages} where change_request_id is not null;

create index {{index events_group}}
on {{events}} (group_id, id)${fullPages} where group_id is not null;

create table {{event_counts}} (
  project text primary key,
  total ${number} not null,
  last_id ${number} not null
)${keyOnly};

create table {{event_tallies}} (
  project text not null,
  term ${bytewise} not null,
  total ${number} not null,
  first_id ${number} not null,
  last_id ${number} not null,
  primary key (project, term)
)${keyOnly};

create table {{event_log}} (
  one integer primary key check (one = 1),
  id text not null
);

insert into {{event_log}} (one, id)${logId};

create table {{consumers}} (
  name text primary key,
  position ${number} not null,
  event_id ${number},
  fingerprint text,
  owner text,
  epoch ${number} not null,
  lease_until ${number} not null,
  status text not null
)${keyOnly};
`
}

export const initial = { postgres: tables(postgres), sqlite: tables(sqlite) }
