import type { Names } from './database'
import type { Migration } from './migrations'

/** What finds events fast: an index for each thing they are searched by, and counts by flag and by creator. */
export function eventTables(names: Names): Migration {
  const { table, index } = names
  const on = (name: string, columns: string, where = '') =>
    `create index if not exists ${index(`events_${name}`)} on ${table('events')} (${columns})${where && ` where ${where}`}`
  const indexes = (changeRequestId: string) => [
    on('feature', 'feature_name, id', 'feature_name is not null'),
    on('type', 'type, id'),
    on('environment', 'environment, id', 'environment is not null'),
    on('group', 'group_id, id', 'group_id is not null'),
    on('created_at', 'created_at, id'),
    on('change_request', `(${changeRequestId}), id`, isAboutChangeRequest),
  ]
  return {
    name: 'event_search',
    postgres: [
      `create table ${table('event_tallies')} (
        kind text not null,
        name text not null,
        project text not null,
        total bigint not null,
        last_id bigint not null,
        primary key (kind, name, project)
      )`,
      // Whoever makes an index keeps writers out until the end: nothing is appended between the count and the commit.
      ...indexes(changeRequestIdOf.postgres),
      on('creator', 'created_by_user_id, id'),
      fillTallies(names),
    ],
    sqlite: [
      `create table if not exists ${table('event_tallies')} (
        kind text not null,
        name text not null,
        project text not null,
        total integer not null,
        last_id integer not null,
        primary key (kind, name, project)
      ) without rowid`,
      fillTallies(names),
      ...indexes(changeRequestIdOf.sqlite),
    ],
  }
}

/** A tally counts what a flag or a creator has in a project; '' stands for no project. */
export function tallies(events: string): string {
  return `select kind, name, project, count(*) as total, max(id) as last_id from (
      select 'feature' as kind, feature_name as name, coalesce(project, '') as project, id
      from ${events} where feature_name is not null
      union all
      select 'creator', cast(created_by_user_id as text), coalesce(project, ''), id
      from ${events} where created_by_user_id is not null
    ) as one group by kind, name, project`
}

function fillTallies({ table }: Names): string {
  return `insert into ${table('event_tallies')} (kind, name, project, total, last_id) ${tallies(table('events'))}`
}

/** The part of the log in which a change request is named; only there an event is parsed for it when it is written. */
export const isAboutChangeRequest = `substr(type, 1, 7) = 'change-'`

/** As text, because events of the host may hold anything there. */
export const changeRequestIdOf = {
  postgres: `coalesce(body::json #>> '{data,changeRequestId}', body::json #>> '{preData,changeRequestId}')`,
  sqlite: `cast(coalesce(json_extract(body, '$.data.changeRequestId'), json_extract(body, '$.preData.changeRequestId')) as text)`,
} as const
