import type { Names } from '../../database/database'
import { type Sql, sql } from '../../database/sql'
import { type EventDialect, hasText, noId } from '../../events/event-filter'
import type { LogPageRequest } from '../../events/event-reads'
import { headColumns, type PageRequest, pageParts } from '../../events/page-statement'

function inRange(column: string | undefined, range: string): string {
  const value = column === undefined ? '' : `${column} = v.value and `
  return `${value}id > (select above from ${range}) and id < (select below from ${range})`
}

export const sqliteEvents: EventDialect = {
  among: (column) => `${column} in (select value from json_each(?))`,
  timestamp: '?',
  byIndex: (events, index, condition) =>
    `exists (select 1 from ${events} as o indexed by ${index} where o.${condition} and o.id = e.id)`,
  searchedText: `lower(coalesce(body ->> '$.data', '') || char(10) || coalesce(body ->> '$.preData', '') || char(10) || coalesce(body ->> '$.tags', ''))`,
  // Not `like`: the host app may have made it case-sensitive.
  mayHave: 'instr(lower(body), lower(?)) > 0',
  contains: (text) => `instr(${text}, lower(?)) > 0`,
  // SQLite compiles a statement again on each run if it sees the value of a `limit ?`, which takes longer than to run it.
  number: '(select ?)',
  lastId: Number.POSITIVE_INFINITY,
  each: () => '(select value from json_each(?)) as v',
  idList: (query) => sql`(select json_group_array(id) from (${query}))`,
  idCount: 'json_array_length(ids)',
  idsIn: (table) => `select j.value as id from ${table} cross join json_each(${table}.ids) as j`,
  // SQLite has no lateral join, but finds the rows of each value one by one.
  forEach: (events, _columns, column) => sql`cross join ${events} on ${inRange(column, 'whole')}`,
  inRange,
  json: (column) => column,
  eachJson: 'json_each(?) as v',
  dayOf: (time) => `substr(${time}, 1, 10)`,
  fence: 'limit -1',
  greatest: 'max',
  least: 'min',
  nullsFirst: '',
}

/** A join with the users in `reviewedBy` of the summary of a change request `c`. */
export const sqliteReviewers = `json_each(c.summary, '$.reviewedBy') as a`

/** A page of the whole log or of one project, with the number of their events. */
export function logStatement({ table }: Names, { project, cursor, limit, grouped }: LogPageRequest): Sql {
  const forward = 'after' in cursor
  const [direction, last] = forward ? ['asc', 'max'] : ['desc', 'min']
  const [above, below] = forward ? [cursor.after, noId] : [-1, cursor.before]
  const values = [project ?? '', above, below === noId ? sqliteEvents.lastId : below]
  return {
    text: `select ${joined(grouped)}, ${last}(id) as last_id,
        (select total from ${table('event_counts')} where project = ?) as total
      from (select * from ${table('events')} where id > ? and id < ?
        ${project === undefined ? '' : 'and project = ?'} order by id ${direction} limit ?)`,
    values: [...values, ...(project === undefined ? [] : [project]), limit],
  }
}

/** The number of the events, and the events themselves as one blob. */
function joined(grouped: boolean): string {
  const group = (name: string, column: string) =>
    `case when ${column} is null then '' else '"${name}":' || json_quote(${column}) || ',' end ||`
  const groups = grouped ? `${group('groupType', 'group_type')} ${group('groupId', 'group_id')}` : ''
  // Of a text, SQLite would count all characters to find where the part ends, which takes as long as all else.
  const event = `'{"id":' || id || ',' || ${groups} substr(cast(body as blob), 2)`
  return `count(*) as count, cast(group_concat(${event}, ',' || char(10)) as blob) as json`
}

/** The head and the events, joined into one blob, as one row: all come from one snapshot. */
export function pageStatement(names: Names, request: PageRequest, chosen?: number): Sql {
  return withHead(names, request, chosen, `${joined(request.grouped)} from (select * from ${found(names)}`, ')')
}

export function countStatement(names: Names, request: PageRequest, chosen?: number): Sql {
  return withHead(names, request, chosen, `count(*) as count from ${found(names)}`)
}

function withHead(names: Names, request: PageRequest, chosen: number | undefined, select: string, end = ''): Sql {
  return sql`${pageParts(names, sqliteEvents, request, chosen)}
    select ${headColumns.join(', ')}, e.* from head cross join (
      select ${select} where ${hasText(request.filter, sqliteEvents)}${end}) as e`
}

/** SQLite keeps the order of a cross join. */
function found({ table }: Names): string {
  return `page cross join ${table('events')} using (id)`
}
