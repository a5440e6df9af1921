import {
  type EventCreator,
  type EventHead,
  type EventPage,
  type EventScope,
  type EventsOfDay,
  fingerprintDigits,
} from '../../../../ports/storage/events'
import { scopeOf } from '../../postings/block-summary'
import type { EventStatements, PageRequest } from '../../postings/page-request'
import { keyOf, type Posting } from '../../postings/posting-cache'
import { type Names, safeInteger } from '../../shared/database'
import { noId, type Sql } from '../../shared/event-filter'
import { stateColumns, toSeen, toState } from '../../shared/index-state'
import type { PageReader } from './page-reader'
import {
  asText,
  countStatement,
  indexRow,
  logPageStatement,
  logSearchStatement,
  numbered,
  type PageHead,
  pageStatement,
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
      const text = `select ${stateColumns(table('event_blocks'))} from ${indexRow(names)}`
      return toState(await firstRow({ text, values: [] }))
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
    logPage: (request) => copyPage(logPageStatement(names, request), request.limit),
    async logSearch(request) {
      const statement = { ...logSearchStatement(names, request), reusePlan: true }
      const { head, events } = splitHead<{ readonly total: number }>(await page(statement, request.limit))
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
  }
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

/** Reads counts, authors and days of events from the tallies. */
export function postgresEventCounts(names: Names, { rows }: Pick<EventConnection, 'rows'>) {
  const { table } = names
  const tallies = `${table('event_index')} as i join ${table('event_tallies')} as t on i.one = 1 and t.generation = i.generation`
  // With a lower and an upper bound the planner expects few events and does not scan a long log.
  const unsealed = `${table('events')} as e
    where e.id > (select sealed_to from ${indexRow(names)}) and e.id < ${noId}`
  const scopesOf = (projects?: readonly string[]) => (projects === undefined ? [''] : projects.map(scopeOf))

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
                 select count(*), max(e.id) from ${unsealed}
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
    async eventCreators(projects?: readonly string[]): Promise<EventCreator[]> {
      const found = await rows(
        `select id, (select body::json ->> 'createdBy' from ${table('events')} as e where e.id = newest) as created_by
         from (select id, max(last_id) as newest from (
             select substr(t.term, length('creator:') + 1)::bigint as id, t.last_id from ${tallies}
             where t.term > 'creator:' and t.term < 'creator;' and t.scope = any($1::text[])
             union all
             select e.created_by_user_id, max(e.id) from ${unsealed}
             and e.created_by_user_id is not null and ($2::text[] is null or e.project = any($2::text[]))
             group by e.created_by_user_id) as parts
           group by id) as creators
         order by 1`,
        [scopesOf(projects), projects ?? null],
        true,
      )
      return found.map(({ id, created_by }) => ({ id: safeInteger(id), createdBy: created_by }))
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
           select to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD'), 1 from ${unsealed}
           and e.created_at >= $4::timestamptz and e.created_at <= $5::timestamptz
             and ($6::text[] is null or e.project = any($6::text[]))) as parts
         group by day order by day`,
        [from, to, scopesOf(projects), `${from}T00:00:00.000Z`, `${to}T23:59:59.999Z`, projects ?? null],
      )
      return found.map(({ day, total }) => ({ date: day, total: safeInteger(total) }))
    },
  }
}
