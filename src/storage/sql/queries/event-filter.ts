import { type EventCursor, type EventFilter, givenLists, isInstant } from '../../../ports/storage/events'
import type { Names } from '../database/database'

export type Bound = string | number | readonly string[] | readonly number[]

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
  /** The text of `data`, `preData` and `tags` of an event, with A to Z in lower case. */
  readonly searchedText: string
  /** A condition that takes a text: it occurs somewhere in the body. Fast, and without false negatives. */
  readonly mayHave: string
  /** A condition that takes a text: it occurs in the given one. */
  contains(text: string): string
}

/** The conditions of the filter, without its text. */
export function conditions({ table }: Names, filter: EventFilter, { among, timestamp }: FilterDialect): Sql[] {
  const found: Sql[] = []
  const must = (text: string, ...values: Bound[]) => found.push({ text, values })
  for (const { column, type, values } of givenLists(filter)) {
    const name = column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    // A single value is compared with =, so that the planner can estimate its rows.
    if (values.length === 1) must(`${name} = ?`, values[0] as string | number)
    else must(among(name, type === 'number' ? 'bigint' : 'text'), values as Bound)
  }
  const { from, to, history } = filter
  if (from !== undefined) must(`created_at >= ${timestamp}`, isInstant(from) ? from : `${from}T00:00:00.000Z`)
  if (to !== undefined && isInstant(to)) must(`created_at < ${timestamp}`, to)
  else if (to !== undefined) must(`created_at <= ${timestamp}`, `${to}T23:59:59.999Z`)
  if (history !== undefined) {
    const requests = `select change_request_id from ${table('change_request_subjects')} where ${among('subject', 'text')}`
    must(`(${among('feature_name', 'text')} or change_request_id in (${requests}))`, history.features, history.subjects)
  }
  return found
}

/** All conditions of the filter except its text, as one condition that is never null. */
export function matchesFilter(names: Names, filter: EventFilter, dialect: FilterDialect): Sql {
  const all = conditions(names, filter, dialect)
  if (all.length === 0) return { text: 'true', values: [] }
  return { text: `(${all.map(({ text }) => text).join(' and ')}) is true`, values: all.flatMap(({ values }) => values) }
}

/** Selects the events between two ids that match everything except the text, without an order. */
export function selectBetween(
  names: Names,
  columns: string,
  filter: EventFilter,
  { above, below }: IdRange,
  dialect: FilterDialect,
): Sql {
  const position = { text: 'id > ? and id < ?', values: [above, below] }
  return where(`select ${columns} from ${names.table('events')}`, [position, ...conditions(names, filter, dialect)])
}

/** A range of ids; both bounds are excluded. */
export interface IdRange {
  readonly above: number
  readonly below: number
}

/** The ids after or before a cursor. */
export function rangeOf(cursor: EventCursor): IdRange {
  return 'after' in cursor ? { above: cursor.after, below: noId } : { above: -1, below: cursor.before }
}

/** Above all ids. */
export const noId = Number.MAX_SAFE_INTEGER

/** The condition of the text; true for a filter without one. */
export function hasText({ query }: EventFilter, { searchedText, mayHave, contains }: FilterDialect): Sql {
  if (query === undefined) return { text: 'true', values: [] }
  // Search the whole body first: this needs no parsing, and most events do not contain the text.
  return { text: `(${mayHave} and ${contains(searchedText)})`, values: [query, query] }
}

export function where(select: string, conditions: readonly Sql[]): Sql {
  return {
    text: `${select} where ${conditions.map(({ text }) => text).join(' and ')}`,
    values: conditions.flatMap(({ values }) => values),
  }
}
