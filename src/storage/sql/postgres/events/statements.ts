import type { Names } from '../../database/database'
import { type Bound, type Sql, sql } from '../../database/sql'
import { type EventDialect, hasText } from '../../events/event-filter'
import type { LogPageRequest } from '../../events/event-reads'
import { headColumns, type PageRequest, pageParts } from '../../events/page-statement'

const lastId = '9223372036854775807'

const idIn = (range: string) => `id > (select above from ${range}) and id < (select below from ${range})`

/**
 * The pair of columns is compared as one value, so that only the index on both gives the order: with `project = v.value` the
 * planner may scan the whole log instead. The indexes have no nulls.
 */
function inRange(column: string | undefined, range: string): string {
  if (column === undefined) return idIn(range)
  if (column === 'id') return `id = v.value and ${idIn(range)}`
  return `(${column}, id) > (v.value, (select above from ${range})) and (${column}, id) < (v.value, (select below from ${range}))
    and ${column} is not null`
}

export const postgresEvents: EventDialect = {
  among: (column, type) => `${column} = any(?::${type}[])`,
  timestamp: '?::timestamptz',
  // Ignores the case of A to Z only, whatever the locale of the database.
  searchedText: `(select lower(concat_ws(E'\\n', data, "preData", tags) collate "C")
    from json_to_record(body::json) as searched(data text, "preData" text, tags text))`,
  mayHave: `position(lower(?::text collate "C") in lower(body collate "C")) > 0`,
  contains: (text) => `position(lower(?::text collate "C") in ${text}) > 0`,
  number: '(select ?::bigint)',
  lastId,
  // The planner expects ten values in any list.
  each: (type, isOne) =>
    isOne ? `(select (?::${type}[])[1] as value offset 0) as v` : `unnest((select ?::${type}[])) as v(value)`,
  idList: (query) => sql`array(${query})`,
  idCount: 'cardinality(ids)',
  idsIn: (table) => `select unnest(ids) as id from ${table}`,
  inRange,
  // Where the index has all columns, count from the oldest event: vacuum has marked its page as visible, so no row is read.
  forEach: (events, columns, column, limit) => {
    const direction = columns === 'id' ? 'asc' : 'desc'
    const order = column === undefined || column === 'id' ? '' : `order by ${column} ${direction}, id ${direction}`
    return sql`cross join lateral (select ${columns} from ${events} where ${inRange(column, 'whole')} ${order} limit ${limit}) as e`
  },
  json: (column) => `${column}::json`,
  eachJson: 'json_array_elements(?::json) as v(value)',
  dayOf: (time) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD')`,
  fence: 'offset 0',
  greatest: 'greatest',
  least: 'least',
  nullsFirst: 'nulls first',
}

/** A join with the users in `reviewedBy` of the summary of a change request `c`. */
export const postgresReviewers = `json_array_elements_text((c.summary::json) -> 'reviewedBy') as a(value)`

const eventJson = (grouped: boolean) =>
  `',\n{"id":' || id || ',' ||${
    grouped
      ? ` coalesce('"groupType":' || to_json(group_type) || ',', '') || coalesce('"groupId":' || to_json(group_id) || ',', '') ||`
      : ''
  } right(body, -1)`

/** A page of the log as rows of one column. */
export function logPageStatement(names: Names, request: LogPageRequest) {
  return logEvents(names, `${eventJson(request.grouped)} as event`, request)
}

/** The same with the number of events of the log or of the project in the first row. */
export function logStatement(names: Names, request: LogPageRequest) {
  const { text, values } = logEvents(names, `id, ${eventJson(request.grouped)}`, request)
  const total = `select total from ${names.table('event_counts')} where project = $${values.length + 1}::text`
  return {
    text: `select event from (
        select null::bigint as id, ',\n{"id":0,"head":{"total":' || coalesce((${total}), 0) || '}}' as event
        union all (${text})
      ) as page order by id ${'after' in request.cursor ? 'asc' : 'desc'} nulls first`,
    values: [...values, request.project ?? ''],
  }
}

/** From this number of rows on, a page is read faster by COPY than by a prepared statement. */
export const copiedRows = 200

/**
 * With both bounds the planner also prefers the primary key when it does not know the values, which are in subselects: from known
 * bounds it would make a new plan each time, and would expect no rows for the project that sorts first. For a project, the pair of
 * columns is compared as one value, as in {@link inRange}. The planner sees a limit, so that the cost is too low for JIT.
 */
function logEvents({ table }: Names, columns: string, { project, cursor, limit }: LogPageRequest) {
  const forward = 'after' in cursor
  const direction = forward ? 'asc' : 'desc'
  // An event with an unsafe id must cause an error, not be left out.
  const below = forward || cursor.before === Number.MAX_SAFE_INTEGER ? lastId : String(cursor.before)
  const [above, end, scope] = ['$1::bigint', '$2::bigint', '$4::text'].map((value) => `(select ${value})`)
  const [range, order] =
    project === undefined
      ? [`id > ${above} and id < ${end}`, `id ${direction}`]
      : [
          `(project, id) > (${scope}, ${above}) and (project, id) < (${scope}, ${end})`,
          `project ${direction}, id ${direction}`,
        ]
  const select = `select ${columns} from ${table('events')} where ${range} order by ${order}`
  return {
    text: `select * from (${select} limit ${Math.max(limit, copiedRows)}) as e limit $3::integer`,
    values: [String(forward ? cursor.after : -1), below, String(limit), ...(project === undefined ? [] : [project])],
  }
}

/** A page as rows of one column. The first row is the head instead of an event: all in one round trip and one snapshot. */
export function pageStatement(names: Names, request: PageRequest): Sql {
  const direction = 'after' in request.cursor ? 'asc' : 'desc'
  return sql`${pageParts(names, postgresEvents, request)}
    select event from (
      select null::bigint as id, ',\n{"id":0,"head":' || to_json(head) || '}' as event from head
      union all
      select id, ${eventJson(request.grouped)} from ${names.table('events')} where id = any(array(select id from page))
        and ${hasText(request.filter, postgresEvents)}
    ) as page order by id ${direction} nulls first`
}

export function countStatement(names: Names, request: PageRequest): Sql {
  return sql`${pageParts(names, postgresEvents, request)}
    select ${headColumns.join(', ')}, (select count(*) from ${names.table('events')} where id = any(array(select id from page))
      and ${hasText(request.filter, postgresEvents)}) as count from head`
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
