import { type EventHead, type EventScope, eventFingerprint } from '../../../../ports/storage/events'
import { type Names, safeInteger } from '../../database/database'
import type { Sql } from '../../database/sql'
import type { EventStatements } from '../../events/event-reads'
import { driverStatement, type PageRequest, skipStatement } from '../../events/page-statement'
import { toHead } from '../../events/stored-counts'
import type { Statement } from '../prepared'
import { countStatement, logStatement, pageStatement, sqliteEvents } from './statements'

export type Borrow = <Value>(use: (prepare: (text: string) => Statement) => Value) => Promise<Value>

const nothing = new Uint8Array()

/** A blob, which is a Uint8Array with node:sqlite, without copying it. */
function bytesOf(blob: Uint8Array | null): Buffer {
  const { buffer, byteOffset, byteLength } = blob ?? nothing
  return Buffer.from(buffer, byteOffset, byteLength)
}

export function sqliteEventStatements(names: Names, borrow: Borrow): EventStatements {
  const get = (prepare: (text: string) => Statement, { text, values }: Sql) =>
    prepare(text).get(...values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value)))
  const row = (statement: Sql) => borrow((prepare) => get(prepare, statement))
  /** Makes the choice of the index in a statement of its own; it only decides how long the other one takes. */
  const found = (request: PageRequest, statement: typeof pageStatement) =>
    borrow((prepare) => {
      const driver = driverStatement(names, sqliteEvents, request.filter)
      return get(prepare, statement(names, request, driver && get(prepare, driver).place))
    })
  return {
    maxExamined: 5_000,
    async log(request) {
      const { count, last_id, total, json } = await row(logStatement(names, request))
      const page = { count, searched: count, lastId: safeInteger(last_id ?? 0), json: bytesOf(json) }
      return { page, total: safeInteger(total ?? 0) }
    },
    skip: async (project, offset) => (await row(skipStatement(names, sqliteEvents, project, offset)))?.id,
    async page(request) {
      const { count, json, ...head } = await found(request, pageStatement)
      return { ...toHead(head), count, json: bytesOf(json) }
    },
    async count(request) {
      const { count, ...head } = await found(request, countStatement)
      return { ...toHead(head), count }
    },
  }
}

export function sqliteHead(
  { table }: Names,
  prepare: (text: string) => Statement,
  row: { readonly total: number | null; readonly last_id: number | null } | undefined,
): EventHead {
  const lastId = safeInteger(row?.last_id ?? 0)
  const newest = prepare(`select cast(body as blob) as body from ${table('events')} where id = ?`).get(lastId)
  const fingerprint = newest === undefined ? '' : eventFingerprint(bytesOf(newest.body))
  return { lastId, total: safeInteger(row?.total ?? 0), fingerprint }
}

/** The head of any scope but the whole log and one project. */
export function sqliteScopeHead(names: Names, borrow: Borrow, { projects, features }: EventScope): Promise<EventHead> {
  const { among } = sqliteEvents
  const inProjects = projects === undefined ? 'true' : among('project', 'text')
  const text =
    features === undefined
      ? `select sum(total) as total, max(last_id) as last_id from ${names.table('event_counts')}
         where project <> '' and ${inProjects}`
      : `select count(*) as total, max(id) as last_id from ${names.table('events')}
         where ${among('feature_name', 'text')} and ${inProjects}`
  const values = [features, projects].flatMap((list) => (list === undefined ? [] : [JSON.stringify(list)]))
  return borrow((prepare) => sqliteHead(names, prepare, prepare(text).get(...values)))
}
