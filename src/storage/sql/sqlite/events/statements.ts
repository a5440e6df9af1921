import type { Names } from '../../database/database'
import type { TallyQuery } from '../../event-index/access'
import { seenColumns } from '../../event-index/index-state'
import { countsItsRange, type LogPageRequest, maxInRange, type PageRequest } from '../../event-index/page-request'
import {
  type Bound,
  conditions,
  type FilterDialect,
  hasText,
  matchesFilter,
  noId,
  type Sql,
  selectBetween,
  where,
} from '../../queries/event-filter'

export const sqliteFilter: FilterDialect = {
  among: (column) => `${column} in (select value from json_each(?))`,
  timestamp: '?',
  searchedText: `lower(coalesce(body ->> '$.data', '') || char(10) || coalesce(body ->> '$.preData', '') || char(10) || coalesce(body ->> '$.tags', ''))`,
  // Not `like`: the host app may have made it case-sensitive.
  mayHave: 'instr(lower(body), lower(?)) > 0',
  contains: (text) => `instr(${text}, lower(?)) > 0`,
}

/** Joins the events of `source`, which is already in order, into one blob, with more columns before it. */
function joinedEvents(source: string, grouped: boolean, more: readonly string[] = []): string {
  const group = (name: string, column: string) =>
    `case when ${column} is null then '' else '"${name}":' || json_quote(${column}) || ',' end ||`
  const groups = grouped ? `${group('groupType', 'group_type')} ${group('groupId', 'group_id')}` : ''
  // Of a text, SQLite would count all characters to find where the part ends, which takes as long as all else.
  const event = `'{"id":' || id || ',' || ${groups} substr(cast(body as blob), 2)`
  return `select ${['count(*) as count', ...more].join(', ')}, cast(group_concat(${event}, ',' || char(10)) as blob) as json from (${source})`
}

/** A page of the whole log or of one project, with the number of their events. */
export function logStatement({ table }: Names, { project, range, forward, limit, grouped }: LogPageRequest): Sql {
  const [direction, last] = forward ? ['asc', 'max'] : ['desc', 'min']
  const source = `select * from ${table('events')} where id > ? and id < ?
    ${project === undefined ? '' : 'and project = ?'} order by id ${direction} limit ?`
  const total = `(select total from ${table('event_counts')} where project = ?) as total`
  // An event with an unsafe id must cause an error, not be left out.
  return {
    text: joinedEvents(source, grouped, [`${last}(id) as last_id`, total]),
    values: [
      project ?? '',
      range.above,
      range.below === noId ? Number.POSITIVE_INFINITY : range.below,
      ...(project === undefined ? [] : [project]),
      limit,
    ],
  }
}

/** A page, its total and the index state as one row, so that all come from one snapshot. */
export function pageStatement(names: Names, request: PageRequest): Sql {
  const { examined, found } = pageParts(names, request)
  const total = totalOf(names, request)
  const seen = seenColumns(names, request, mismatches)
  return {
    text: `${examined.text}
      select (select count(*) from ranged) as in_range, (${lastInRange(request)}) as last_in_range,
        ${total.text} as total, ${seen.text}, page.count, page.json
      from ${names.table('event_index')} as i, (${joinedEvents(`select * from ${found.text}`, request.grouped)}) as page`,
    values: [examined, total, seen, found].flatMap(({ values }) => values),
  }
}

/** Counts the events of a page. */
export function countStatement(names: Names, request: PageRequest): Sql {
  const { examined, found } = pageParts(names, request)
  const seen = seenColumns(names, request, mismatches)
  return {
    text: `${examined.text}
      select (select count(*) from ranged) as in_range, (${lastInRange(request)}) as last_in_range,
        ${seen.text}, (select count(*) from ${found.text}) as count
      from ${names.table('event_index')} as i`,
    values: [examined, seen, found].flatMap(({ values }) => values),
  }
}

/** The number of given ids that do not match. */
const mismatches = '(select count(*) from named where not is_match)'

/** The columns of {@link IndexedEvent}. */
export const indexedColumns = `id, type, project, environment, feature_name as feature, created_by_user_id as creator,
  substr(created_at, 1, 10) as day, change_request_id as request, created_at as createdAt`

/**
 * Selects the parts of a page: the ids of the range up to offset and limit (`ranged`), the given ids (`named`), and the ids of
 * the page in its order (`examined`). They are ids alone, because each part would copy the events themselves once more: a
 * page of 100 events took twice as long. `found` has the events of the page.
 */
function pageParts(names: Names, request: PageRequest) {
  const { filter, ids, range, limit, offset } = request
  const direction = request.forward ? 'asc' : 'desc'
  const events = names.table('events')
  const none: Sql = { text: 'select 0 as id where false', values: [] }
  const inside = range ? selectBetween(names, 'id', filter, range, sqliteFilter) : none
  // If the page counts all matches, it consists of the first of them.
  const counted = countsItsRange(request)
  const [matches, ranged] = counted ? [inside, { text: 'select id from matches', values: [] }] : [none, inside]
  const match = matchesFilter(names, filter, sqliteFilter)
  const text = `with matches as materialized (${matches.text}),
    ranged as materialized (select id from (${ranged.text} order by id ${direction} limit ?)),
    named as materialized (
      select id, ${match.text} as is_match from ${events} where id in (select value from json_each(?))),
    examined as materialized (
      select id from (select id from ranged union all select id from named where is_match)
      order by id ${direction} limit ? offset ?)`
  const values = [...matches.values, ...ranged.values, maxInRange(request), ...match.values, ids, limit, offset]
  const hit = hasText(filter, sqliteFilter)
  // SQLite keeps the order of a cross join.
  const found = { text: `examined cross join ${events} using (id) where ${hit.text}`, values: hit.values }
  return { examined: { text, values }, found }
}

function lastInRange({ forward }: PageRequest): string {
  return `select ${forward ? 'max' : 'min'}(id) from ranged`
}

function totalOf(names: Names, request: PageRequest): Sql {
  const { table } = names
  const { filter, total } = request
  if (total === undefined) return { text: '0', values: [] }
  if (countsItsRange(request)) {
    if (total.kind === 'counted') return { text: '(select count(*) from matches)', values: [] }
    const tallied = tallyTotal(names, total.tallies)
    return { text: `(${tallied.text}) + (select count(*) from matches where id > i.sealed_to)`, values: tallied.values }
  }
  const fits = conditions(names, filter, sqliteFilter)
  const events = `select 1 from ${table('events')}`
  if (total.kind === 'counted') {
    const { text, values } = where(events, [{ text: 'id > ?', values: [total.above] }, ...fits])
    return { text: `(select count(*) from (${text} limit ?))`, values: [...values, total.max] }
  }
  const { text, values } = where(events, [{ text: 'id > max(i.sealed_to, ?)', values: [total.above] }, ...fits])
  const tallied = tallyTotal(names, total.tallies)
  return { text: `(${tallied.text}) + (select count(*) from (${text}))`, values: [...tallied.values, ...values] }
}

/** Sums up tallies of the index. */
function tallyTotal({ table }: Names, { terms, range, scopes }: TallyQuery): Sql {
  const inRange = range === undefined ? sqliteFilter.among('term', 'text') : 'term between ? and ?'
  const values: Bound[] = range === undefined ? [terms] : [range.first, range.last]
  return {
    text: `select coalesce(sum(total), 0) from ${table('event_tallies')} as t
      where t.generation = i.generation and ${inRange} and ${sqliteFilter.among('scope', 'text')}`,
    values: [...values, scopes],
  }
}
