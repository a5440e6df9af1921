import type {
  EventCount,
  EventCreator,
  EventCursor,
  EventFilter,
  EventHead,
  EventPage,
  EventScope,
} from '../../../ports/storage'
import { type Names, safeInteger } from '../shared/database'
import { changeRequestIdOf, isAboutChangeRequest } from '../shared/event-expressions'
import {
  columnsToCount,
  countEvents,
  type FilterDialect,
  hasText,
  type Sql,
  selectEvents,
  toCount,
} from '../shared/event-filter'

export const postgresFilter: FilterDialect = {
  among: (column, type) => `${column} = any(?::${type}[])`,
  timestamp: '?::timestamptz',
  boundsTimes: true,
  // By the letters A to Z alone, whatever the locale of the database.
  searchedText: `(select lower(concat_ws(E'\\n', data, "preData", tags) collate "C")
    from json_to_record(body::json) as searched(data text, "preData" text, tags text))`,
  mayHave: `position(lower(?::text collate "C") in lower(body collate "C")) > 0`,
  contains: (text) => `position(lower(?::text collate "C") in ${text}) > 0`,
  // The planner would rather look through the whole log for events of these change requests, were it not for the offset.
  eventsOf: (requests, events, fit) => `(${requests}) as touching cross join lateral (
    select * from ${events} where ${changeRequestIdOf.postgres} = request and ${isAboutChangeRequest} and ${fit} offset 0
  ) as told`,
}

const served = (grouped: boolean) =>
  `',\n{"id":' || id || ',' ||${
    grouped
      ? ` coalesce('"groupType":' || to_json(group_type) || ',', '') || coalesce('"groupId":' || to_json(group_id) || ',', '') ||`
      : ''
  } right(body, -1)`

/**
 * A page of events as rows of one column, sent unnamed on purpose: prepared by name it turns to a generic plan, which was
 * 1.8 times slower. A pair of columns is compared as one, so that only the index on it gives the order: by
 * `project = $3` the planner may walk the whole log instead. The value is hidden from the planner in a select: of the
 * first project by name it would expect no row, and of partitions it would then sort all that there is.
 */
function pageStatement(names: Names, { filter, cursor, limit, grouped = false }: PageRequest, also?: Sql) {
  const single = singleColumn(filter)
  if (single === undefined) {
    const { text, values } = selectEvents(names, '*', { filter, cursor, limit, ...(also && { also }) }, postgresFilter)
    return { text: numbered(`select ${served(grouped)} as event from (${text}) as page`), values: values.map(asText) }
  }
  const forward = 'after' in cursor
  const { column, value } = single
  const [beyond, direction] = forward ? ['>', 'asc'] : ['<', 'desc']
  return {
    text: `select ${served(grouped)} as event from ${names.table('events')}
      where (${column}, id) ${beyond} ((select $3::text), $1::bigint) and ${column} ${forward ? '<=' : '>='} (select $3::text)
      order by ${column} ${direction}, id ${direction} limit $2::integer`,
    values: [String(forward ? cursor.after : cursor.before), String(limit), value],
  }
}

/** The part of the log that is next to the cursor. */
function nearby({ table }: Names, cursor: EventCursor): Sql {
  return 'after' in cursor
    ? {
        text: `id <= greatest((select min(id) from ${table('events')}), ?::bigint) + ${nearbyIds}`,
        values: [cursor.after],
      }
    : {
        text: `id >= least((select max(id) from ${table('events')}), ?::bigint) - ${nearbyIds}`,
        values: [cursor.before],
      }
}

const nearbyIds = 20_000

/** The column and its value if the filter is one project or one flag and nothing else. */
function singleColumn(filter: EventFilter): { column: string; value: string } | undefined {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const [[name, value] = [], ...others] = given as [string?, unknown?][]
  const column = new Map([
    ['projects', 'project'],
    ['features', 'feature_name'],
  ]).get(name ?? '')
  if (column === undefined || others.length > 0 || !Array.isArray(value) || value.length !== 1) return undefined
  return { column, value: value[0] }
}

/** Events in which a text is looked for: how far that went must be told also where nothing was found. */
function searchStatement(names: Names, { filter, cursor, limit, grouped = false }: PageRequest): Sql {
  const looked = selectEvents(names, '*', { filter, cursor, limit }, postgresFilter)
  const hit = hasText(filter, postgresFilter)
  const [last, direction] = 'after' in cursor ? ['max', 'asc'] : ['min', 'desc']
  return {
    text: `select count(*) as searched, ${last}(id) as last_id, count(*) filter (where hit) as count,
        string_agg(${served(grouped)}, '' order by id ${direction}) filter (where hit) as json
      from (select looked.*, ${hit.text} as hit from (${looked.text}) as looked) as found`,
    values: [...hit.values, ...looked.values],
  }
}

export interface PageRequest {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly limit: number
  readonly grouped?: boolean
}

/** What the reads of events need of the connection. */
export interface EventConnection {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly unknown[]): Promise<any[]>
  /** A page of rows whose only column is an event with a comma and a line feed in front. */
  page(statement: { readonly text: string; readonly values: string[] }, limit: number): Promise<EventPage>
}

export function postgresEvents(names: Names, { rows, page }: EventConnection) {
  const { table } = names
  const run = async ({ text, values }: Sql) => (await rows(numbered(text), values))[0]

  return {
    async eventPage(filter: EventFilter, cursor: EventCursor, limit: number, grouped?: boolean): Promise<EventPage> {
      const request = { filter, cursor, limit, ...(grouped === undefined ? {} : { grouped }) }
      if (filter.text === undefined) {
        // A flag that thousands of change requests touch has enough events close by, mostly.
        const near = filter.history && (await page(pageStatement(names, request, nearby(names, cursor)), limit))
        return near?.count === limit ? near : page(pageStatement(names, request), limit)
      }
      const row = await run(searchStatement(names, request))
      return { ...toCount(row), json: Buffer.from((row.json ?? '').slice(separatorLength)) }
    },
    async countEvents(filter: EventFilter, cursor: EventCursor, limit: number): Promise<EventCount> {
      const looked = selectEvents(names, columnsToCount(filter), { filter, cursor, limit }, postgresFilter)
      return toCount(await run(countEvents(looked, filter, cursor, postgresFilter)))
    },
    async scopeHead({ projects, features }: EventScope): Promise<EventHead> {
      const [row] =
        features === undefined
          ? await rows(
              `select sum(total) as total, max(last_id) as last_id from ${table('event_counts')}
               where project = any($1::text[]) and project <> ''`,
              [projects],
            )
          : await rows(
              `select sum(total) as total, max(last_id) as last_id from ${table('event_tallies')}
               where kind = 'feature' and name = any($1::text[]) and ($2::text[] is null or project = any($2::text[]))`,
              [features, projects ?? null],
            )
      return { lastId: safeInteger(row.last_id ?? 0), total: safeInteger(row.total ?? 0) }
    },
    async eventCreators(projects?: readonly string[]): Promise<EventCreator[]> {
      const found = await rows(
        `select name::bigint as id, (select body::json ->> 'createdBy' from ${table('events')} where id = newest) as created_by
         from (select name, max(last_id) as newest from ${table('event_tallies')}
           where kind = 'creator' and ($1::text[] is null or (project = any($1::text[]) and project <> ''))
           group by name) as creators
         order by 1`,
        [projects ?? null],
      )
      return found.map(({ id, created_by }) => ({ id: safeInteger(id), createdBy: created_by }))
    },
  }
}

const separatorLength = ',\n'.length

/** A value as the protocol wants it where the driver does not do it. */
function asText(value: Sql['values'][number]): string {
  if (!Array.isArray(value)) return String(value)
  return `{${value.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** `$1`, `$2` … for each `?`. */
export function numbered(text: string): string {
  let position = 0
  return text.replaceAll('?', () => {
    position += 1
    return `$${position}`
  })
}
