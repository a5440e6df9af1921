import { setImmediate } from 'node:timers/promises'
import type { EventCursor, EventFilter, EventPage, EventSearch, FoundEvents } from 'express-change-requests'
import { dayOf, eventHead } from './lmdb-events'
import { type Columns, everywhere, last, type Place, part, type Tables } from './lmdb-tables'

const separator = Buffer.from(',\n')

/** How many events are read before other requests can run. */
const sliceSize = 1_000

export interface PageRequest {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly limit: number
  readonly grouped?: boolean | undefined
}

/** Reads the log of the project, or of all projects, in slices. No transaction stays open between them. */
export async function eventPage(tables: Tables, { filter, cursor, limit, grouped }: PageRequest): Promise<EventPage> {
  const [project, second] = filter.projects ?? []
  const place = project !== undefined && second === undefined ? part(project) : everywhere
  const found: Buffer[] = []
  let [searched, lastId, from, more] = [0, 0, cursor, true]
  while (more && searched < limit) {
    tables.root.resetReadTxn()
    const slice = [...readSlice(tables, place, from)]
    for (const { key, value } of slice) {
      const id = key[1]
      from = 'after' in from ? { after: id } : { before: id }
      if (searched === limit || !matches(tables, filter, id, value)) continue
      searched += 1
      lastId = id
      const json = String(tables.events.get(id))
      if (hasText(json, filter.query)) found.push(separator, toServed(id, grouped === true ? value : {}, json))
    }
    more = slice.length === sliceSize
    await setImmediate()
  }
  return { count: found.length / 2, searched, lastId, json: Buffer.concat(found.slice(1)) }
}

function readSlice({ log }: Tables, place: Place, cursor: EventCursor) {
  const range =
    'after' in cursor
      ? { start: [place, cursor.after], end: [place, last] }
      : { start: [place, cursor.before], end: [place, 0], reverse: true }
  return log.getRange({ ...range, exclusiveStart: true, limit: sliceSize })
}

function toServed(id: number, { groupType, groupId }: Partial<Columns>, json: string): Buffer {
  const start = JSON.stringify({ id, groupType: groupType ?? undefined, groupId: groupId ?? undefined })
  return Buffer.from(`${start.slice(0, -1)},${json.slice(1)}`)
}

const newest: EventCursor = { before: Number.MAX_SAFE_INTEGER }

/** A page, and the total up to the limit of counted events. */
export async function searchEvents(tables: Tables, search: EventSearch): Promise<FoundEvents> {
  const { filter, cursor = newest, offset, limit, grouped, maxCounted } = search
  const skipped = await eventPage(tables, { filter, cursor, limit: offset })
  const start = offset === 0 ? cursor : continueAt(cursor, skipped.lastId)
  const left = skipped.searched < offset ? 0 : limit
  const page = await eventPage(tables, { filter, cursor: start, limit: left, grouped })
  const total = await totalOf(tables, filter, maxCounted)
  const isFull = page.searched === left && left > 0
  return { page, ...total, next: isFull ? continueAt(cursor, page.lastId) : null, offsetLeft: 0 }
}

/** Stored for all events and for each project; counted for other filters. */
async function totalOf(tables: Tables, filter: EventFilter, maxCounted: number) {
  const { projects, ...others } = filter
  if (Object.keys(others).length === 0) {
    return { total: eventHead(tables, projects === undefined ? {} : { projects }).total, isExact: true }
  }
  const { count } = await eventPage(tables, { filter, cursor: newest, limit: maxCounted })
  return { total: count, isExact: count < maxCounted }
}

function continueAt(cursor: EventCursor, id: number): EventCursor {
  return 'after' in cursor ? { after: id } : { before: id }
}

/** All filters except the text. */
function matches(tables: Tables, filter: EventFilter, id: number, event: Columns): boolean {
  const { projects, features, ids, types, environments, createdBy, groupIds, from, to, history } = filter
  return (
    isIn(event.project, projects) &&
    isIn(event.featureName, features) &&
    isIn(id, ids) &&
    isIn(event.type, types) &&
    isIn(event.environment, environments) &&
    isIn(event.createdByUserId, createdBy) &&
    isIn(event.groupId, groupIds) &&
    isIn(event.changeRequestId, filter.changeRequestIds) &&
    (from === undefined || event.createdAt >= from) &&
    (to === undefined || (to.includes('T') ? event.createdAt < to : dayOf(event) <= to)) &&
    (history === undefined ||
      isIn(event.featureName, history.features) ||
      subjectsOf(tables, event).some((subject) => history.subjects.includes(subject)))
  )
}

function isIn<Value>(value: Value | null, list: readonly Value[] | undefined): boolean {
  return list === undefined || (value !== null && list.includes(value))
}

/** The current search terms of the event's change request. */
function subjectsOf({ changeRequests, lists }: Tables, { changeRequestId }: Columns): readonly string[] {
  const about = changeRequestId === null ? undefined : changeRequests.get(changeRequestId)?.changeRequest
  return (about && lists.get([everywhere, about.createdAt, about.id])?.subjects) ?? []
}

/** Searches only `data`, `preData` and `tags`, as JSON. */
function hasText(json: string, text: string | undefined): boolean {
  if (text === undefined) return true
  const { data, preData, tags } = JSON.parse(json)
  return [data, preData, tags].some((part) => part != null && lowerCase(JSON.stringify(part)).includes(lowerCase(text)))
}

/** Ignores case only for A to Z. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
