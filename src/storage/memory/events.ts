import type { StoredConsumer } from '../../ports/storage/consumers'
import {
  beyond,
  type EventCreator,
  type EventCursor,
  type EventFilter,
  type EventHead,
  type EventPage,
  type EventRow,
  type EventScope,
  type EventSearch,
  type EventsOfDay,
  eventFingerprint,
  type FoundEvents,
  givenLists,
  isInstant,
  newest,
} from '../../ports/storage/events'
import type { ConsumerGauge } from '../../ports/storage/gauges'

interface Logged extends EventRow {
  readonly id: number
}

/** The event log of the memory storage. Each call reads every event. */
export class MemoryEvents {
  #log: Logged[] = []
  #lastId = 0
  readonly #subjectsOf: (changeRequestId: number) => readonly string[]

  constructor(subjectsOf: (changeRequestId: number) => readonly string[]) {
    this.#subjectsOf = subjectsOf
  }

  append(rows: readonly EventRow[]): void {
    // Rejects invalid JSON before anything is stored, like a JSON column of a database.
    for (const { json } of rows) JSON.parse(json)
    for (const row of rows) this.#log.push({ ...row, id: ++this.#lastId })
  }

  remove(upToId: number): void {
    this.#log = this.#log.filter(({ id }) => id > upToId)
  }

  head(scope: EventScope): EventHead {
    const events = this.#log.filter(this.#fits(scope))
    const last = events.at(-1)
    // The newest id of the whole log stays even if all events were removed.
    const lastId = last?.id ?? (Object.keys(scope).length === 0 ? this.#lastId : 0)
    return { lastId, total: events.length, fingerprint: last ? eventFingerprint(last.json) : '' }
  }

  /** The newest event of the change request; 0 if there is none. */
  lastIdOf(changeRequestId: number): number {
    return this.#log.findLast((event) => event.changeRequestId === changeRequestId)?.id ?? 0
  }

  count(filter: EventFilter, cursor: EventCursor, limit: number): Omit<EventPage, 'json'> {
    return this.#match(filter, cursor, limit).count
  }

  page(filter: EventFilter, cursor: EventCursor, limit: number, grouped: boolean): EventPage {
    const { found, count } = this.#match(filter, cursor, limit)
    return { ...count, json: Buffer.from(found.map((event) => eventJson(event, grouped)).join(',\n')) }
  }

  search({ filter, cursor = newest, offset, limit, grouped }: EventSearch): FoundEvents {
    const skipped = this.#match(filter, cursor, offset).count
    const start = offset === 0 ? cursor : beyond(cursor, skipped.lastId)
    const page = this.page(filter, start, skipped.searched < offset ? 0 : limit, grouped)
    const total = this.#log.filter(this.#fits(filter)).length
    const next = page.searched === limit && limit > 0 ? beyond(cursor, page.lastId) : null
    return { page, total, isExact: true, next, offsetLeft: 0 }
  }

  days({ from, to }: { readonly from: string; readonly to: string }, projects?: readonly string[]): EventsOfDay[] {
    const totals = new Map<string, number>()
    for (const { createdAt, project } of this.#log) {
      const date = dayOf(createdAt)
      if (date >= from && date <= to && isIn(project, projects)) totals.set(date, (totals.get(date) ?? 0) + 1)
    }
    return [...totals].map(([date, total]) => ({ date, total })).sort((a, b) => (a.date < b.date ? -1 : 1))
  }

  creators(projects?: readonly string[]): EventCreator[] {
    const creators = new Map<number, EventCreator>()
    for (const event of this.#log) {
      const { createdByUserId: id, createdByKind: kind } = event
      if (id === null || !isIn(event.project, projects)) continue
      creators.set(id, { id, createdBy: JSON.parse(event.json).createdBy ?? null, ...(kind && { kind }) })
    }
    return [...creators.values()].sort((one, other) => one.id - other.id)
  }

  traces(ids: readonly number[]): Map<number, string> {
    const found = this.#log.filter(({ id }) => ids.includes(id))
    return new Map(found.flatMap(({ id, trace }) => (trace === undefined ? [] : [[id, trace] as const])))
  }

  gaugeOf({ name, position }: StoredConsumer): ConsumerGauge {
    const since = this.#log.find(({ id }) => id > position)?.createdAt ?? null
    return { name, lag: Math.max(0, this.#lastId - position), since }
  }

  projects(): string[] {
    return this.#log.flatMap(({ project }) => project ?? [])
  }

  #match(filter: EventFilter, cursor: EventCursor, limit: number) {
    const remaining =
      'after' in cursor
        ? this.#log.filter(({ id }) => id > cursor.after)
        : this.#log.filter(({ id }) => id < cursor.before).reverse()
    const examined = remaining.filter(this.#fits(filter)).slice(0, limit)
    const found = examined.filter((event) => hasText(event, filter.query))
    return { found, count: { count: found.length, searched: examined.length, lastId: examined.at(-1)?.id ?? 0 } }
  }

  /** Whether an event matches everything except the text. */
  #fits(filter: EventFilter): (event: Logged) => boolean {
    const { from, to, history } = filter
    const lists = givenLists(filter)
    return (event) =>
      lists.every(({ column, values }) => isIn<string | number>(event[column], values)) &&
      (from === undefined || event.createdAt >= from) &&
      (to === undefined || (isInstant(to) ? event.createdAt < to : dayOf(event.createdAt) <= to)) &&
      (history === undefined || isIn(event.featureName, history.features) || this.#touches(event, history.subjects))
  }

  #touches({ changeRequestId }: Logged, subjects: readonly string[]): boolean {
    return changeRequestId !== null && this.#subjectsOf(changeRequestId).some((subject) => subjects.includes(subject))
  }
}

function dayOf(createdAt: string): string {
  return createdAt.slice(0, 'yyyy-mm-dd'.length)
}

function isIn<Value>(value: Value | null, list: readonly Value[] | undefined): boolean {
  return list === undefined || (value !== null && list.includes(value))
}

function hasText({ json }: Logged, text: string | undefined): boolean {
  if (text === undefined) return true
  const { data, preData, tags } = JSON.parse(json)
  return [data, preData, tags].some((part) => part != null && lowerCase(JSON.stringify(part)).includes(lowerCase(text)))
}

/** Lower case for A to Z only, as in the databases. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function eventJson({ id, groupType, groupId, json }: Logged, grouped: boolean): string {
  const groups = grouped ? JSON.stringify({ groupType: groupType ?? undefined, groupId: groupId ?? undefined }) : '{}'
  const group = groups === '{}' ? '' : `${groups.slice(1, -1)},`
  return `{"id":${id},${group}${json.slice(1)}`
}
