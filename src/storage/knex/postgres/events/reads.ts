import type { EventCreator, EventHead, EventPage, EventScope, EventsOfDay } from '../../../../ports/storage'
import { scopeOf } from '../../postings/block-summary'
import type { EventStatements, PageRequest } from '../../postings/page-request'
import { keyOf, type Posting } from '../../postings/posting-cache'
import { type Names, safeInteger } from '../../shared/database'
import { noId, type Sql } from '../../shared/event-filter'
import { asText, countStatement, logPageStatement, numbered, type PageHead, pageStatement } from './statements'

/** What the reads of events need of the connection. */
export interface EventConnection {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly unknown[]): Promise<any[]>
  /** A page of rows whose only column is an event with a comma and a line feed in front. */
  page(
    statement: { readonly text: string; readonly values: string[]; readonly planKept?: boolean },
    limit: number,
  ): Promise<EventPage>
}

const lineFeed = 0x0a

export function postgresEventStatements(names: Names, { rows, page }: EventConnection): EventStatements {
  const { table } = names
  const one = async ({ text, values }: Sql) => (await rows(numbered(text), values))[0]

  return {
    async state() {
      const { sealed_to, generation } = await one({ text: `select * from ${table('event_index')}`, values: [] })
      return { sealedTo: safeInteger(sealed_to), generation }
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
    logPage: (project, cursor, limit, grouped) => page(logPageStatement(names, project, cursor, limit, grouped), limit),
    async page(request: PageRequest) {
      const { text, values } = pageStatement(names, request)
      const { count, json } = await page(
        { text: numbered(text), values: values.map(asText), planKept: request.planKept === true },
        request.limit,
      )
      const end = json.indexOf(lineFeed)
      const head: PageHead = JSON.parse(Buffer.from(end < 0 ? json : json.subarray(0, end - 1)).toString())
      const { inRange, lastInRange, total, sealedTo, generation } = head
      return {
        page: { count: count - 1, json: end < 0 ? Buffer.alloc(0) : json.subarray(end + 1) },
        inRange,
        lastInRange,
        total,
        state: { sealedTo, generation },
      }
    },
    async count(request: PageRequest) {
      const { count, in_range, last_in_range } = await one(countStatement(names, request))
      return { count: safeInteger(count), inRange: safeInteger(in_range), lastInRange: safeInteger(last_in_range ?? 0) }
    },
  }
}

/** Reads of what is kept about events: how many they are, who wrote them, on which days. */
export function postgresEventCounts({ table }: Names, { rows }: Pick<EventConnection, 'rows'>) {
  const kept = `${table('event_index')} as i join ${table('event_tallies')} as t on t.generation = i.generation`
  // With two bounds the planner expects few of them, and does not scan a long log.
  const unsealed = `${table('events')} as e
    where e.id > (select sealed_to from ${table('event_index')}) and e.id < ${noId}`
  const scopesOf = (projects?: readonly string[]) => (projects === undefined ? [''] : projects.map(scopeOf))

  return {
    async scopeHead({ projects, features }: EventScope): Promise<EventHead> {
      const [row] =
        features === undefined
          ? await rows(
              `select sum(total) as total, max(last_id) as last_id from ${table('event_counts')}
               where project = any($1::text[]) and project <> ''`,
              [projects],
            )
          : await rows(
              `select sum(total) as total, max(last_id) as last_id from (
                 select t.total, t.last_id from ${kept} where t.term = any($1::text[]) and t.scope = any($2::text[])
                 union all
                 select count(*), max(e.id) from ${unsealed}
                 and e.feature_name = any($3::text[]) and ($4::text[] is null or e.project = any($4::text[]))) as parts`,
              [features.map((name) => `feature:${name}`), scopesOf(projects), features, projects ?? null],
            )
      return { lastId: safeInteger(row.last_id ?? 0), total: safeInteger(row.total ?? 0) }
    },
    async eventCreators(projects?: readonly string[]): Promise<EventCreator[]> {
      const found = await rows(
        `select id, (select body::json ->> 'createdBy' from ${table('events')} as e where e.id = newest) as created_by
         from (select id, max(last_id) as newest from (
             select substr(t.term, length('creator:') + 1)::bigint as id, t.last_id from ${kept}
             where t.term > 'creator:' and t.term < 'creator;' and t.scope = any($1::text[])
             union all
             select e.created_by_user_id, e.id from ${unsealed}
             and e.created_by_user_id is not null and ($2::text[] is null or e.project = any($2::text[]))) as parts
           group by id) as creators
         order by 1`,
        [scopesOf(projects), projects ?? null],
      )
      return found.map(({ id, created_by }) => ({ id: safeInteger(id), createdBy: created_by }))
    },
    async eventsPerDay(
      { from, to }: { from: string; to: string },
      projects?: readonly string[],
    ): Promise<EventsOfDay[]> {
      const found = await rows(
        `select day, sum(total) as total from (
           select substr(t.term, length('day:') + 1) as day, t.total from ${kept}
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
