import type { EventCount, EventCursor, EventFilter } from '../../../ports/storage'
import { type Names, safeInteger } from './database'

/** The times of this many events may be out of order, because the clocks of processes differ. */
export const timeSlack = 10_000

type Bound = string | number | readonly string[] | readonly number[]

/** A piece of SQL with a `?` for each of its values. */
export interface Sql {
  readonly text: string
  readonly values: readonly Bound[]
}

/** The SQL of a database for the parts of a filter. */
export interface FilterDialect {
  /** A condition that takes one list as its value. */
  among(column: string, type: 'text' | 'bigint'): string
  readonly timestamp: string
  /** Whether to give the database the ids near a time, because it does not know that ids and times increase together. */
  readonly boundsTimes: boolean
  /** The text of `data`, `preData` and `tags` of an event, with A to Z in lower case. */
  readonly searchedText: string
  /** A condition that takes a text: it occurs somewhere in the body. Fast, and without false negatives. */
  readonly mayHave: string
  /** A condition that takes a text: it occurs in the given one. */
  contains(text: string): string
  /** The table expression `related`: the matching events of the change requests whose ids a select returns as `request`. */
  eventsOf(requests: string, events: string, fit: string): string
}

/** The conditions of the filter, without its text and its history. */
function conditions(filter: EventFilter, { among, timestamp }: FilterDialect): Sql[] {
  const { projects, features, ids, types, environments, createdBy, groupIds, from, to } = filter
  const found: Sql[] = []
  const must = (text: string, value: Bound) => found.push({ text, values: [value] })
  const oneOf = (column: string, type: 'text' | 'bigint', list: readonly (string | number)[] | undefined) => {
    // A single value is compared with =, so that the planner can estimate its rows.
    if (list?.length === 1) must(`${column} = ?`, list[0] as string | number)
    else if (list !== undefined) must(among(column, type), list as Bound)
  }
  oneOf('id', 'bigint', ids)
  oneOf('group_id', 'text', groupIds)
  oneOf('feature_name', 'text', features)
  oneOf('created_by_user_id', 'bigint', createdBy)
  oneOf('type', 'text', types)
  oneOf('environment', 'text', environments)
  oneOf('project', 'text', projects)
  if (from !== undefined) must(`created_at >= ${timestamp}`, from)
  if (to !== undefined) must(`created_at < ${timestamp}`, to)
  return found
}

export interface EventQuery {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  /** A further condition, such as a part of the log. */
  readonly also?: Sql
  readonly limit: number
}

/** The events that match everything but the text, next to the cursor and in its order, as a select without parentheses. */
export function selectEvents({ table }: Names, columns: string, query: EventQuery, dialect: FilterDialect): Sql {
  const { filter, cursor, also, limit } = query
  const forward = 'after' in cursor
  const position = { text: `id ${forward ? '>' : '<'} ?`, values: [forward ? cursor.after : cursor.before] }
  const events = table('events')
  const start = dialect.boundsTimes ? startOfTimes(events, filter, forward, dialect) : []
  const every = [...conditions(filter, dialect), position, ...start, ...(also === undefined ? [] : [also])]
  const order = `order by id ${forward ? 'asc' : 'desc'} limit ?`
  if (filter.history === undefined) return join(`select ${columns} from ${events} where`, every, order, [limit])

  const { features, subjects } = filter.history
  const named = one('feature_name', features, dialect)
  const subject = one('subject', subjects, dialect)
  const byName = join(`select ${columns} from ${events} where`, [named, ...every], order, [limit])
  const unnamed = { text: `(feature_name is null or not ${named.text})`, values: named.values }
  const requests = `select distinct cast(change_request_id as text) as request
    from ${table('change_request_subjects')} where ${subject.text}`
  const fit = join('', [unnamed, ...every], '', [])
  const byRequest = {
    text: `select related.${columns} from ${dialect.eventsOf(requests, events, fit.text)} ${order}`,
    values: [...subject.values, ...fit.values, limit],
  }
  return {
    text: `select * from (${byName.text}) as by_name union all select * from (${byRequest.text}) as by_request ${order}`,
    values: [...byName.values, ...byRequest.values, limit],
  }
}

/** A single value is compared with =, so that the index on it gives the order as well. */
function one(column: string, list: readonly string[], { among }: FilterDialect): Sql {
  const [value = ''] = list
  return list.length === 1
    ? { text: `${column} = ?`, values: [value] }
    : { text: among(column, 'text'), values: [list] }
}

/** The position of the first event of the time range, so that no scan starts at the other end of the log. */
function startOfTimes(
  events: string,
  { from, to }: EventFilter,
  forward: boolean,
  { timestamp }: FilterDialect,
): Sql[] {
  const bound = forward ? from : to
  if (bound === undefined) return []
  const [beyond, extreme, side, direction] = forward ? ['>=', 'min', '>=', 'asc'] : ['<=', 'max', '<', 'desc']
  const near = `select id from ${events} where created_at ${side} ${timestamp} order by created_at ${direction} limit ${timeSlack}`
  return [{ text: `id ${beyond} (select ${extreme}(id) from (${near}) as near)`, values: [bound] }]
}

/** The condition of the text, for events from {@link selectEvents}; true for a filter without one. */
export function hasText({ text }: EventFilter, { searchedText, mayHave, contains }: FilterDialect): Sql {
  if (text === undefined) return { text: 'true', values: [] }
  // The whole body first: that needs no parsing, and most events do not contain the text at all.
  return { text: `(${mayHave} and ${contains(searchedText)})`, values: [text, text] }
}

/** The columns that {@link countEvents} needs. */
export function columnsToCount({ text }: EventFilter): string {
  return text === undefined ? 'id' : '*'
}

/** How far a read reached, and how many of the examined events have the text. */
export function countEvents(looked: Sql, filter: EventFilter, cursor: EventCursor, dialect: FilterDialect): Sql {
  const hit = hasText(filter, dialect)
  return {
    text: `select count(*) as searched, ${'after' in cursor ? 'max' : 'min'}(id) as last_id,
        count(*) filter (where ${hit.text}) as count from (${looked.text}) as looked`,
    values: [...hit.values, ...looked.values],
  }
}

/** The count in a row. */
export function toCount(row: { count: unknown; searched: unknown; last_id: unknown }): EventCount {
  return { count: safeInteger(row.count), searched: safeInteger(row.searched), lastId: safeInteger(row.last_id ?? 0) }
}

function join(start: string, conditions: readonly Sql[], end: string, endValues: readonly Bound[]): Sql {
  return {
    text: `${start} ${conditions.map(({ text }) => text).join(' and ')} ${end}`,
    values: [...conditions.flatMap(({ values }) => values), ...endValues],
  }
}
