import type { OpenKey, Write } from '../../ports/storage/change-requests'
import type { Storage } from '../../ports/storage/storage'
import { createAppended } from '../listeners'
import { searchText } from '../search-text'
import { memoryConsumers } from './consumers'
import { dueRows, dueTimes, interruptedRows } from './due'
import { MemoryEvents } from './events'
import { MemoryIdempotency, MemorySettings } from './records'
import {
  counted,
  countStates,
  groupsOf,
  hasKey,
  pageById,
  pageOf,
  type Row,
  reviewsOf,
  search,
  stored,
  summaryOf,
  toRow,
} from './rows'

/**
 * A storage in the memory of this process, for tests and demos. All data is lost when the process ends. It is also the
 * shortest complete adapter.
 *
 * @example
 * ```ts
 * const router = createChangeRequestRouter({ storage: memoryStorage(), authenticate })
 * ```
 */
export function memoryStorage(): Storage {
  return openMemory().storage
}

/** Returns the storage and a function that removes events, which operators of other storages do in the database. */
export function openMemory(): { readonly storage: Storage; removeEvents(upToId: number): Promise<void> } {
  const rows = new Map<number, Row>()
  const settings = new MemorySettings()
  const idempotency = new MemoryIdempotency()
  const events = new MemoryEvents((id) => rows.get(id)?.subjects ?? [])
  const consumers = memoryConsumers()
  const appended = createAppended()
  const lastIds = { changeRequest: 0, change: 0 }

  function allocateIds(kind: keyof typeof lastIds, count: number): number[] {
    const first = lastIds[kind] + 1
    lastIds[kind] += count
    return Array.from({ length: count }, (_, index) => first + index)
  }

  const openRow = (key: OpenKey) => [...rows.values()].find((row) => row.open && hasKey(row, key))

  function isConflict(write: Write, row: Row): boolean {
    const { changeRequest, expectedVersion, removed } = write
    const before = rows.get(changeRequest.id)
    if ((before?.version ?? 0) !== expectedVersion || (removed && before === undefined)) return true
    const other = row.open && !removed ? openRow({ ...row, userId: row.createdBy }) : undefined
    if (other !== undefined && other !== before) return true
    return write.idempotency !== undefined && idempotency.isUsed(write.idempotency)
  }

  const storage: Storage = {
    portVersion: 1,
    async migrate() {},
    async close() {},
    health: async () => ({
      reachable: true,
      schemaVersion: 0,
      compatible: true,
      lastEventId: events.head({}).lastId,
      durability: 'none',
    }),
    // No operation can fail.
    failureOf: () => undefined,
    nextIds: async (kind, count) => allocateIds(kind, count),
    async loadProposal(key, changeIds) {
      const row = openRow(key)
      const [changeRequestId = 0] = row === undefined && changeIds > 0 ? allocateIds('changeRequest', 1) : []
      return {
        open: row && stored(row),
        settings: settings.find(key),
        changeRequestId,
        changeIds: allocateIds('change', changeIds),
      }
    },
    async find({ project }, id) {
      const row = rows.get(id)
      return row && (project === undefined || row.project === project) ? stored(row) : undefined
    },
    list: async (filter, page) => pageOf(search(rows.values(), filter), page, 'document', stored),
    async listById(filter, page) {
      const { rows: found, next } = pageById(rows.values(), filter, page)
      return { items: found.map((row) => ({ ...stored(row), lastEventId: events.lastIdOf(row.id) })), next }
    },
    summaries: async (filter, page) => pageOf(search(rows.values(), filter), page, 'summary', summaryOf),
    countByState: async (filter) => countStates(search(rows.values(), filter)),
    countGroups: async (filter) => groupsOf(search(rows.values(), filter), filter.viewer),
    reviews: async (search) => reviewsOf(rows.values(), search),
    due: async (page) => dueRows(rows.values(), page).map((row) => ({ ...summaryOf(row), dueAt: row.dueAt })),
    dueTimes: async (at) => dueTimes(rows.values(), at),
    async hold(write) {
      if ('ids' in write) {
        for (const id of write.ids) {
          const row = rows.get(id)
          if (row?.held) rows.set(id, { ...row, dueAt: write.dueAt })
        }
        return
      }
      const { changeRequest, summary, version, dueAt } = write
      const row = rows.get(changeRequest.id)
      if (row?.version !== version) return
      const texts = { summary: JSON.stringify(summary), document: JSON.stringify(changeRequest) }
      rows.set(row.id, { ...row, ...texts, held: summary.held !== undefined, dueAt: dueAt ?? row.dueAt })
    },
    interrupted: async (before, page) => interruptedRows(rows.values(), before, page),
    projects: async () => [...new Set([...[...rows.values()].map((row) => row.project), ...events.projects()])],
    findSettings: async (place) => settings.find(place),
    async settings(project) {
      const environments = [...rows.values()].flatMap((row) => (row.project === project ? row.environment : []))
      return settings.of(project, environments)
    },
    findIdempotencyRecord: async (key, since) => idempotency.find(key, since),
    async commit(write) {
      const row = toRow(write)
      if (isConflict(write, row)) return false
      events.append(write.events)
      if (write.idempotency !== undefined) idempotency.put(write.idempotency)
      if (write.removed) rows.delete(write.changeRequest.id)
      else rows.set(write.changeRequest.id, row)
      appended.notify()
      return true
    },
    async commitSettings(write) {
      if (settings.version(write) !== write.expectedVersion) return false
      events.append(write.events)
      settings.put(write)
      appended.notify()
      return true
    },
    async appendEvents(rows) {
      events.append(rows)
      appended.notify()
    },
    eventHead: async (scope) => events.head(scope),
    eventPage: async (filter, cursor, limit, grouped = false) => events.page(filter, cursor, limit, grouped),
    searchEvents: async (search) =>
      search.filter.query === undefined ? events.search(search) : searchText(search, events),
    eventTraces: async (ids) => events.traces(ids),
    gauges: async () => ({
      changeRequests: [...rows.values()].flatMap(counted),
      consumers: (await consumers.list()).map((consumer) => events.gaugeOf(consumer)),
    }),
    eventsPerDay: async (days, projects) => events.days(days, projects),
    eventCreators: async (projects) => events.creators(projects),
    onAppend: (listener) => appended.subscribe(listener),
    consumers,
  }
  return { storage, removeEvents: async (upToId) => events.remove(upToId) }
}
