import { type EventHead, type EventPage, type EventScope, fingerprintDigits } from '../../../../ports/storage/events'
import { type Names, safeInteger } from '../../database/database'
import type { EventStatements } from '../../events/event-reads'
import { type PageRequest, skipStatement } from '../../events/page-statement'
import { toHead } from '../../events/stored-counts'
import type { PageReader, PageStatement } from './page-reader'
import {
  asText,
  copiedRows,
  countStatement,
  logPageStatement,
  logStatement,
  numbered,
  pageStatement,
  postgresEvents,
} from './statements'

export interface EventConnection extends PageReader {
  // biome-ignore lint/suspicious/noExplicitAny: what a column holds depends on the statement.
  rows(text: string, values: readonly unknown[], named?: boolean): Promise<any[]>
}

const lineFeed = 0x0a

export function postgresEventStatements(names: Names, { rows, page, copyPage }: EventConnection): EventStatements {
  const logPage = (statement: PageStatement, limit: number) =>
    limit < copiedRows ? page({ ...statement, reusePlan: true }, limit) : copyPage(statement, limit)
  return {
    maxExamined: 100_000,
    async log(request) {
      const { head, events, lastId } = splitHead(await logPage(logStatement(names, request), request.limit))
      const { count } = events
      return { page: { ...events, searched: count, lastId: count === 0 ? 0 : lastId }, total: head.total }
    },
    logPage: (request) => logPage(logPageStatement(names, request), request.limit),
    async skip(project, offset) {
      const { text, values } = skipStatement(names, postgresEvents, project, offset)
      const [event] = await rows(numbered(text), values, true)
      return event && safeInteger(event.id)
    },
    async page(request: PageRequest) {
      const { text, values } = pageStatement(names, request)
      const statement = { text: numbered(text), values: values.map(asText), reusePlan: true }
      const { head, events } = splitHead(await page(statement, request.limit))
      return { ...toHead(head), ...events }
    },
    async count(request: PageRequest) {
      const { text, values } = countStatement(names, request)
      const [row] = await rows(numbered(text), values, true)
      return { ...toHead(row), count: safeInteger(row.count) }
    },
  }
}

/** Separates the first row of a page, which is not an event, from the events. */
function splitHead({ count, lastId, json }: EventPage) {
  const end = json.indexOf(lineFeed)
  const [first, rest] = end < 0 ? [json, Buffer.alloc(0)] : [json.subarray(0, end - 1), json.subarray(end + 1)]
  const { head } = JSON.parse(Buffer.from(first).toString())
  return { head, lastId, events: { count: count - 1, json: rest } }
}

/** {@link eventFingerprint} of the newest event of a `head`; null when that event has been removed. */
export function newestFingerprint({ table }: Names): string {
  return `(select left(encode(sha256(convert_to(e.body, 'UTF8')), 'hex'), ${fingerprintDigits})
    from ${table('events')} as e where e.id = head.last_id)`
}

/** The head of any scope but the whole log and one project. */
export async function postgresScopeHead(
  names: Names,
  rows: EventConnection['rows'],
  { projects, features }: EventScope,
): Promise<EventHead> {
  const { table } = names
  const counted =
    features === undefined
      ? `select sum(total) as total, max(last_id) as last_id from ${table('event_counts')}
         where project = any($1::text[]) and project <> '' and $2::text[] is null`
      : `select count(*) as total, max(id) as last_id from ${table('events')}
         where feature_name = any($2::text[]) and ($1::text[] is null or project = any($1::text[]))`
  const [{ total, last_id, fingerprint }] = await rows(
    `select total, last_id, ${newestFingerprint(names)} as fingerprint from (${counted}) as head`,
    [projects ?? null, features ?? null],
    true,
  )
  return { lastId: safeInteger(last_id ?? 0), total: safeInteger(total ?? 0), fingerprint: fingerprint ?? '' }
}
