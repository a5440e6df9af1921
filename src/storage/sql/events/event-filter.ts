import { type EventFilter, givenLists, isInstant } from '../../../ports/storage/events'
import type { Names } from '../database/database'
import { type Bound, joined, type Sql, sql } from '../database/sql'

export interface EventDialect {
  /** A condition that takes one list as its value. */
  among(column: string, type: 'text' | 'bigint'): string
  readonly timestamp: string
  /**
   * Rewrites a condition on a column so that another index answers it for the event `e`. Where it is absent, the row is read:
   * SQLite reads each row from another page of the file.
   */
  byIndex?(events: string, index: string, condition: string): string
  /** The text of `data`, `preData` and `tags` of an event, with A to Z in lower case. */
  readonly searchedText: string
  /** A condition that takes a text: it occurs somewhere in the body. Fast, and without false negatives. */
  readonly mayHave: string
  /** A condition that takes a text: it occurs in the given one. */
  contains(text: string): string
  /** A number. The planner must not see it: a plan for one value would not serve the next. */
  readonly number: string
  /** Above all ids that the database can store. */
  readonly lastId: Bound
  /** The rows of a list of values, as `v` with the column `value`. */
  each(type: 'text' | 'bigint', isOne: boolean): string
  /** The ids of a query as one value, and their number. */
  idList(query: Sql): Sql
  readonly idCount: string
  /** Selects the ids of all lists in the column `ids` of a table. */
  idsIn(table: string): string
  /** The condition that a column, if any, has the value of {@link each}, and the id is in a range. */
  inRange(column: string | undefined, range: string): string
  /** Joins {@link each} with the rows {@link inRange} of `whole`, at most `limit` for each value. */
  forEach(events: string, columns: string, column: string | undefined, limit: Sql): Sql
  /** A text column as a value that `->>` reads from. */
  json(column: string): string
  /** The items of a JSON array, as `v` with the column `value`. */
  readonly eachJson: string
  /** The day of a time, UTC: `yyyy-mm-dd`. */
  dayOf(time: string): string
  /** Keeps the planner from computing a column of a subquery twice. */
  readonly fence: string
  readonly greatest: string
  readonly least: string
  readonly nullsFirst: string
}

interface Condition extends Sql {
  readonly columns: readonly string[]
}

/** The conditions of the filter, without its text. */
export function conditions({ table, index }: Names, filter: EventFilter, dialect: EventDialect): Condition[] {
  const { among, timestamp, byIndex } = dialect
  const found: Condition[] = []
  const must = (columns: readonly string[], text: string, ...values: Bound[]) => found.push({ columns, text, values })
  for (const { column, type, values } of givenLists(filter)) {
    const name = columnName(column)
    // A single value is compared with =, so that the planner can estimate its rows.
    const isOne = values.length === 1
    const text = isOne ? `${name} = ?` : among(name, type === 'number' ? 'bigint' : 'text')
    const bound = isOne ? (values[0] as string | number) : (values as Bound)
    if (byIndex === undefined || name === 'id') must([name], text, bound)
    else must([], byIndex(table('events'), index(name === 'group_id' ? 'events_group' : `events_${name}`), text), bound)
  }
  const { from, to, history } = filter
  const time = ['created_at']
  if (from !== undefined) must(time, `created_at >= ${timestamp}`, isInstant(from) ? from : `${from}T00:00:00.000Z`)
  if (to !== undefined && isInstant(to)) must(time, `created_at < ${timestamp}`, to)
  else if (to !== undefined) must(time, `created_at <= ${timestamp}`, `${to}T23:59:59.999Z`)
  if (history !== undefined) {
    const requests = `select change_request_id from ${table('change_request_subjects')} where ${among('subject', 'text')}`
    const text = `(${among('feature_name', 'text')} or change_request_id in (${requests}))`
    must(['feature_name', 'change_request_id'], text, history.features, history.subjects)
  }
  return found
}

/** Ids of events are found by an index on this column and the id, for each of these values. */
export interface IndexedPart {
  /** Undefined for the whole log, which the primary key has in order. */
  readonly column?: string
  readonly each: Sql
}

/** One way to find all matches: by an index, and then by the conditions that the index does not have. */
export interface Source {
  readonly parts: readonly IndexedPart[]
  readonly size: number
  readonly rest: readonly Condition[]
}

/** The ways to find the matches of a filter: by each of its lists. */
export function sourcesOf(names: Names, filter: EventFilter, dialect: EventDialect): Source[] {
  const { history, query: _, ...others } = filter
  const restWithout = (name: keyof EventFilter) =>
    conditions(names, { ...others, ...(history && { history }), [name]: undefined }, dialect)
  const sources: Source[] = givenLists(filter).map(({ name, column, type, values }) => {
    const unique = [...new Set(values)]
    const each = {
      text: dialect.each(type === 'number' ? 'bigint' : 'text', unique.length === 1),
      values: [unique as Bound],
    }
    return { parts: [{ column: columnName(column), each }], size: unique.length, rest: restWithout(name) }
  })
  if (history !== undefined) {
    const { features, subjects } = history
    const requests = `(select distinct change_request_id as value from ${names.table('change_request_subjects')}
      where ${dialect.among('subject', 'text')}) as v`
    const parts = [
      { column: 'feature_name', each: { text: dialect.each('text', features.length === 1), values: [features] } },
      { column: 'change_request_id', each: { text: requests, values: [subjects] } },
    ]
    // The number of change requests is unknown.
    sources.push({ parts, size: features.length + subjects.length, rest: restWithout('history') })
  }
  if (sources.length > 0) return sources
  return [{ parts: [{ each: sql`(select 1 as value) as v` }], size: 1, rest: conditions(names, filter, dialect) }]
}

function columnName(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Above all ids. */
export const noId = Number.MAX_SAFE_INTEGER

/** The condition of the text; true for a filter without one. */
export function hasText({ query }: EventFilter, { searchedText, mayHave, contains }: EventDialect): Sql {
  if (query === undefined) return sql`true`
  // Search the whole body first: this needs no parsing, and most events do not contain the text.
  return { text: `(${mayHave} and ${contains(searchedText)})`, values: [query, query] }
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : joined(conditions, ' and ')
}
