import type { EventCursor, EventPage, EventRow, EventScope, OpenKey, Storage, Write } from '../ports/storage'
import { MemoryAnswers } from './memory-answers'
import { countStates, type Row, sameKey, search, stored, toRow } from './memory-rows'
import { MemorySettings } from './memory-settings'

interface LoggedEvent {
  readonly id: number
  readonly project: string | null
  readonly json: string
}

/**
 * A storage in the memory of this process, for tests and demos; everything is gone with the process. It is also the
 * shortest complete adapter.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate })
 * ```
 */
export function memoryStorage(): Storage {
  const rows = new Map<number, Row>()
  const settings = new MemorySettings()
  const answers = new MemoryAnswers()
  const log: LoggedEvent[] = []
  const lastIds = { changeRequest: 0, change: 0 }

  const openRow = (key: OpenKey) => [...rows.values()].find((row) => row.open && sameKey(row.key, key))

  function isRefused({ changeRequest, expectedVersion, removed, answers: fresh = [] }: Write, row: Row): boolean {
    const before = rows.get(changeRequest.id)
    if ((before?.version ?? 0) !== expectedVersion || (removed && before === undefined)) return true
    const rival = row.open && !removed ? openRow(row.key) : undefined
    return (rival !== undefined && rival !== before) || answers.refuses(fresh)
  }

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
    async find({ project }, id) {
      const row = rows.get(id)
      return row?.key.project === project ? stored(row) : undefined
    },
    async list(filter, { offset, limit }) {
      return search(rows.values(), filter).slice(offset, offset + limit)
    },
    async countByState(filter) {
      return countStates(search(rows.values(), filter))
    },
    async projects() {
      return [...new Set([...rows.values()].map(({ key }) => key.project))]
    },
    async findSettings({ project, environment }) {
      return settings.of(project, []).find((one) => one.environment === environment)
    },
    async settings(project) {
      const keys = [...rows.values()].map(({ key }) => key).filter((key) => key.project === project)
      return settings.of(
        project,
        keys.map(({ environment }) => environment),
      )
    },
    async findAnswer(key, since) {
      return answers.find(key, since)
    },
    async commit(write) {
      const row = toRow(write)
      if (isRefused(write, row)) return false
      append(write.events)
      answers.keep(write.answers ?? [])
      if (write.removed) rows.delete(write.changeRequest.id)
      else rows.set(write.changeRequest.id, row)
      return true
    },
    async commitSettings(write) {
      if (settings.version(write) !== write.expectedVersion) return false
      append(write.events)
      settings.put(write)
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
