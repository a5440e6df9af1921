import {
  type EventHead,
  type EventPage,
  type EventScope,
  type EventsOfDay,
  fingerprintDigits,
} from '../../../../ports/storage/events'
import { type Names, safeInteger } from '../../database/database'
import { everywhere, scopeOf } from '../../event-index/block-summary'
import { knownColumns, seenColumns, toKnown, toSeen } from '../../event-index/index-state'
import type { EventStatements, PageRequest } from '../../event-index/page-request'
import { keyOf, type Posting } from '../../event-index/posting-cache'
import { toCreator } from '../../queries/creators'
import { conditions, noId, type Sql, where } from '../../queries/event-filter'
import type { PageReader } from './page-reader'
import {
  asText,
  countStatement,
  indexedColumns,
  indexRow,
  logPageStatement,
  logSearchStatement,
  numbered,
  type PageHead,
  pageStatement,
  postgresFilter,
} from './statements'

/** How the event reads use a connection. */
export interface EventConnection extends PageReader {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly unknown[], named?: boolean): Promise<any[]>
}

const lineFeed = 0x0a

export function postgresEventStatements(names: Names, { rows, page, copyPage }: EventConnection): EventStatements {
  const { table } = names
  const firstRow = async ({ text, values }: Sql) => (await rows(numbered(text), values))[0]

  return {
    async state() {
      const text = `select ${knownColumns(names)} from ${indexRow(names)}`
      return toKnown(await firstRow({ text, values: [] }))
    },
    async postings({ generation, terms, ranges, first, last }): Promise<Posting[]> {
      const select = (key: string) => `select ${key} as key, block, encode(positions, 'base64') as positions
        from ${table('event_postings')} where generation = ?::integer and block between ?::integer and ?::integer`
      const place = [generation, first, last]
      const parts: Sql[] = ranges.map((range) => ({
        text: `${select('?::text')} and term between ? and ?`,
        values: [keyOf(range), ...place, range.first, range.last],
      }))
      if (terms.length > 0)
        parts.push({ text: `${select('term')} and term = any(?::text[])`, values: [...place, terms] })
      const text = parts.map((part) => part.text).join(' union all ')
      const found = await rows(
        numbered(text),
        parts.flatMap(({ values }) => values),
      )
      return found.map(({ key, block, positions }) => ({ key, block, positions: Buffer.from(positions, 'base64') }))
    },
    async requestsOf(subjects) {
      const text = `select distinct change_request_id as id from ${table('change_request_subjects')} where subject = any($1::text[])`
      return (await rows(text, [subjects])).map(({ id }) => safeInteger(id))
    },
    async idsOf(filter) {
      const select = `select id from ${table('events')}`
      const { text, values } = where(select, conditions(names, filter, postgresFilter))
      return (await rows(numbered(text), values)).map(({ id }) => safeInteger(id))
    },
    logPage: (request) => copyPage(logPageStatement(names, request), request.limit),
    async logSearch(request) {
      const statement = logSearchStatement(names, request)
      const { head, events } = splitHead<{ readonly total: number }>(await copyPage(statement, request.limit))
      return { page: events, total: head.total }
    },
    async page(request: PageRequest) {
      const { text, values } = pageStatement(names, request)
      const statement = { text: numbered(text), values: values.map(asText), reusePlan: request.reusePlan === true }
      const { head, events } = splitHead<PageHead>(await page(statement, request.limit))
      const { inRange, lastInRange, total, seen } = head
      return {
        page: events,
        inRange,
        lastInRange,
        total,
        seen: toSeen(seen),
      }
    },
    async count(request: PageRequest) {
      const { count, in_range, last_in_range, ...seen } = await firstRow(countStatement(names, request))
      return {
        count: safeInteger(count),
        inRange: safeInteger(in_range),
        lastInRange: safeInteger(last_in_range ?? 0),
        seen: toSeen(seen),
      }
    },
    async tail(first, last) {
      const range = `from ${table('events')} where id between $1 and $2`
      const found = await rows(
        `select ${indexedColumns}, case when id = (select max(id) ${range}) then body end as body ${range} order by id`,
        [first, last],
        true,
      )
      const events = found.map(({ body: _, ...event }) => ({ ...event, id: safeInteger(event.id) }))
      const id = events.at(-1)?.id
      return id === undefined ? { events } : { events, newest: { id, body: found.at(-1).body } }
    },
    async creators({ projects, known, above, ...checked }) {
      const seen = seenColumns(names, checked, '0')
      const indexed = known && {
        text: `select substr(t.term, length('creator:') + 1)::bigint as id, t.last_id from ${talliesOf(names)}
             where t.term > 'creator:' and t.term < 'creator;' and t.scope = any(?::text[])
             union all
             select * from unnest(?::bigint[], ?::bigint[])
             union all`,
        values: [scopesOf(projects), known.map(({ id }) => id), known.map(({ lastId }) => lastId)],
      }
      const [head, ...found] = await rows(
        numbered(`select null as id, (select row_to_json(seen)::text from (select ${seen.text} from ${indexRow(names)}) as seen) as created_by,
           null as kind
         union all select * from (select creators.id, named.body::json ->> 'createdBy', named.created_by_kind
           from (select id, max(last_id) as newest from (
             ${indexed?.text ?? ''}
             select e.created_by_user_id as id, max(e.id) as last_id from ${unsealed(names, '?::bigint')}
             and e.created_by_user_id is not null ${projects === undefined ? '' : 'and e.project = any(?::text[])'}
             group by e.created_by_user_id) as parts
           group by id) as creators
           left join lateral (select e.body, e.created_by_kind from ${table('events')} as e where e.id = newest limit 1) as named
             on true) as listed
         order by 1 nulls first`),
        [...seen.values, ...(indexed?.values ?? []), above, ...(projects === undefined ? [] : [projects])],
        true,
      )
      const creators = found.map(toCreator)
      return { creators, seen: toSeen(JSON.parse(head.created_by)) }
    },
  }
}

/** The tallies of the current index. */
function talliesOf({ table }: Names): string {
  return `${table('event_index')} as i join ${table('event_tallies')} as t on i.one = 1 and t.generation = i.generation`
}

/**
 * The events after the index and after the id `above`. With a lower and an upper bound the planner expects few events and does
 * not scan a long log. With two lower bounds, Postgres may start at the lesser one.
 */
function unsealed(names: Names, above = '-1'): string {
  return `${names.table('events')} as e
    where e.id > greatest((select sealed_to from ${indexRow(names)}), ${above}) and e.id < ${noId}`
}

/** The scopes of tallies. */
function scopesOf(projects: readonly string[] | undefined): string[] {
  return projects === undefined ? [everywhere] : projects.map(scopeOf)
}

/** Separates the first row of a page, which is not an event, from the events. */
function splitHead<Head>({ count, lastId, json }: EventPage): { readonly head: Head; readonly events: EventPage } {
  const end = json.indexOf(lineFeed)
  const [first, rest] = end < 0 ? [json, Buffer.alloc(0)] : [json.subarray(0, end - 1), json.subarray(end + 1)]
  const head: Head = JSON.parse(Buffer.from(first).toString())
  return { head, events: { count: count - 1, searched: count - 1, lastId, json: rest } }
}

/** {@link eventFingerprint} of the newest event of a `head`; null when that event has been removed. */
export function newestFingerprint({ table }: Names): string {
  return `(select left(encode(sha256(convert_to(e.body, 'UTF8')), 'hex'), ${fingerprintDigits})
    from ${table('events')} as e where e.id = head.last_id)`
}

/** Reads counts and days of events from the tallies. */
export function postgresEventCounts(names: Names, { rows }: Pick<EventConnection, 'rows'>) {
  const { table } = names
  const [tallies, after] = [talliesOf(names), unsealed(names)]

  return {
    async scopeHead({ projects, features }: EventScope): Promise<EventHead> {
      const [text, values] =
        features === undefined
          ? [
              `select sum(total) as total, max(last_id) as last_id from ${table('event_counts')}
               where project = any($1::text[]) and project <> ''`,
              [projects],
            ]
          : [
              `select sum(total) as total, max(last_id) as last_id from (
                 select t.total, t.last_id from ${tallies} where t.term = any($1::text[]) and t.scope = any($2::text[])
                 union all
                 select count(*), max(e.id) from ${after}
                 and e.feature_name = any($3::text[]) and ($4::text[] is null or e.project = any($4::text[]))) as parts`,
              [features.map((name) => `feature:${name}`), scopesOf(projects), features, projects ?? null],
            ]
      const [row] = await rows(
        `select total, last_id, ${newestFingerprint(names)} as fingerprint from (${text}) as head`,
        values,
        true,
      )
      const { total, last_id, fingerprint } = row
      return { lastId: safeInteger(last_id ?? 0), total: safeInteger(total ?? 0), fingerprint: fingerprint ?? '' }
    },
    async eventsPerDay(
      { from, to }: { from: string; to: string },
      projects?: readonly string[],
    ): Promise<EventsOfDay[]> {
      const found = await rows(
        `select day, sum(total) as total from (
           select substr(t.term, length('day:') + 1) as day, t.total from ${tallies}
           where t.term between 'day:' || $1 and 'day:' || $2 and t.scope = any($3::text[])
           union all
           select to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD'), 1 from ${after}
           and e.created_at >= $4::timestamptz and e.created_at <= $5::timestamptz
             and ($6::text[] is null or e.project = any($6::text[]))) as parts
         group by day order by day`,
        [from, to, scopesOf(projects), `${from}T00:00:00.000Z`, `${to}T23:59:59.999Z`, projects ?? null],
      )
      return found.map(({ day, total }) => ({ date: day, total: safeInteger(total) }))
    },
  }
}
