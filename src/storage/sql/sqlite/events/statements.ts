import type { Names } from '../../database/database'
import { type EventDialect, hasText } from '../../events/event-filter'
import { headColumns, type PageRequest, pageParts } from '../../events/page-statement'
import { type Sql, sql } from '../../events/sql'

function inRange(column: string | undefined, range: string): string {
  const value = column === undefined ? '' : `${column} = v.value and `
  return `${value}id > (select above from ${range}) and id < (select below from ${range})`
}

export const sqliteEvents: EventDialect = {
  among: (column) => `${column} in (select value from json_each(?))`,
  timestamp: '?',
  searchedText: `lower(coalesce(body ->> '$.data', '') || char(10) || coalesce(body ->> '$.preData', '') || char(10) || coalesce(body ->> '$.tags', ''))`,
  // Not `like`: the host app may have made it case-sensitive.
  mayHave: 'instr(lower(body), lower(?)) > 0',
  contains: (text) => `instr(${text}, lower(?)) > 0`,
  number: '?',
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

/** The head and the events, joined into one blob, as one row: all come from one snapshot. */
export function pageStatement(names: Names, request: PageRequest): Sql {
  const group = (name: string, column: string) =>
    `case when ${column} is null then '' else '"${name}":' || json_quote(${column}) || ',' end ||`
  const groups = request.grouped ? `${group('groupType', 'group_type')} ${group('groupId', 'group_id')}` : ''
  // Of a text, SQLite would count all characters to find where the part ends, which takes as long as all else.
  const event = `'{"id":' || id || ',' || ${groups} substr(cast(body as blob), 2)`
  const joined = `count(*) as count, cast(group_concat(${event}, ',' || char(10)) as blob) as json`
  return withHead(names, request, `${joined} from (select * from ${found(names)}`, ')')
}

export function countStatement(names: Names, request: PageRequest): Sql {
  return withHead(names, request, `count(*) as count from ${found(names)}`)
}

function withHead(names: Names, request: PageRequest, select: string, end = ''): Sql {
  return sql`${pageParts(names, sqliteEvents, request)}
    select ${headColumns.join(', ')}, e.* from head cross join (
      select ${select} where ${hasText(request.filter, sqliteEvents)}${end}) as e`
}

/** SQLite keeps the order of a cross join. */
function found({ table }: Names): string {
  return `page cross join ${table('events')} using (id)`
}
