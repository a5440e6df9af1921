import type { EventFilter } from '../../../../ports/storage/events'
import type { Names } from '../../database/database'
import type { TallyQuery } from '../../event-index/access'
import { seenColumns, type toSeen } from '../../event-index/index-state'
import {
  countsItsRange,
  type LogPageRequest,
  maxInRange,
  type PageRequest,
  type TotalRequest,
} from '../../event-index/page-request'
import {
  type Bound,
  conditions,
  type FilterDialect,
  hasText,
  type IdRange,
  matchesFilter,
  noId,
  type Sql,
  selectBetween,
  where,
} from '../../queries/event-filter'

export const postgresFilter: FilterDialect = {
  among: (column, type) => `${column} = any(?::${type}[])`,
  timestamp: '?::timestamptz',
  // Ignores the case of A to Z only, whatever the locale of the database.
  searchedText: `(select lower(concat_ws(E'\\n', data, "preData", tags) collate "C")
    from json_to_record(body::json) as searched(data text, "preData" text, tags text))`,
  mayHave: `position(lower(?::text collate "C") in lower(body collate "C")) > 0`,
  contains: (text) => `position(lower(?::text collate "C") in ${text}) > 0`,
}

const eventJson = (grouped: boolean) =>
  `',\n{"id":' || id || ',' ||${
    grouped
      ? ` coalesce('"groupType":' || to_json(group_type) || ',', '') || coalesce('"groupId":' || to_json(group_id) || ',', '') ||`
      : ''
  } right(body, -1)`

/**
 * A page of the log as rows of one column. It is not prepared by name: a prepared statement gets a generic plan, which was
 * 1.8 times slower.
 */
export function logPageStatement(names: Names, request: LogPageRequest) {
  return logEvents(names, `${eventJson(request.grouped)} as event`, request)
}

/** A small page of the log as rows of one column. The first row has the total instead of an event. */
export function logSearchStatement(names: Names, request: LogPageRequest) {
  const { text, values } = logEvents(names, `id, ${eventJson(request.grouped)}`, request)
  const total = `select total from ${names.table('event_counts')} where project = $${values.length + 1}::text`
  return {
    text: `select event from (
        select null::bigint as id, ',\n{"id":0,"total":' || coalesce((${total}), 0) || '}' as event
        union all (${text})
      ) as page order by id ${request.forward ? 'asc' : 'desc'} nulls first`,
    values: [...values, request.project ?? ''],
  }
}

const maxBigint = '9223372036854775807'

/**
 * With both bounds the planner also prefers the primary key when it does not know the values. For a project, the pair of
 * columns is compared as one value, so that only the index on both gives the order; with `project = $4` the planner may scan
 * the whole log instead. The value is in a subselect to hide it from the planner. Otherwise the planner would expect no rows
 * for the project that sorts first.
 */
function logEvents({ table }: Names, columns: string, { project, range, forward, limit }: LogPageRequest) {
  const direction = forward ? 'asc' : 'desc'
  const select = `select ${columns} from ${table('events')}`
  // An event with an unsafe id must cause an error, not be left out.
  const below = range.below === noId ? maxBigint : String(range.below)
  const values = [String(range.above), below, String(limit)]
  if (project === undefined) {
    return {
      text: `${select} where id > $1::bigint and id < $2::bigint order by id ${direction} limit $3::integer`,
      values,
    }
  }
  return {
    text: `${select}
      where (project, id) > ((select $4::text), $1::bigint) and (project, id) < ((select $4::text), $2::bigint)
      order by project ${direction}, id ${direction} limit $3::integer`,
    values: [...values, project],
  }
}

/**
 * A page as rows of one column. The first row is a {@link PageHead} instead of an event, so that everything is read in one
 * round trip and one snapshot.
 */
export function pageStatement(names: Names, request: PageRequest): Sql {
  const direction = request.forward ? 'asc' : 'desc'
  const { ranged, named, examined } = pageParts(names, 'id, group_type, group_id, body', request, direction)
  const seen = seenBy(names, request)
  const hit = hasText(request.filter, postgresFilter)
  const matches = matchesIn(names, request)
  const total = totalOf(names, request)
  return {
    text: `with matches as materialized (${matches.text}), ranged as materialized (${ranged.text}),
        named as materialized (${named.text}), examined as (${examined.text}), seen as (${seen.text})
      select event from (
        select null::bigint as id, ',\n{"id":0,"inRange":' || (select count(*) from ranged)
          || ',"lastInRange":' || coalesce((${lastInRange(request)}), 0) || ',"total":' || ${total.text}
          || ',"seen":' || (select row_to_json(seen) from seen) || '}' as event
        from ${indexRow(names)}
        union all
        select id, ${eventJson(request.grouped)} from examined where ${hit.text}
      ) as page order by id ${direction} nulls first`,
    values: [matches, ranged, named, examined, seen, total, hit].flatMap(({ values }) => values),
  }
}

/**
 * The only row of the state of the index, as `i`. Without its key, a Postgres that has never analysed the table expects some
 * 1,850 rows, and compiles every statement (JIT) that joins with them.
 */
export function indexRow({ table }: Pick<Names, 'table'>): string {
  return `${table('event_index')} as i where i.one = 1`
}

/** The first row of a page. */
export interface PageHead {
  readonly inRange: number
  readonly lastInRange: number
  readonly total: number
  readonly seen: Parameters<typeof toSeen>[0]
}

/** Counts the events of a page. */
export function countStatement(names: Names, request: PageRequest): Sql {
  const direction = request.forward ? 'asc' : 'desc'
  const hit = hasText(request.filter, postgresFilter)
  const columns = request.filter.query === undefined ? 'id' : 'id, body'
  const { ranged, named, examined } = pageParts(names, columns, request, direction)
  const seen = seenBy(names, request)
  return {
    text: `with ranged as materialized (${ranged.text}), named as materialized (${named.text}),
        examined as (${examined.text}), seen as (${seen.text})
      select (select count(*) from ranged) as in_range, (${lastInRange(request)}) as last_in_range,
        (select count(*) from examined where ${hit.text}) as count, seen.* from seen`,
    values: [ranged, named, examined, seen, hit].flatMap(({ values }) => values),
  }
}

/**
 * Selects the parts of a page: the events of the range up to offset and limit (`ranged`), the events with the given ids
 * (`named`), and the events of the page (`examined`).
 */
function pageParts(names: Names, columns: string, request: PageRequest, direction: string) {
  const { filter, ids, range, limit, offset } = request
  const none = { text: `select ${columns} from ${names.table('events')} where false`, values: [] }
  const ordered =
    range && (ofProject(names, columns, filter, range, direction) ?? byId(names, columns, filter, range, direction))
  const ranged =
    ordered &&
    (countsItsRange(request)
      ? newestOf(names, columns, request, direction)
      : { text: `${ordered.text} limit ?::bigint`, values: [...ordered.values, maxInRange(request)] })
  const match = matchesFilter(names, filter, postgresFilter)
  const named: Sql =
    ids.length === 0
      ? { text: 'select true as is_match where false', values: [] }
      : {
          text: `select ${columns}, ${match.text} as is_match from ${names.table('events')} where id = any(?::bigint[])`,
          values: [...match.values, ids],
        }
  const both = ids.length === 0 ? '' : `union all select ${columns} from named where is_match`
  const examined: Sql = {
    text: `select * from (select ${columns} from ranged ${both}) as parts order by id ${direction} limit ?::bigint offset ?::bigint`,
    values: [limit, offset],
  }
  return { ranged: ranged ?? none, named, examined }
}

function byId(names: Names, columns: string, filter: EventFilter, range: IdRange, direction: string): Sql {
  const { text, values } = selectBetween(names, columns, filter, range, postgresFilter)
  return { text: `${text} order by id ${direction}`, values }
}

/** The same for a filter of one project alone; undefined for any other. Compares pairs like {@link logEvents}. */
function ofProject(
  names: Names,
  columns: string,
  filter: EventFilter,
  { above, below }: IdRange,
  direction: string,
): Sql | undefined {
  const [project] = filter.projects ?? []
  if (project === undefined || conditions(names, filter, postgresFilter).length > 1) return undefined
  if (filter.projects?.length !== 1) return undefined
  return {
    text: `select ${columns} from ${names.table('events')}
      where (project, id) > ((select ?::text), ?::bigint) and (project, id) < ((select ?::text), ?::bigint)
      order by project ${direction}, id ${direction}`,
    values: [project, above, project, below],
  }
}

/** The columns of {@link toSeen}; reads from `named`. */
function seenBy(names: Names, request: PageRequest): Sql {
  const { text, values } = seenColumns(names, request, '(select count(*) from named where not is_match)')
  return { text: `select ${text} from ${indexRow(names)}`, values }
}

export const createdAt = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The columns of {@link IndexedEvent}. */
export const indexedColumns = `id, type, project, environment, feature_name as feature, created_by_user_id as creator,
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, change_request_id as request, ${createdAt} as "createdAt"`

/** The first matches of the page, by id. The total counts the same `matches`. */
function newestOf(names: Names, columns: string, request: PageRequest, direction: string): Sql {
  return {
    text: `select ${columns} from ${names.table('events')} where id = any(
      array(select id from matches order by id ${direction} limit ?::bigint))`,
    values: [maxInRange(request)],
  }
}

/** The matching ids of the range; none if the page does not count its range. */
function matchesIn(names: Names, request: PageRequest): Sql {
  if (request.range === undefined || !countsItsRange(request)) return { text: 'select 0 as id where false', values: [] }
  return selectBetween(names, 'id', request.filter, request.range, postgresFilter)
}

/** The last id of the range on this page; the range may have more. */
function lastInRange({ forward }: PageRequest): string {
  return `select ${forward ? 'max' : 'min'}(id) from ranged`
}

function totalOf(names: Names, request: PageRequest): Sql {
  const { filter, total } = request
  if (total === undefined) return { text: '0', values: [] }
  if (countsItsRange(request)) {
    if (total.kind === 'counted') return { text: '(select count(*) from matches)', values: [] }
    const tallied = tallyTotal(names, total.tallies)
    return { text: `(${tallied.text}) + (select count(*) from matches where id > i.sealed_to)`, values: tallied.values }
  }
  const { text, values } = where(`select 1 from ${names.table('events')}`, [
    afterIndex(total),
    ...conditions(names, filter, postgresFilter),
  ])
  if (total.kind === 'counted') {
    return { text: `(select count(*) from (${text} limit ?::bigint) as counted)`, values: [...values, total.max] }
  }
  const tallied = tallyTotal(names, total.tallies)
  return {
    text: `(${tallied.text}) + (select count(*) from (${text}) as counted)`,
    values: [...tallied.values, ...values],
  }
}

/** With a lower and an upper bound the planner expects few events, whatever the lower bound is. */
function afterIndex(total: TotalRequest): Sql {
  return total.kind === 'counted'
    ? { text: `id > ? and id < ${noId}`, values: [total.above] }
    : { text: `id > greatest(i.sealed_to, ?::bigint) and id < ${noId}`, values: [total.above] }
}

/** Sums up tallies of the index. */
function tallyTotal({ table }: Names, { terms, range, scopes }: TallyQuery): Sql {
  const inRange = range === undefined ? 'term = any(?::text[])' : 'term between ? and ?'
  const values: Bound[] = range === undefined ? [terms] : [range.first, range.last]
  return {
    text: `select coalesce(sum(total), 0) from ${table('event_tallies')} as t
      where t.generation = i.generation and ${inRange} and scope = any(?::text[])`,
    values: [...values, scopes],
  }
}

/** `$1`, `$2` … for each `?`. */
export function numbered(text: string): string {
  let position = 0
  return text.replaceAll('?', () => {
    position += 1
    return `$${position}`
  })
}

/** Formats a value for the protocol, where the driver does not do it. */
export function asText(value: Bound): string {
  if (!Array.isArray(value)) return String(value)
  return `{${value.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
