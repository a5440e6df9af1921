import type { EventCursor, EventFilter } from '../../../ports/storage/events'
import type { Names } from '../database/database'
import { joined, type Sql, sql } from '../database/sql'
import { allOf, type EventDialect, type IndexedPart, noId, type Source, sourcesOf } from './event-filter'

export interface PageRequest {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly offset: number
  readonly limit: number
  readonly grouped: boolean
  readonly examined: number
  /** The number of events to examine for the total; left out: no total. */
  readonly counted?: number
}

/** What a page statement returns next to the events. */
export interface PageHead {
  /** The number of matches found, at most {@link wantedOf} the request. */
  readonly matches: number
  /** The number of events on the page, before those without the text are left out, and the id of the last one. */
  readonly searched: number
  readonly lastId: number
  /** The last event that was examined; null if the page is complete or nothing is left. */
  readonly resume: number | null
  /** The stored number of all matches; null if there is none. */
  readonly stored: number | null
  /** Matches among the events that were examined for the total, and the number of these. */
  readonly hits: number
  readonly scanned: number
}

/** One more than the page needs: it shows whether anything is left. */
export function wantedOf({ offset, limit }: PageRequest): number {
  return offset + limit + 1
}

/** How many events of each source are looked at to find the one with the fewest. */
const probed = 100

export const headColumns = ['matches', 'searched', 'last_id', 'resume', 'stored', 'hits', 'scanned'] as const

/**
 * The start of a statement (`with …`) with the ids of a page as `page` and one row of {@link headColumns} as `head`.
 *
 * Events are found by one index on a column and the id, in the order of the page, and compared with the other conditions. Of
 * several indexes, the one is used in which the newest {@link probed} events reach back the furthest. The planner would need
 * statistics of both columns together for this choice, and would take a bitmap of each.
 *
 * @param chosen the place that {@link driverStatement} has found; left out: the statement makes the choice itself
 */
export function pageParts(names: Names, dialect: EventDialect, request: PageRequest, chosen?: number): Sql {
  const { filter, cursor, offset, limit, counted } = request
  const forward = 'after' in cursor
  const order = forward ? 'asc' : 'desc'
  const number = (value: number): Sql => ({ text: dialect.number, values: [value] })
  const bound = boundOf(dialect)
  // The planner must see that it is small, or the cost looks so high that Postgres compiles the statement (JIT). An offset has too
  // many values for that: each text is prepared.
  const visible = (value: number) => (offset === 0 ? sql`${String(value)}` : number(value))
  const events = names.table('events')
  const sources = sourcesOf(names, filter, dialect).filter((_, place) => chosen === undefined || place === chosen)
  const first = firstOf(events, dialect, order)
  const wanted = number(wantedOf(request))
  const isChosen = (place: number) => (sources.length === 1 ? 'true' : `(select place from driver) = ${place}`)

  const found = ({ parts, size, rest }: Source, place: number): Sql[] => {
    // Without other conditions each event is a match.
    const most = rest.length === 0 ? wanted : visible(Math.ceil(request.examined / Math.max(size, 1)))
    return parts.map((part) => {
      const scan = first(part, 'span', columnsOf(rest), sql`limit ${most}`)
      const ids = rest.length === 0 ? scan : sql`select id from (${scan}) as e where ${allOf(rest)} limit ${wanted}`
      const last = first(part, 'span', 'id', sql`limit 1 offset ${most} - 1`)
      const resume =
        rest.length === 0 ? sql`cast(null as bigint)` : sql`case when ${dialect.idCount} < ${wanted} then (${last}) end`
      return sql`select ids, ${resume} as resume
        from (select v.value, ${dialect.idList(ids)} as ids from ${part.each} where ${isChosen(place)} ${dialect.fence}) as v`
    })
  }

  const complete = forward
    ? `id <= coalesce((select min(resume) from found), ${noId})`
    : `id >= coalesce((select max(resume) from found), -1)`
  return sql`with whole as materialized (${wholeOf(names, filter, bound)}),
    span as materialized (${spanOf(dialect, cursor, bound)}),
    driver as materialized (${driverOf(names, dialect, sources)}),
    found as materialized (${joined(sources.flatMap(found), ' union all ')}),
    matched as materialized (
      select distinct id from (${dialect.idsIn('found')}) as f where ${complete} order by id ${order} limit ${wanted}
    ),
    page as materialized (select id from matched order by id ${order} limit ${number(limit)} offset ${number(offset)}),
    total as materialized (${counted === undefined ? noTotal : totalOf(counted)}),
    head as (select (select count(*) from matched) as matches, (select count(*) from page) as searched,
      coalesce((select ${forward ? 'max' : 'min'}(id) from page), 0) as last_id,
      (select ${forward ? 'min' : 'max'}(resume) from found) as resume, stored, hits, scanned from total)`

  function totalOf(most: number): Sql {
    const stored = storedTotal(names, dialect, filter)
    if (stored !== undefined) return sql`select coalesce((${stored}), 0) as stored, 0 as hits, 0 as scanned`
    const counts = joined(
      sources.map((source, place) => count(source, place, visible(most))),
      ' union all ',
    )
    return sql`select cast(null as bigint) as stored, sum(hits) as hits, sum(scanned) as scanned from (${counts}) as c`
  }

  /** Counts in no order, because the matches for several values would need a sort. */
  function count({ rest, parts }: Source, place: number, most: Sql): Sql {
    const columns = columnsOf(rest)
    const rows = parts.map((part) => {
      const matches = dialect.forEach(events, columns, part.column, most)
      return sql`select * from (select ${columns} from ${part.each} ${matches} where ${isChosen(place)} limit ${most}) as e`
    })
    // An event may be found by both parts of a history.
    const distinct = parts.length > 1 ? 'distinct ' : ''
    return sql`select count(${distinct}id) filter (where ${allOf(rest)}) as hits, count(*) as scanned
      from (${joined(rows, ' union all ')}) as e`
  }
}

/** An event with an unsafe id must cause an error, not be left out. */
function boundOf({ number, lastId }: EventDialect): (id: number) => Sql {
  return (id) => ({ text: number, values: [id === noId ? lastId : id] })
}

/** The first events of a part with its value. */
function firstOf(events: string, dialect: EventDialect, order: 'asc' | 'desc') {
  return ({ column }: IndexedPart, range: string, columns: string, limits: Sql) =>
    sql`select ${columns} from ${events} where ${dialect.inRange(column, range)}
      order by ${column === undefined || column === 'id' ? '' : `${column} ${order}, `}id ${order} ${limits}`
}

/** Selects the place of the source to use, with the range in a table `whole`. */
function driverOf({ table }: Names, dialect: EventDialect, sources: readonly Source[]): Sql {
  const first = firstOf(table('events'), dialect, 'desc')
  const probes = sources.map(({ size, parts }, place) => {
    const limits = sql`limit 1 offset ${String(Math.ceil(probed / Math.max(size, 1)))}`
    const edges = parts.map((part) => sql`select (${first(part, 'whole', 'id', limits)}) as edge from ${part.each}`)
    return sql`select ${String(place)} as place, (select max(edge) from (${joined(edges, ' union all ')}) as edges) as edge`
  })
  return sql`select place from (${joined(probes, ' union all ')}) as p order by edge ${dialect.nullsFirst}, place limit 1`
}

/**
 * Selects the place of the source to use, for {@link pageParts}; undefined if there is only one. SQLite copies a `with` into each
 * place that uses it, and since release 3.54 it rejects a statement that has 1,000 tables then.
 */
export function driverStatement(names: Names, dialect: EventDialect, filter: EventFilter): Sql | undefined {
  const sources = sourcesOf(names, filter, dialect)
  if (sources.length === 1) return undefined
  return sql`with whole as materialized (${wholeOf(names, filter, boundOf(dialect))}) ${driverOf(names, dialect, sources)}`
}

const noTotal = sql`select cast(null as bigint) as stored, 0 as hits, 0 as scanned`

function columnsOf(rest: Source['rest']): string {
  return [...new Set(['id', ...rest.flatMap(({ columns }) => columns)])].join(', ')
}

/** The ids that the days of the filter have: they are stored, because the times of events need not be in the order of ids. */
function wholeOf(names: Names, { from, to }: EventFilter, bound: (id: number) => Sql): Sql {
  if (from === undefined && to === undefined) return sql`select ${bound(-1)} as above, ${bound(noId)} as below`
  const [first, last] = [from, to].map((time) => time?.slice(0, 'yyyy-mm-dd'.length))
  const days = (value: string): Sql => ({
    text: `(select ${value} from ${names.table('event_tallies')} where project = '' and term >= ? and term <= ?)`,
    values: [`day:${first ?? ''}`, `day:${last ?? '~'}`],
  })
  return sql`select coalesce(${days('min(first_id)')} - 1, ${bound(noId)}) as above, coalesce(${days('max(last_id)')} + 1, -1) as below`
}

function spanOf({ greatest, least }: EventDialect, cursor: EventCursor, bound: (id: number) => Sql): Sql {
  if ('after' in cursor) return sql`select ${greatest}(above, ${bound(cursor.after)}) as above, below from whole`
  return sql`select above, ${least}(below, ${bound(cursor.before)}) as below from whole`
}

/** The number of events of the log or of projects; undefined for any other filter. */
function storedTotal({ table }: Names, { among }: EventDialect, filter: EventFilter): Sql | undefined {
  const { projects, query: _, ...others } = filter
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const counts = `select sum(total) from ${table('event_counts')} where`
  if (projects === undefined) return sql`${counts} project = ''`
  return { text: `${counts} project <> '' and ${among('project', 'text')}`, values: [projects] }
}

/**
 * Finds the last of the newest events that an offset skips. Days are skipped as a whole, by their stored numbers of events; those
 * that share ids count as one, because the clocks of two processes differ. In a day without gaps, the id follows from the number of
 * events left to skip; in others, only the index is read.
 */
export function skipStatement(
  { table }: Names,
  { number }: EventDialect,
  project: string | undefined,
  offset: number,
): Sql {
  const day = `select first_id, last_id, total, ${number} - skipped as left_over from (
      select first_id, last_id, total, coalesce(sum(total) over newer, 0) as skipped, min(first_id) over newer as above
      from ${table('event_tallies')} where project = ? and term > 'day:' and term < 'day;'
      window newer as (order by last_id desc rows between unbounded preceding and 1 preceding)
    ) as d where skipped < ${number} and last_id < coalesce(above, ${noId}) order by skipped desc limit 1`
  const [inProject, order] = project === undefined ? ['', ''] : ['project = ? and ', 'project desc, ']
  const text = `with day as materialized (${day})
    select coalesce(
      (select last_id + 1 - left_over from day where total = last_id + 1 - first_id and left_over <= total),
      (select id from ${table('events')} where ${inProject}id <= (select last_id from day)
        order by ${order}id desc limit 1 offset (select left_over - 1 from day))
    ) as id from day`
  const scope = project === undefined ? [] : [project]
  return { text, values: [offset, project ?? '', offset, ...scope] }
}
