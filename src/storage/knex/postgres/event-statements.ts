import type { EventCursor, EventFilter } from '../../../ports/storage'
import type { Names } from '../shared/database'
import { changeRequestIdOf, isAboutChangeRequest } from '../shared/event-expressions'
import { type FilterDialect, hasText, type Sql, selectEvents } from '../shared/event-filter'

export const postgresFilter: FilterDialect = {
  among: (column, type) => `${column} = any(?::${type}[])`,
  timestamp: '?::timestamptz',
  boundsTimes: true,
  // Ignores the case of A to Z only, whatever the locale of the database.
  searchedText: `(select lower(concat_ws(E'\\n', data, "preData", tags) collate "C")
    from json_to_record(body::json) as searched(data text, "preData" text, tags text))`,
  mayHave: `position(lower(?::text collate "C") in lower(body collate "C")) > 0`,
  contains: (text) => `position(lower(?::text collate "C") in ${text}) > 0`,
  // Without the offset the planner would scan the whole log for events of these change requests.
  eventsOf: (requests, events, fit) => `(${requests}) as requests cross join lateral (
    select * from ${events} where ${changeRequestIdOf.postgres} = request and ${isAboutChangeRequest} and ${fit} offset 0
  ) as related`,
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
export function pageStatement(names: Names, { filter, cursor, limit, grouped = false }: PageRequest, also?: Sql) {
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

/** The part of the log next to the cursor. */
export function nearby({ table }: Names, cursor: EventCursor): Sql {
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

/** A page with a text. It returns how far it reached also where nothing was found. */
export function searchStatement(names: Names, { filter, cursor, limit, grouped = false }: PageRequest): Sql {
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
