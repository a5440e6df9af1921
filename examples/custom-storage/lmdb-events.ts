import { setImmediate } from 'node:timers/promises'
import type {
  EventCreator,
  EventCursor,
  EventFilter,
  EventHead,
  EventPage,
  EventRow,
  EventScope,
} from 'express-change-requests'
import { fits, hasText } from './lmdb-event-filter'
import { type Columns, everywhere, last, type Place, part, type Tables } from './lmdb-tables'

const separator = Buffer.from(',\n')

/** So many events are looked at before others get their turn. */
const sliceSize = 1_000

/** Inside a write: there is one at a time, so ids rise in the order in which events become visible. */
export function append(tables: Tables, events: readonly EventRow[]): true {
  for (const { json, ...columns } of events) {
    // Half a text must not be stored: it would break every page that it is on.
    JSON.parse(json)
    const id = (tables.numbers.get('event') ?? 0) + 1
    tables.numbers.putSync('event', id)
    tables.events.putSync(id, Buffer.from(json))
    for (const place of placesOf(columns.project)) tables.log.putSync([place, id], columns)
    count(tables, id, columns)
  }
  return true
}

function count({ heads, creators }: Tables, id: number, { project, featureName, createdByUserId }: Columns): void {
  for (const place of placesOf(project)) {
    for (const feature of placesOf(featureName)) {
      heads.putSync([feature, place], { lastId: id, total: (heads.get([feature, place])?.total ?? 0) + 1 })
    }
    if (createdByUserId !== null) creators.putSync([place, createdByUserId], id)
  }
}

/** Inside a write: no event comes in between. */
export function recount(tables: Tables): true {
  tables.heads.clearSync()
  tables.creators.clearSync()
  const all = tables.log.getRange({ start: [everywhere, 0], end: [everywhere, last] })
  for (const { key, value } of all) count(tables, key[1], value)
  return true
}

export function eventHead({ heads }: Tables, { projects, features }: EventScope): EventHead {
  const found = partsOf(features).flatMap((feature) => partsOf(projects).map((place) => heads.get([feature, place])))
  return {
    lastId: Math.max(0, ...found.map((head) => head?.lastId ?? 0)),
    total: found.reduce((sum, head) => sum + (head?.total ?? 0), 0),
  }
}

export function eventCreators({ creators, events }: Tables, projects?: readonly string[]): EventCreator[] {
  const newest = new Map<number, number>()
  for (const place of partsOf(projects)) {
    for (const { key, value } of creators.getRange({ start: [place], end: [place, last] })) {
      newest.set(key[1], Math.max(value, newest.get(key[1]) ?? 0))
    }
  }
  return [...newest]
    .sort(([one], [other]) => one - other)
    .map(([id, event]) => ({ id, createdBy: JSON.parse(String(events.get(event) ?? '{}')).createdBy ?? null }))
}

export interface Look {
  readonly filter: EventFilter
  readonly cursor: EventCursor
  readonly limit: number
  readonly grouped?: boolean | undefined
}

/** Walks along the log of the project, or of all, slice by slice: no transaction is held between them. */
export async function eventPage(tables: Tables, { filter, cursor, limit, grouped }: Look): Promise<EventPage> {
  const [only, another] = filter.projects ?? []
  const place = only !== undefined && another === undefined ? part(only) : everywhere
  const found: Buffer[] = []
  let [searched, lastId, from, more] = [0, 0, cursor, true]
  while (more && searched < limit) {
    tables.root.resetReadTxn()
    const slice = [...logBeside(tables, place, from)]
    for (const { key, value } of slice) {
      const id = key[1]
      from = 'after' in from ? { after: id } : { before: id }
      if (searched === limit || !fits(tables, filter, id, value)) continue
      searched += 1
      lastId = id
      const json = String(tables.events.get(id))
      if (hasText(json, filter.text)) found.push(separator, served(id, grouped === true ? value : {}, json))
    }
    more = slice.length === sliceSize
    await setImmediate()
  }
  return { count: found.length / 2, searched, lastId, json: Buffer.concat(found.slice(1)) }
}

function logBeside({ log }: Tables, place: Place, cursor: EventCursor) {
  const range =
    'after' in cursor
      ? { start: [place, cursor.after], end: [place, last] }
      : { start: [place, cursor.before], end: [place, 0], reverse: true }
  return log.getRange({ ...range, exclusiveStart: true, limit: sliceSize })
}

function served(id: number, { groupType, groupId }: Partial<Columns>, json: string): Buffer {
  const start = JSON.stringify({ id, groupType: groupType ?? undefined, groupId: groupId ?? undefined })
  return Buffer.from(`${start.slice(0, -1)},${json.slice(1)}`)
}

/** What is of something is also part of everything. */
function placesOf(name: string | null): Place[] {
  return name === null ? [everywhere] : [everywhere, part(name)]
}

function partsOf(names: readonly string[] | undefined): Place[] {
  return names === undefined ? [everywhere] : [...new Set(names.map(part))]
}
