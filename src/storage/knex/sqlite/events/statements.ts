import type { KeptCount } from '../../postings/access'
import { countsItsRange, mostInRange, type PageRequest } from '../../postings/page-request'
import type { Names } from '../../shared/database'
import {
  type Bound,
  conditions,
  type FilterDialect,
  fitsFilter,
  hasText,
  type Sql,
  selectBetween,
  where,
} from '../../shared/event-filter'
import { indexHolds, stateColumns } from '../../shared/index-state'

export const sqliteFilter: FilterDialect = {
  among: (column) => `${column} in (select value from json_each(?))`,
  timestamp: '?',
  searchedText: `lower(coalesce(body ->> '$.data', '') || char(10) || coalesce(body ->> '$.preData', '') || char(10) || coalesce(body ->> '$.tags', ''))`,
  // Not with `like`, which a host may have made case-sensitive.
  mayHave: 'instr(lower(body), lower(?)) > 0',
  contains: (text) => `instr(${text}, lower(?)) > 0`,
}

/** Joins the events of `source`, which are in order, to one blob. */
export function servedFrom(source: string, grouped: boolean): string {
  const group = (name: string, column: string) =>
    `case when ${column} is null then '' else '"${name}":' || json_quote(${column}) || ',' end ||`
  const groups = grouped ? `${group('groupType', 'group_type')} ${group('groupId', 'group_id')}` : ''
  const event = `'{"id":' || id || ',' || ${groups} substr(body, 2)`
  return `select count(*) as count, cast(group_concat(${event}, ',' || char(10)) as blob) as json from (${source})`
}

/** A page, and what else is asked for, as one row: one snapshot. */
export function pageStatement(names: Names, request: PageRequest): Sql {
  const { looked, hit } = lookedAt(names, 'id, group_type, group_id, body', request)
  const total = totalOf(names, request)
  const seen = seenColumns(names, request)
  return {
    text: `${looked.text}
      select (select count(*) from ranged) as in_range, (${lastInRange(request)}) as last_in_range,
        ${total.text} as total, ${seen.text}, page.count, page.json
      from ${names.table('event_index')} as i, (${servedFrom(`select * from looked where ${hit.text}`, request.grouped)}) as page`,
    values: [looked, total, seen, hit].flatMap(({ values }) => values),
  }
}

/** How many events of a page there are. */
export function countStatement(names: Names, request: PageRequest): Sql {
  const { looked, hit } = lookedAt(names, request.filter.text === undefined ? 'id' : 'id, body', request)
  const seen = seenColumns(names, request)
  return {
    text: `${looked.text}
      select (select count(*) from ranged) as in_range, (${lastInRange(request)}) as last_in_range,
        ${seen.text}, (select count(*) from looked where ${hit.text}) as count
      from ${names.table('event_index')} as i`,
    values: [looked, seen, hit].flatMap(({ values }) => values),
  }
}

/** The columns of {@link toSeen}, beside the table of the index as `i` and the events with the ids as `named`. */
function seenColumns({ table }: Names, { index }: PageRequest): Sql {
  const holds = indexHolds(table('event_blocks'), index)
  return {
    text: `${stateColumns(table('event_blocks'))}, ${holds.text} as holds,
      (select count(*) from named where not fits) as unfit`,
    values: holds.values,
  }
}

/** The events of the range, up to offset and limit, those with one of the ids, and those of the page in its order. */
function lookedAt(names: Names, columns: string, request: PageRequest) {
  const { filter, ids, range, limit, offset } = request
  const direction = request.forward ? 'asc' : 'desc'
  const events = `select ${columns} from ${names.table('events')}`
  const none: Sql = { text: `${events} where false`, values: [] }
  const counted = countsItsRange(request)
  const inside = range ? selectBetween(names, counted ? 'id' : columns, filter, range, sqliteFilter) : none
  // Where all that match are counted, the page has the first of them.
  const matches = counted ? inside : none
  const fits = fitsFilter(names, filter, sqliteFilter)
  const ranged = counted
    ? { text: `${events} where id in (select id from matches order by id ${direction} limit ?)`, values: [] }
    : { text: `select * from (${inside.text} order by id ${direction} limit ?)`, values: inside.values }
  // Not with the events themselves: they would be copied once more.
  const text = `with matches as materialized (${matches.text}), ranged as materialized (${ranged.text}),
    named as materialized (
      select id, ${fits.text} as fits from ${names.table('events')} where id in (select value from json_each(?))),
    looked as materialized (
      select * from (select ${columns} from ranged union all ${events} where id in (select id from named where fits))
      order by id ${direction} limit ? offset ?)`
  const values = [...matches.values, ...ranged.values, mostInRange(request), ...fits.values, ids, limit, offset]
  return { looked: { text, values }, hit: hasText(filter, sqliteFilter) }
}

function lastInRange({ forward }: PageRequest): string {
  return `select ${forward ? 'max' : 'min'}(id) from ranged`
}

function totalOf(names: Names, request: PageRequest): Sql {
  const { table } = names
  const { filter, total } = request
  if (total === undefined) return { text: '0', values: [] }
  if (total.kind === 'log') {
    return {
      text: `coalesce((select total from ${table('event_counts')} where project = ?), 0)`,
      values: [total.project],
    }
  }
  if (countsItsRange(request)) {
    if (total.kind === 'counted') return { text: '(select count(*) from matches)', values: [] }
    const kept = keptTotal(names, total.count)
    return { text: `(${kept.text}) + (select count(*) from matches where id > i.sealed_to)`, values: kept.values }
  }
  const fits = conditions(names, filter, sqliteFilter)
  const events = `select 1 from ${table('events')}`
  if (total.kind === 'counted') {
    const { text, values } = where(events, [{ text: 'id > ?', values: [total.above] }, ...fits])
    return { text: `(select count(*) from (${text} limit ?))`, values: [...values, total.most] }
  }
  const { text, values } = where(events, [{ text: 'id > i.sealed_to', values: [] }, ...fits])
  const kept = keptTotal(names, total.count)
  return { text: `(${kept.text}) + (select count(*) from (${text}))`, values: [...kept.values, ...values] }
}

/** The sum of tallies of the index. */
function keptTotal({ table }: Names, { terms, range, scopes }: KeptCount): Sql {
  const inRange = range === undefined ? sqliteFilter.among('term', 'text') : 'term between ? and ?'
  const values: Bound[] = range === undefined ? [terms] : [range.first, range.last]
  return {
    text: `select coalesce(sum(total), 0) from ${table('event_tallies')} as t
      where t.generation = i.generation and ${inRange} and ${sqliteFilter.among('scope', 'text')}`,
    values: [...values, scopes],
  }
}
