import type { ChangeRequest } from '../domain/change-request'
import type {
  EventCursor,
  EventPage,
  EventRow,
  EventScope,
  OpenKey,
  Storage,
  StoredChangeRequest,
  Write,
} from '../ports/storage'

interface Row {
  readonly version: number
  readonly open: boolean
  readonly key: OpenKey
  /** Text, so that nobody holds a reference into the store. */
  readonly document: string
}

interface LoggedEvent {
  readonly id: number
  readonly project: string | null
  readonly json: string
}

/**
 * A storage in the memory of this process, for tests and demos; everything is gone with the process. It is also the
 * shortest complete adapter.
 */
export function memoryStorage(): Storage {
  const rows = new Map<number, Row>()
  const log: LoggedEvent[] = []
  const lastIds = { changeRequest: 0, change: 0 }

  const openRow = (key: OpenKey) => [...rows.values()].find((row) => row.open && sameKey(row.key, key))

  function append(events: readonly EventRow[]): void {
    const fresh = events.map(({ project, json }, index) => ({
      id: log.length + 1 + index,
      project,
      json: asObject(json),
    }))
    log.push(...fresh)
  }

  return {
    async migrate() {},
    async close() {},
    async health() {
      return { reachable: true, schemaVersion: 0, lastEventId: log.length, durability: 'none' }
    },
    async nextIds(kind, count) {
      const first = lastIds[kind] + 1
      lastIds[kind] += count
      return Array.from({ length: count }, (_, index) => first + index)
    },
    async findOpen(key) {
      const row = openRow(key)
      return row && stored(row)
    },
    async commit(write) {
      const row = toRow(write)
      const before = rows.get(write.changeRequest.id)
      if ((before?.version ?? 0) !== write.expectedVersion) return false
      const rival = row.open ? openRow(row.key) : undefined
      if (rival !== undefined && rival !== before) return false
      append(write.events)
      rows.set(write.changeRequest.id, row)
      return true
    },
    async appendEvents(events) {
      append(events)
    },
    async eventHead(scope) {
      const events = inScope(log, scope)
      return { lastId: events.at(-1)?.id ?? 0, total: events.length }
    },
    async eventPage(scope, cursor, limit) {
      return toPage(beside(inScope(log, scope), cursor).slice(0, limit))
    },
  }
}

function toRow({ changeRequest, version, open }: Write): Row {
  const { project, environment, createdBy } = changeRequest
  const key = { project, environment, userId: createdBy.id }
  return { version, open, key, document: JSON.stringify(changeRequest) }
}

function stored({ version, document }: Row): StoredChangeRequest {
  return { version, changeRequest: JSON.parse(document) as ChangeRequest }
}

function sameKey(one: OpenKey, other: OpenKey): boolean {
  return one.project === other.project && one.environment === other.environment && one.userId === other.userId
}

/** Refuses what is no object before anything is stored, as a database with a JSON column would. */
function asObject(json: string): string {
  JSON.parse(json)
  return json
}

function inScope(log: readonly LoggedEvent[], { project }: EventScope): readonly LoggedEvent[] {
  return project === undefined ? log : log.filter((event) => event.project === project)
}

function beside(events: readonly LoggedEvent[], cursor: EventCursor): LoggedEvent[] {
  if ('after' in cursor) return events.filter(({ id }) => id > cursor.after)
  return events.filter(({ id }) => id < cursor.before).reverse()
}

function toPage(events: readonly LoggedEvent[]): EventPage {
  const json = events.map((event) => `{"id":${event.id},${event.json.slice(1)}`).join(',')
  return { count: events.length, lastId: events.at(-1)?.id ?? 0, json: Buffer.from(json) }
}
