import { createHash } from 'node:crypto'
import type { EventCreator, EventHead, EventRow, EventScope, EventsOfDay } from 'express-change-requests'
import { type Columns, everywhere, last, type Place, part, type Tables } from './lmdb-tables'

/** Call inside a write. Writes run one at a time, so events become visible in the order of their ids. */
export function append(tables: Tables, events: readonly EventRow[]): true {
  for (const { json, ...columns } of events) {
    // Text with half of a surrogate pair must not be stored: no page that contains it could be read.
    JSON.parse(json)
    const id = (tables.numbers.get('event') ?? 0) + 1
    tables.numbers.putSync('event', id)
    tables.events.putSync(id, Buffer.from(json))
    for (const place of placesOf(columns.project)) tables.log.putSync([place, id], columns)
    count(tables, id, columns)
  }
  return true
}

function count({ heads, creators, days }: Tables, id: number, columns: Columns): void {
  const { project, featureName, createdByUserId } = columns
  for (const place of placesOf(project)) {
    const day: [Place, string] = [place, dayOf(columns)]
    days.putSync(day, (days.get(day) ?? 0) + 1)
    for (const feature of placesOf(featureName)) {
      heads.putSync([feature, place], { lastId: id, total: (heads.get([feature, place])?.total ?? 0) + 1 })
    }
    if (createdByUserId !== null) creators.putSync([place, createdByUserId], id)
  }
}

/** Call inside a write, so that no other event is added in between. */
export function recount(tables: Tables): true {
  const whole: [Place, Place] = [everywhere, everywhere]
  const newest = tables.heads.get(whole)?.lastId
  tables.heads.clearSync()
  // Readers of the log continue from there, even if all events were removed.
  if (newest !== undefined) tables.heads.putSync(whole, { lastId: newest, total: 0 })
  tables.creators.clearSync()
  tables.days.clearSync()
  const all = tables.log.getRange({ start: [everywhere, 0], end: [everywhere, last] })
  for (const { key, value } of all) count(tables, key[1], value)
  return true
}

export function eventHead({ heads, events }: Tables, { projects, features }: EventScope): EventHead {
  const found = partsOf(features).flatMap((feature) => partsOf(projects).map((place) => heads.get([feature, place])))
  const lastId = Math.max(0, ...found.map((head) => head?.lastId ?? 0))
  const newest = events.get(lastId)
  return {
    lastId,
    total: found.reduce((sum, head) => sum + (head?.total ?? 0), 0),
    fingerprint: newest === undefined ? '' : createHash('sha256').update(newest).digest('hex').slice(0, 8),
  }
}

export function eventCreators({ creators, events, log }: Tables, projects?: readonly string[]): EventCreator[] {
  const newest = new Map<number, number>()
  for (const place of partsOf(projects)) {
    for (const { key, value } of creators.getRange({ start: [place], end: [place, last] })) {
      newest.set(key[1], Math.max(value, newest.get(key[1]) ?? 0))
    }
  }
  return [...newest]
    .sort(([a], [b]) => a - b)
    .map(([id, event]) => {
      const { createdBy = null } = JSON.parse(String(events.get(event) ?? '{}'))
      const kind = log.get([everywhere, event])?.createdByKind
      return { id, createdBy, ...(kind && { kind }) }
    })
}

/** Reads the counts that each append updates. */
export function eventsPerDay(
  { days }: Tables,
  { from, to }: { readonly from: string; readonly to: string },
  projects?: readonly string[],
): EventsOfDay[] {
  const totals = new Map<string, number>()
  for (const place of partsOf(projects)) {
    for (const { key, value } of days.getRange({ start: [place, from], end: [place, last] })) {
      if (key[1] > to) break
      totals.set(key[1], (totals.get(key[1]) ?? 0) + value)
    }
  }
  return [...totals].map(([date, total]) => ({ date, total })).sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** An event of a project also counts for all projects. */
function placesOf(name: string | null): Place[] {
  return name === null ? [everywhere] : [everywhere, part(name)]
}

function partsOf(names: readonly string[] | undefined): Place[] {
  return names === undefined ? [everywhere] : [...new Set(names.map(part))]
}

/** UTC, yyyy-mm-dd. */
export function dayOf({ createdAt }: Columns): string {
  return createdAt.slice(0, 10)
}
