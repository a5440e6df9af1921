import type { EventCursor, EventFilter } from '../../../ports/storage'
import { changeRequestIdOf, isAboutChangeRequest } from '../shared/event-expressions'
import { type FilterDialect, hasText, type Sql } from '../shared/event-filter'

export const sqliteFilter: FilterDialect = {
  among: (column) => `${column} in (select value from json_each(?))`,
  timestamp: '?',
  // The slices of the log are bounded by time already.
  boundsTimes: false,
  searchedText: `lower(coalesce(body ->> '$.data', '') || char(10) || coalesce(body ->> '$.preData', '') || char(10) || coalesce(body ->> '$.tags', ''))`,
  // Not with `like`, which a host may have made case-sensitive.
  mayHave: 'instr(lower(body), lower(?)) > 0',
  contains: (text) => `instr(${text}, lower(?)) > 0`,
  // SQLite keeps the order of a cross join.
  eventsOf: (requests, events, fit) =>
    `(${requests}) as requests cross join ${events} as related on ${changeRequestIdOf.sqlite} = request and ${isAboutChangeRequest} and ${fit}`,
}

export function pageStatement(looked: Sql, filter: EventFilter, cursor: EventCursor, grouped: boolean): Sql {
  const hit = hasText(filter, sqliteFilter)
  const group = (name: string, column: string) =>
    `case when ${column} is null then '' else '"${name}":' || json_quote(${column}) || ',' end ||`
  const groups = grouped ? `${group('groupType', 'group_type')} ${group('groupId', 'group_id')}` : ''
  const event = `'{"id":' || id || ',' || ${groups} substr(body, 2)`
  const fits = filter.text === undefined ? '' : 'filter (where hit)'
  return {
    text: `select count(*) as searched, ${'after' in cursor ? 'max' : 'min'}(id) as last_id, count(*) ${fits} as count,
        cast(group_concat(${event}, ',' || char(10)) ${fits} as blob) as json
      from (select *, ${hit.text} as hit from (${looked.text}))`,
    values: [...hit.values, ...looked.values],
  }
}

/** True for filters that an index answers in order, across the whole log; all others are searched part by part. */
export function isNarrow(filter: EventFilter): boolean {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const { text, ids, groupIds, features, projects } = filter
  if (text !== undefined) return false
  if (ids !== undefined || groupIds?.length === 1 || features?.length === 1) return true
  return given.length === 0 || (given.length === 1 && projects?.length === 1)
}

export function fitsNothing(filter: EventFilter): boolean {
  return Object.values(filter).some((list) => Array.isArray(list) && list.length === 0)
}
