import { constants } from 'node:os'
import type {
  ChangeRequestFilter,
  LoadedProposal,
  State,
  Storage,
  StorageFailure,
  StorageHealth,
  StoredSettings,
} from 'express-change-requests'
import { ABORT } from 'lmdb'
import { lmdbConsumers, putLogId } from './lmdb-consumers'
import { append, eventCreators, eventHead, eventsPerDay, recount } from './lmdb-events'
import {
  duePage,
  dueTimes,
  environmentsOf,
  groupsOf,
  interruptedPage,
  moveHeld,
  pageOf,
  projectsOf,
  putHold,
  reviewsOf,
  search,
} from './lmdb-lists'
import { eventPage, searchEvents } from './lmdb-search'
import { last, openTables, part, type Tables } from './lmdb-tables'
import { allocateIds, loadProposal, putChangeRequest, putSettings, settingsPlace } from './lmdb-writes'

const schemaVersion = 1

/** A storage in an LMDB folder, for any number of processes on one machine. */
export function lmdbStorage({ path }: { readonly path: string }): Storage {
  const tables = openTables(path)
  const { root, numbers, changeRequests, summaries, settings, idempotency } = tables

  /** Reads what all processes have committed; without the reset, LMDB would return its last snapshot. */
  async function read<Value>(query: () => Value): Promise<Value> {
    root.resetReadTxn()
    return query()
  }

  let pendingWrites: Promise<unknown> = Promise.resolve()

  /** Runs `work` in a transaction, which is rolled back if `work` throws or returns false. */
  function write(work: () => boolean): Promise<boolean> {
    const running = transact(work)
    pendingWrites = Promise.allSettled([pendingWrites, running])
    return running
  }

  async function transact(work: () => boolean): Promise<boolean> {
    const outcome: unknown = await root.childTransaction(() => work() || ABORT).catch(rethrow)
    return outcome !== ABORT
  }

  return {
    portVersion: 1,
    migrate: async () => {
      await write(() => {
        const stored = numbers.get('schemaVersion') ?? schemaVersion
        if (stored > schemaVersion) throw new UnsupportedSchemaError(stored)
        numbers.putSync('schemaVersion', schemaVersion)
        putLogId(tables)
        return true
      })
    },
    health: () => read(() => healthOf(tables)).catch(() => unreachable),
    close: async () => {
      await pendingWrites
      await root.close()
    },
    failureOf,
    nextIds: async (kind, count) => {
      let ids: number[] = []
      await write(() => {
        ids = allocateIds(tables, kind, count)
        return true
      })
      return ids
    },
    loadProposal: async (key, changeIds) => {
      if (changeIds === 0) return read(() => loadProposal(tables, key, 0))
      let loaded: LoadedProposal | undefined
      await write(() => {
        loaded = loadProposal(tables, key, changeIds)
        return true
      })
      return loaded as LoadedProposal
    },
    find: ({ project }, id) =>
      read(() => {
        const found = changeRequests.get(id)
        return project === undefined || found?.changeRequest.project === project ? found : undefined
      }),
    list: (filter, page) => read(() => pageOf(tables, filter, page, 'changeRequest', (id) => changeRequests.get(id))),
    summaries: (filter, page) => read(() => pageOf(tables, filter, page, 'summary', (id) => summaries.get(id))),
    countByState: (filter) => read(() => countStates(tables, filter)),
    countGroups: (filter) => read(() => groupsOf(tables, filter)),
    reviews: (search) => read(() => reviewsOf(tables, search, (id) => changeRequests.get(id))),
    due: (page) => read(() => duePage(tables, page)),
    dueTimes: (at) => read(() => dueTimes(tables, at)),
    hold: async (hold) => {
      await write(() => {
        putHold(tables, hold)
        return true
      })
    },
    moveHeld: async (ids, dueAt) => {
      await write(() => {
        moveHeld(tables, ids, dueAt)
        return true
      })
    },
    interrupted: (before, page) => read(() => interruptedPage(tables, before, page)),
    projects: () => read(() => projectsOf(tables)),
    findSettings: (place) => read(() => settings.get(settingsPlace(place))),
    settings: (project) => read(() => settingsOf(tables, project)),
    findIdempotencyRecord: ({ userId, key }, since) =>
      read(() => {
        const record = idempotency.get([userId, part(key)])
        return record !== undefined && record.createdAt >= since ? record : undefined
      }),
    commit: (change) => write(() => putChangeRequest(tables, change)),
    commitSettings: (change) => write(() => putSettings(tables, change)),
    appendEvents: async (events) => {
      await write(() => append(tables, events))
    },
    eventHead: (scope) => read(() => eventHead(tables, scope)),
    eventPage: (filter, cursor, limit, grouped) => eventPage(tables, { filter, cursor, limit, grouped }),
    countEvents: async (filter, cursor, limit) => {
      const { json: _, ...count } = await eventPage(tables, { filter, cursor, limit })
      return count
    },
    searchEvents: (search) => searchEvents(tables, search),
    eventsPerDay: (days, projects) => read(() => eventsPerDay(tables, days, projects)),
    eventCreators: (projects) => read(() => eventCreators(tables, projects)),
    recountEvents: async () => {
      await write(() => recount(tables))
    },
    consumers: lmdbConsumers(tables, read, write),
  }
}

const unreachable: StorageHealth = {
  reachable: false,
  schemaVersion: 0,
  compatible: false,
  lastEventId: 0,
  durability: 'unknown',
}

function healthOf(tables: Tables): StorageHealth {
  const stored = tables.numbers.get('schemaVersion') ?? 0
  return {
    reachable: true,
    schemaVersion: stored,
    compatible: stored === schemaVersion,
    lastEventId: eventHead(tables, {}).lastId,
    durability: 'flushed to the disk at every commit',
  }
}

function countStates(tables: Tables, filter: ChangeRequestFilter): { [state in State]?: number } {
  const counts: { [state in State]?: number } = {}
  for (const { state } of search(tables, filter)) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

/** Environments with change requests or settings, by name. */
function settingsOf(tables: Tables, project: string): StoredSettings[] {
  const unset = [...environmentsOf(tables, project)].map((environment) => ({ environment, settings: null, version: 0 }))
  const set = tables.settings.getRange({ start: [part(project)], end: [part(project), last] })
  const all = new Map([...unset, ...[...set].map(({ value }) => value)].map((row) => [row.environment, row]))
  return [...all.values()].sort((a, b) => (a.environment < b.environment ? -1 : 1))
}

/** Error codes of LMDB (map full, too many readers, key or value too long) and of the system. */
const failures = new Map<unknown, StorageFailure>([
  [-30792, 'full'],
  [constants.errno.ENOSPC, 'full'],
  [-30790, 'busy'],
  [-30781, 'refused-data'],
  [constants.errno.EROFS, 'read-only'],
  [constants.errno.EACCES, 'not-allowed'],
])

/** The folder was written by a release with a newer schema. */
class UnsupportedSchemaError extends Error {
  constructor(stored: number) {
    super(`The folder has schema version ${stored}; this release supports ${schemaVersion}.`)
  }
}

function failureOf(error: unknown): StorageFailure | undefined {
  if (error instanceof UnsupportedSchemaError) return 'unsupported-schema'
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  // These errors have no code.
  if (/closed database|Database is closed/.test(String(message))) return 'unreachable'
  return failures.get(code)
}

/** The error of a failed commit does not contain the reason; LMDB provides it separately. */
async function rethrow(error: Error & { readonly commitError?: Promise<never> }): Promise<never> {
  await error.commitError
  throw error
}
