import { type EventHead, type EventScope, type EventsOfDay, eventFingerprint } from '../../../../ports/storage/events'
import { type Names, safeInteger } from '../../database/database'
import { everywhere, scopeOf } from '../../event-index/block-summary'
import { knownColumns, seenColumns, toKnown, toSeen } from '../../event-index/index-state'
import type { CreatorsRequest, EventStatements } from '../../event-index/page-request'
import { keyOf } from '../../event-index/posting-cache'
import { toCreator } from '../../queries/creators'
import { type Bound, conditions, type Sql, where } from '../../queries/event-filter'
import type { Statement } from '../prepared'
import { countStatement, indexedColumns, logStatement, pageStatement, sqliteFilter } from './statements'

/** Runs one read on a connection. */
export type Borrow = <Value>(use: (prepare: (text: string) => Statement) => Value) => Promise<Value>

const nothing = Buffer.alloc(0)

export function sqliteEventStatements(names: Names, borrow: Borrow): EventStatements {
  const { table } = names
  const firstRow = ({ text, values }: Sql) => borrow((prepare) => prepare(text).get(...bindable(values)))

  const logSearch: EventStatements['logSearch'] = async (request) => {
    const { count, last_id, total, json } = await firstRow(logStatement(names, request))
    const page = { count, searched: count, lastId: safeInteger(last_id ?? 0), json: json ?? nothing }
    return { page, total: safeInteger(total ?? 0) }
  }

  return {
    state: () =>
      borrow((prepare) => {
        const text = `select ${knownColumns(names)} from ${table('event_index')} as i`
        return toKnown(prepare(text).get())
      }),
    postings: ({ generation, terms, ranges, first, last }) =>
      borrow((prepare) => {
        const select = `from ${table('event_postings')} where generation = ? and block between ? and ?`
        const among = `select term as key, block, positions ${select} and ${sqliteFilter.among('term', 'text')}`
        const between = `select ? as key, block, positions ${select} and term between ? and ?`
        const found = terms.length === 0 ? [] : prepare(among).all(generation, first, last, JSON.stringify(terms))
        const ofRanges = ranges.flatMap((range) =>
          prepare(between).all(keyOf(range), generation, first, last, range.first, range.last),
        )
        return [...found, ...ofRanges]
      }),
    requestsOf: (subjects) =>
      borrow((prepare) => {
        const text = `select distinct change_request_id as id from ${table('change_request_subjects')}
          where ${sqliteFilter.among('subject', 'text')}`
        return prepare(text)
          .all(JSON.stringify(subjects))
          .map(({ id }) => safeInteger(id))
      }),
    idsOf: (filter) =>
      borrow((prepare) => {
        const select = `select id from ${table('events')}`
        const { text, values } = where(select, conditions(names, filter, sqliteFilter))
        return prepare(text)
          .all(...bindable(values))
          .map(({ id }) => safeInteger(id))
      }),
    logPage: async (request) => (await logSearch(request)).page,
    logSearch,
    async page(request) {
      const row = await firstRow(pageStatement(names, request))
      return {
        page: { count: safeInteger(row.count), json: row.json ?? nothing },
        inRange: safeInteger(row.in_range),
        lastInRange: safeInteger(row.last_in_range ?? 0),
        total: safeInteger(row.total),
        seen: toSeen(row),
      }
    },
    async count(request) {
      const { count, in_range, last_in_range, ...seen } = await firstRow(countStatement(names, request))
      return {
        count,
        inRange: safeInteger(in_range),
        lastInRange: safeInteger(last_in_range ?? 0),
        seen: toSeen(seen),
      }
    },
    tail: (first, last) =>
      borrow((prepare) => {
        const events = prepare(
          `select ${indexedColumns} from ${table('events')} where id between ? and ? order by id`,
        ).all(first, last)
        const id = events.at(-1)?.id
        if (id === undefined) return { events }
        const { body } = prepare(`select body from ${table('events')} where id = ?`).get(id)
        return { events, newest: { id, body } }
      }),
    creators: ({ projects, known, above, ...checked }) =>
      borrow((prepare) => {
        const { text, values } = creatorsStatement(names, { projects, known, above })
        const rows = prepare(text).all(...bindable(values))
        // Read afterwards: an index or a tail that has been replaced stays replaced.
        const seen = seenColumns(names, checked, '0')
        const row = prepare(`select ${seen.text} from ${table('event_index')} as i`).get(...bindable(seen.values))
        const creators = rows.map(toCreator)
        return { creators, seen: toSeen(row) }
      }),
  }
}

/** Creators from the tallies and the known ones, if there are known ones, and from the events after these. */
function creatorsStatement(
  { table }: Names,
  { projects, known, above }: Pick<CreatorsRequest, 'projects' | 'known' | 'above'>,
): Sql {
  const { among } = sqliteFilter
  const inProjects = projects === undefined ? '' : `and ${among('e.project', 'text')}`
  const indexed = known && {
    text: `select cast(substr(t.term, length('creator:') + 1) as integer) as id, t.last_id
          from ${table('event_index')} as i join ${table('event_tallies')} as t on t.generation = i.generation
          where t.term > 'creator:' and t.term < 'creator;' and ${among('t.scope', 'text')}
          union all
          select value ->> 0, value ->> 1 from json_each(?)
          union all`,
    values: [JSON.stringify(scopesOf(projects)), JSON.stringify(known.map(({ id, lastId }) => [id, lastId]))],
  }
  return {
    text: `select creators.id, named.body ->> '$.createdBy' as created_by, named.created_by_kind as kind
      from (select id, max(last_id) as newest from (
          ${indexed?.text ?? ''}
          select e.created_by_user_id as id, max(e.id) as last_id from ${table('event_index')} as i
          cross join ${table('events')} as e on e.id > max(i.sealed_to, ?)
          where e.created_by_user_id is not null ${inProjects} group by e.created_by_user_id)
        group by id) as creators
      left join ${table('events')} as named on named.id = newest
      order by 1`,
    values: [...(indexed?.values ?? []), above, ...(projects === undefined ? [] : [JSON.stringify(projects)])],
  }
}

/** The scopes of tallies. */
function scopesOf(projects: readonly string[] | undefined): string[] {
  return projects === undefined ? [everywhere] : projects.map(scopeOf)
}

/** The head of a row with `total` and `last_id`. */
export function sqliteHead(
  { table }: Names,
  prepare: (text: string) => Statement,
  row: { readonly total: number | null; readonly last_id: number | null } | undefined,
): EventHead {
  const lastId = safeInteger(row?.last_id ?? 0)
  const newest = prepare(`select cast(body as blob) as body from ${table('events')} where id = ?`).get(lastId)
  const fingerprint = newest === undefined ? '' : eventFingerprint(newest.body)
  return { lastId, total: safeInteger(row?.total ?? 0), fingerprint }
}

/** Reads counts and days of events from the tallies. */
export function sqliteEventCounts(names: Names, borrow: Borrow) {
  const { table } = names
  const tallies = `${table('event_index')} as i join ${table('event_tallies')} as t on t.generation = i.generation`
  const unsealed = `${table('event_index')} as i cross join ${table('events')} as e on e.id > i.sealed_to`
  const { among } = sqliteFilter
  const inProjects = (projects?: readonly string[]) =>
    projects === undefined ? '' : `and ${among('e.project', 'text')}`
  const named = (projects?: readonly string[]) => (projects === undefined ? [] : [JSON.stringify(projects)])

  return {
    scopeHead: ({ projects, features }: EventScope): Promise<EventHead> =>
      borrow((prepare) => {
        const text =
          features === undefined
            ? `select sum(total) as total, max(last_id) as last_id from ${table('event_counts')}
               where project <> '' and ${among('project', 'text')}`
            : `select sum(total) as total, max(last_id) as last_id from (
                 select t.total, t.last_id from ${tallies} where ${among('t.term', 'text')} and ${among('t.scope', 'text')}
                 union all
                 select count(*), max(e.id) from ${unsealed}
                 where ${among('e.feature_name', 'text')} ${inProjects(projects)})`
        const terms = features?.map((name) => `feature:${name}`)
        const values =
          terms === undefined
            ? [JSON.stringify(projects)]
            : [JSON.stringify(terms), JSON.stringify(scopesOf(projects)), JSON.stringify(features), ...named(projects)]
        return sqliteHead(names, prepare, prepare(text).get(...values))
      }),
    eventsPerDay: ({ from, to }: { from: string; to: string }, projects?: readonly string[]): Promise<EventsOfDay[]> =>
      borrow((prepare) => {
        const text = `select day as date, sum(total) as total from (
            select substr(t.term, length('day:') + 1) as day, t.total from ${tallies}
            where t.term between 'day:' || ? and 'day:' || ? and ${among('t.scope', 'text')}
            union all
            select substr(e.created_at, 1, 10), 1 from ${unsealed}
            where e.created_at >= ? and e.created_at <= ? ${inProjects(projects)})
          group by day order by day`
        return prepare(text).all(
          from,
          to,
          JSON.stringify(scopesOf(projects)),
          from,
          `${to}T23:59:59.999Z`,
          ...named(projects),
        )
      }),
  }
}

function bindable(values: readonly Bound[]): unknown[] {
  return values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
}
