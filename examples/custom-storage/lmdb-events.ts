import type { EventCursor, EventHead, EventPage, EventRow, EventScope } from 'express-change-requests'
import { everywhere, type Place, part, type Tables } from './lmdb-tables'

const comma = Buffer.from(',')

/** Inside a write: there is one at a time, so ids rise in the order in which events become visible. */
export function append(tables: Tables, events: readonly EventRow[]): true {
  for (const { project, json } of events) {
    // Half a text must not be stored: it would break every page that it is on.
    JSON.parse(json)
    const id = headOf(tables, everywhere).lastId + 1
    tables.events.putSync(id, Buffer.from(`{"id":${id},${json.slice(1)}`))
    const places: Place[] = project === null ? [everywhere] : [everywhere, part(project)]
    for (const place of places) {
      tables.log.putSync([place, id], true)
      tables.heads.putSync(place, { lastId: id, total: headOf(tables, place).total + 1 })
    }
  }
  return true
}

export function eventHead(tables: Tables, scope: EventScope): EventHead {
  return headOf(tables, placeOf(scope))
}

export function eventPage(tables: Tables, scope: EventScope, cursor: EventCursor, limit: number): EventPage {
  const ids = [...idsBeside(tables, placeOf(scope), cursor, limit)]
  const texts = ids.flatMap((id) => [comma, tables.events.get(id) ?? Buffer.alloc(0)])
  return { count: ids.length, lastId: ids.at(-1) ?? 0, json: Buffer.concat(texts.slice(1)) }
}

function idsBeside({ log }: Tables, place: Place, cursor: EventCursor, limit: number): Iterable<number> {
  const range =
    'after' in cursor
      ? { start: [place, cursor.after], end: [place, Number.POSITIVE_INFINITY] }
      : { start: [place, cursor.before], end: [place, 0], reverse: true }
  return log.getKeys({ ...range, exclusiveStart: true, limit }).map(([, id]) => id)
}

function headOf({ heads }: Tables, place: Place): EventHead {
  return heads.get(place) ?? { lastId: 0, total: 0 }
}

function placeOf({ project }: EventScope): Place {
  return project === undefined ? everywhere : part(project)
}
