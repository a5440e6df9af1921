import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type {
  EventCreator,
  EventCursor,
  EventFilter,
  EventRow,
  EventSearch,
  EventStorage,
} from 'express-change-requests'
import { isIn, type Store } from './lmdb-store'

type Logged = EventRow & { readonly id: number }

const newest: EventCursor = { before: Number.MAX_SAFE_INTEGER }
const all = Number.MAX_SAFE_INTEGER

/** How many events are read before other requests can run. */
const sliceSize = 1_000

/** The event log. Each read walks over it and compares every event: with a large log, keep counts and indexes instead. */
export function lmdbEvents(store: Store): Omit<EventStorage, 'recountEvents' | 'onAppend'> {
  const ofProjects = (projects?: readonly string[]): EventFilter => (projects === undefined ? {} : { projects })

  return {
    appendEvents: async (events) => {
      await store.write(() => append(store, events))
    },
    async eventHead(scope) {
      let [total, last]: [number, Logged | undefined] = [0, undefined]
      // Oldest first, so that the number and the last event match, even if others append meanwhile.
      for await (const event of walk(store, scope)) [total, last] = [total + 1, event]
      const lastId = Object.keys(scope).length === 0 ? lastEventId(store) : 0
      if (last === undefined) return { lastId, total, fingerprint: '' }
      return { lastId: last.id, total, fingerprint: createHash('sha256').update(last.json).digest('hex').slice(0, 8) }
    },
    async eventPage(filter, cursor, limit, grouped = false) {
      const { found, searched, lastId } = await examine(store, { filter, cursor, offset: 0, limit, maxCounted: limit })
      return { count: found.length, searched, lastId, json: toJson(found, grouped) }
    },
    async searchEvents(search) {
      const { filter, cursor = newest, offset, grouped } = search
      // Only a search for a text is limited; so the total of any other is always exact.
      const maxCounted = filter.query === undefined ? all : search.maxCounted
      const { found, matched, searched, lastId } = await examine(store, { ...search, cursor, maxCounted })
      const total =
        filter.query === undefined ? (await examine(store, { ...search, cursor: newest, maxCounted })).matched : matched
      const isExact = searched < maxCounted
      const isFull = matched > offset + found.length
      return {
        page: { count: found.length, searched, lastId, json: toJson(found, grouped) },
        total,
        isExact,
        next: isFull ? beyond(cursor, found.at(-1)?.id ?? 0) : isExact ? null : beyond(cursor, lastId),
        offsetLeft: Math.max(0, offset - matched),
      }
    },
    eventTraces: (ids) =>
      store.read(() => {
        const traces = ids.map((id) => [id, store.events.get(id)?.trace] as const)
        return new Map(traces.flatMap(([id, trace]) => (trace === undefined ? [] : [[id, trace]])))
      }),
    async eventsPerDay(days, projects) {
      const totals = new Map<string, number>()
      for await (const event of walk(store, { ...days, ...ofProjects(projects) })) {
        totals.set(dayOf(event), (totals.get(dayOf(event)) ?? 0) + 1)
      }
      return [...totals].map(([date, total]) => ({ date, total })).sort((a, b) => (a.date < b.date ? -1 : 1))
    },
    async eventCreators(projects) {
      const creators = new Map<number, EventCreator>()
      for await (const { createdByUserId: id, createdByKind: kind, json } of walk(store, ofProjects(projects))) {
        if (id !== null) creators.set(id, { id, createdBy: JSON.parse(json).createdBy ?? null, ...(kind && { kind }) })
      }
      return [...creators.values()].sort((a, b) => a.id - b.id)
    },
  }
}

/** Call inside a write. Writes run one at a time, so events become visible in the order of their ids. */
export function append(store: Store, events: readonly EventRow[]): true {
  for (const event of events) {
    // An event that is not JSON must not be stored: no page that contains it could be parsed.
    JSON.parse(event.json)
    const id = lastEventId(store) + 1
    store.numbers.putSync('event', id)
    store.events.putSync(id, event)
    if (event.changeRequestId !== null) store.places.putSync(['logged', event.changeRequestId], id)
  }
  return true
}

/** Stays when events are removed. */
export function lastEventId({ numbers }: Store): number {
  return numbers.get('event') ?? 0
}

/** The events that match everything but the text, in slices: other requests run in between, and no transaction stays open. */
async function* walk(store: Store, filter: EventFilter, cursor: EventCursor = { after: 0 }): AsyncGenerator<Logged> {
  for (let from = cursor; ; await setImmediate()) {
    const range = 'after' in from ? { start: from.after } : { start: from.before, reverse: true }
    const slice = await store.read(() => [
      ...store.events.getRange({ ...range, exclusiveStart: true, limit: sliceSize }),
    ])
    for (const { key: id, value } of slice) {
      from = beyond(from, id)
      if (matches(store, { ...value, id }, filter)) yield { ...value, id }
    }
    if (slice.length < sliceSize) return
  }
}

function beyond(cursor: EventCursor, id: number): EventCursor {
  return 'after' in cursor ? { after: id } : { before: id }
}

/** Examines at most `maxCounted` events next to the cursor that match everything but the text. */
async function examine(store: Store, search: Omit<EventSearch, 'grouped'>) {
  const { filter, cursor = newest, offset, limit, maxCounted } = search
  const found: Logged[] = []
  let [searched, matched, lastId] = [0, 0, 0]
  for await (const event of maxCounted === 0 ? [] : walk(store, filter, cursor)) {
    searched += 1
    lastId = event.id
    if (hasText(event, filter.query)) {
      matched += 1
      if (matched > offset && found.length < limit) found.push(event)
    }
    if (searched === maxCounted) break
  }
  return { found, searched, matched, lastId }
}

function toJson(events: readonly Logged[], grouped: boolean): Buffer {
  const served = events.map(({ id, groupType, groupId, json }) => {
    const groups = grouped ? { groupType: groupType ?? undefined, groupId: groupId ?? undefined } : {}
    return `${JSON.stringify({ id, ...groups }).slice(0, -1)},${json.slice(1)}`
  })
  return Buffer.from(served.join(',\n'))
}

function matches({ rows }: Store, event: Logged, { from, to, history, ...lists }: EventFilter): boolean {
  // The subjects that its change request has now.
  const subjectsNow = () => (event.changeRequestId === null ? [] : (rows.get(event.changeRequestId)?.subjects ?? []))
  return (
    isIn(event.id, lists.ids) &&
    isIn(event.project, lists.projects) &&
    isIn(event.featureName, lists.features) &&
    isIn(event.type, lists.types) &&
    isIn(event.environment, lists.environments) &&
    isIn(event.createdByUserId, lists.createdBy) &&
    isIn(event.groupId, lists.groupIds) &&
    isIn(event.changeRequestId, lists.changeRequestIds) &&
    (from === undefined || event.createdAt >= from) &&
    (to === undefined || (to.includes('T') ? event.createdAt < to : dayOf(event) <= to)) &&
    (history === undefined ||
      isIn(event.featureName, history.features) ||
      subjectsNow().some((subject) => history.subjects.includes(subject)))
  )
}

/** UTC, yyyy-mm-dd. */
function dayOf({ createdAt }: EventRow): string {
  return createdAt.slice(0, 10)
}

/** Searches only `data`, `preData` and `tags`, as JSON. Ignores case only for A to Z. */
function hasText({ json }: EventRow, text: string | undefined): boolean {
  if (text === undefined) return true
  const lowerCase = (value: string) => value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const { data, preData, tags } = JSON.parse(json)
  return [data, preData, tags].some((part) => part != null && lowerCase(JSON.stringify(part)).includes(lowerCase(text)))
}
