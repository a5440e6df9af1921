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
import { columnsToCount, countEvents, type Sql, selectEvents, toCount } from '../shared/event-filter'
import { nearby, numbered, pageStatement, postgresFilter, searchStatement } from './event-statements'

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
