import type { EventCursor } from '../../../../ports/storage/events'
import type { KeptCount } from '../../postings/access'
import { countsItsRange, mostInRange, type PageRequest, type TotalRequest } from '../../postings/page-request'
import type { Names } from '../../shared/database'
import {
  type Bound,
  conditions,
  type FilterDialect,
  fitsFilter,
  hasText,
  noId,
  type Sql,
  selectBetween,
  where,
} from '../../shared/event-filter'
import { indexHolds, stateColumns, type toSeen } from '../../shared/index-state'

export const postgresFilter: FilterDialect = {
  among: (column, type) => `${column} = any(?::${type}[])`,
  timestamp: '?::timestamptz',
  // Ignores the case of A to Z only, whatever the locale of the database.
  searchedText: `(select lower(concat_ws(E'\\n', data, "preData", tags) collate "C")
    from json_to_record(body::json) as searched(data text, "preData" text, tags text))`,
  mayHave: `position(lower(?::text collate "C") in lower(body collate "C")) > 0`,
  contains: (text) => `position(lower(?::text collate "C") in ${text}) > 0`,
}

const served = (grouped: boolean) =>
  `',\n{"id":' || id || ',' ||${
    grouped
      ? ` coalesce('"groupType":' || to_json(group_type) || ',', '') || coalesce('"groupId":' || to_json(group_id) || ',', '') ||`
      : ''
  } right(body, -1)`

/**
 * A page of the log as rows of one column, sent unnamed on purpose: prepared by name it turns to a generic plan, which was
 * 1.8 times slower. A pair of columns is compared as one, so that only the index on it gives the order: by
 * `project = $3` the planner may walk the whole log instead. The value is hidden from the planner in a select: of the
 * first project by name it would expect no row, and of partitions it would then sort all that there is.
 */
export function logPageStatement(
  { table }: Names,
  project: string | undefined,
  cursor: EventCursor,
  limit: number,
  grouped: boolean,
) {
  const forward = 'after' in cursor
  const [beyond, direction] = forward ? ['>', 'asc'] : ['<', 'desc']
  const values = [String(forward ? cursor.after : cursor.before), String(limit)]
  const select = `select ${served(grouped)} as event from ${table('events')}`
  if (project === undefined) {
    return { text: `${select} where id ${beyond} $1::bigint order by id ${direction} limit $2::integer`, values }
  }
  return {
    text: `${select}
      where (project, id) ${beyond} ((select $3::text), $1::bigint) and project ${forward ? '<=' : '>='} (select $3::text)
      order by project ${direction}, id ${direction} limit $2::integer`,
    values: [...values, project],
  }
}

/**
 * A page as rows of one column. The first row is no event, but what {@link PageHead} says, so that all of it is one
 * round trip and one snapshot.
 */
export function pageStatement(names: Names, request: PageRequest): Sql {
  const direction = request.forward ? 'asc' : 'desc'
  const { ranged, named, looked } = lookedAt(names, 'id, group_type, group_id, body', request, direction)
  const seen = seenBy(names, request)
  const hit = hasText(request.filter, postgresFilter)
  const matches = matchesIn(names, request)
  const total = totalOf(names, request)
  return {
    text: `with matches as materialized (${matches.text}), ranged as materialized (${ranged.text}),
        named as materialized (${named.text}), looked as (${looked.text}), seen as (${seen.text})
      select event from (
        select null::bigint as id, ',\n{"id":0,"inRange":' || (select count(*) from ranged)
          || ',"lastInRange":' || coalesce((${lastInRange(request)}), 0) || ',"total":' || ${total.text}
          || ',"seen":' || (select row_to_json(seen) from seen) || '}' as event
        from ${names.table('event_index')} as i
        union all
        select id, ${served(request.grouped)} from looked where ${hit.text}
      ) as answer order by id ${direction} nulls first`,
    values: [matches, ranged, named, looked, seen, total, hit].flatMap(({ values }) => values),
  }
}

/** The row that a page begins with. */
export interface PageHead {
  readonly inRange: number
  readonly lastInRange: number
  readonly total: number
  readonly seen: Parameters<typeof toSeen>[0]
}

/** How many events of a page there are. */
export function countStatement(names: Names, request: PageRequest): Sql {
  const direction = request.forward ? 'asc' : 'desc'
  const hit = hasText(request.filter, postgresFilter)
  const columns = request.filter.text === undefined ? 'id' : 'id, body'
  const { ranged, named, looked } = lookedAt(names, columns, request, direction)
  const seen = seenBy(names, request)
  return {
    text: `with ranged as materialized (${ranged.text}), named as materialized (${named.text}),
        looked as (${looked.text}), seen as (${seen.text})
      select (select count(*) from ranged) as in_range, (${lastInRange(request)}) as last_in_range,
        (select count(*) from looked where ${hit.text}) as count, seen.* from seen`,
    values: [ranged, named, looked, seen, hit].flatMap(({ values }) => values),
  }
}

/** The events of the range, up to offset and limit, those with one of the ids, and those of the page. */
function lookedAt(names: Names, columns: string, request: PageRequest, direction: string) {
  const { filter, ids, range, limit, offset } = request
  const none = { text: `select ${columns} from ${names.table('events')} where false`, values: [] }
  const inside = range && selectBetween(names, columns, filter, range, postgresFilter)
  const ranged =
    inside &&
    (countsItsRange(request)
      ? newestOf(names, columns, request, direction)
      : {
          text: `${inside.text} order by id ${direction} limit ?::bigint`,
          values: [...inside.values, mostInRange(request)],
        })
  const fits = fitsFilter(names, filter, postgresFilter)
  const named: Sql =
    ids.length === 0
      ? { text: 'select true as fits where false', values: [] }
      : {
          text: `select ${columns}, ${fits.text} as fits from ${names.table('events')} where id = any(?::bigint[])`,
          values: [...fits.values, ids],
        }
  const both = ids.length === 0 ? '' : `union all select ${columns} from named where fits`
  const looked: Sql = {
    text: `select * from (select ${columns} from ranged ${both}) as parts order by id ${direction} limit ?::bigint offset ?::bigint`,
    values: [limit, offset],
  }
  return { ranged: ranged ?? none, named, looked }
}

/** The columns of {@link toSeen}, beside the events with the ids as `named`. */
function seenBy({ table }: Names, { index }: PageRequest): Sql {
  const holds = indexHolds(table('event_blocks'), index)
  return {
    text: `select ${stateColumns(table('event_blocks'))}, ${holds.text} as holds,
      (select count(*) from named where not fits) as unfit from ${table('event_index')} as i`,
    values: holds.values,
  }
}

/** By the ids of all that match, which the total counts as well. */
function newestOf(names: Names, columns: string, request: PageRequest, direction: string): Sql {
  return {
    text: `select ${columns} from ${names.table('events')} where id = any(
      array(select id from matches order by id ${direction} limit ?::bigint))`,
    values: [mostInRange(request)],
  }
}

/** The ids that match in the range, where they are also counted. */
function matchesIn(names: Names, request: PageRequest): Sql {
  if (request.range === undefined || !countsItsRange(request)) return { text: 'select 0 as id where false', values: [] }
  return selectBetween(names, 'id', request.filter, request.range, postgresFilter)
}

/** The last one that the page has: it may have fewer than the range. */
function lastInRange({ forward }: PageRequest): string {
  return `select ${forward ? 'max' : 'min'}(id) from ranged`
}

function totalOf(names: Names, request: PageRequest): Sql {
  const { table } = names
  const { filter, total } = request
  if (total === undefined) return { text: '0', values: [] }
  if (total.kind === 'log') {
    const text = `coalesce((select total from ${table('event_counts')} where project = ?::text), 0)`
    return { text, values: [total.project] }
  }
  if (countsItsRange(request)) {
    if (total.kind === 'counted') return { text: '(select count(*) from matches)', values: [] }
    const kept = keptTotal(names, total.count)
    return { text: `(${kept.text}) + (select count(*) from matches where id > i.sealed_to)`, values: kept.values }
  }
  const { text, values } = where(`select 1 from ${table('events')}`, [
    behind(total),
    ...conditions(names, filter, postgresFilter),
  ])
  if (total.kind === 'counted') {
    return { text: `(select count(*) from (${text} limit ?::bigint) as counted)`, values: [...values, total.most] }
  }
  const kept = keptTotal(names, total.count)
  return { text: `(${kept.text}) + (select count(*) from (${text}) as counted)`, values: [...kept.values, ...values] }
}

/** With two bounds the planner expects few of them, whatever the first one is. */
function behind(total: TotalRequest): Sql {
  return total.kind === 'counted'
    ? { text: `id > ? and id < ${noId}`, values: [total.above] }
    : { text: `id > i.sealed_to and id < ${noId}`, values: [] }
}

/** The sum of tallies of the index. */
function keptTotal({ table }: Names, { terms, range, scopes }: KeptCount): Sql {
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

/** A value as the protocol wants it where the driver does not do it. */
export function asText(value: Bound): string {
  if (!Array.isArray(value)) return String(value)
  return `{${value.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
