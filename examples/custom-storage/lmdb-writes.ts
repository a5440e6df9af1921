import type {
  IdempotencyRecord,
  LoadedProposal,
  OpenKey,
  SettingsPlace,
  SettingsWrite,
  Write,
} from 'express-change-requests'
import { append } from './lmdb-events'
import { putAttempt, putDue, putListed } from './lmdb-lists'
import { part, type Tables } from './lmdb-tables'

const day = 24 * 60 * 60 * 1000

/** Returns false if a concurrent write was first; the surrounding transaction then rolls everything back. */
export function putChangeRequest(tables: Tables, write: Write): boolean {
  const { changeRequest, version, expectedVersion, removed, events, idempotency } = write
  const before = tables.changeRequests.get(changeRequest.id)
  if ((before?.version ?? 0) !== expectedVersion || (removed && before === undefined)) return false
  if (!putOpen(tables, write)) return false
  if (idempotency !== undefined && !putRecord(tables, idempotency)) return false
  if (removed) tables.changeRequests.removeSync(changeRequest.id)
  else tables.changeRequests.putSync(changeRequest.id, { version, changeRequest })
  putListed(tables, write)
  putDue(tables, write)
  putAttempt(tables, write)
  return append(tables, events)
}

/** Takes the next id of the kind. Call inside a transaction. */
export function allocateIds({ numbers }: Tables, kind: 'changeRequest' | 'change', count: number): number[] {
  const lastId = numbers.get(kind) ?? 0
  numbers.putSync(kind, lastId + count)
  return Array.from({ length: count }, (_, index) => lastId + 1 + index)
}

/** Call inside a transaction that assigns ids. */
export function loadProposal(tables: Tables, key: OpenKey, changeIds: number): LoadedProposal {
  const id = tables.open.get(openPlace(key))
  const allocate = (kind: 'changeRequest' | 'change', count: number) =>
    count > 0 ? allocateIds(tables, kind, count) : []
  const [changeRequestId = 0] = allocate('changeRequest', id === undefined && changeIds > 0 ? 1 : 0)
  return {
    open: id === undefined ? undefined : tables.changeRequests.get(id),
    settings: tables.settings.get(settingsPlace(key)),
    changeRequestId,
    changeIds: allocate('change', changeIds),
  }
}

function openPlace({ project, environment, userId }: OpenKey): [string, string, number] {
  return [part(project), part(environment), userId]
}

function putOpen({ open }: Tables, { changeRequest, open: takesChanges, removed }: Write): boolean {
  const place = openPlace({ ...changeRequest, userId: changeRequest.createdBy.id })
  const holder = open.get(place)
  if (takesChanges && !removed) {
    if (holder !== undefined && holder !== changeRequest.id) return false
    open.putSync(place, changeRequest.id)
  } else if (holder === changeRequest.id) open.removeSync(place)
  return true
}

/** Deletes records that are older than a day first. */
function putRecord({ idempotency, idempotencyByAge }: Tables, record: IdempotencyRecord): boolean {
  const { userId, createdAt } = record
  const cutoff = new Date(Date.parse(createdAt) - day).toISOString()
  for (const old of [...idempotencyByAge.getKeys({ end: [cutoff] })]) {
    idempotency.removeSync([old[1] as number, old[2] as string])
    idempotencyByAge.removeSync(old)
  }
  const place: [number, string] = [userId, part(record.key)]
  if (idempotency.get(place) !== undefined) return false
  idempotency.putSync(place, record)
  idempotencyByAge.putSync([createdAt, ...place], true)
  return true
}

export function settingsPlace({ project, environment }: SettingsPlace): [string, string] {
  return [part(project), part(environment)]
}

export function putSettings(tables: Tables, write: SettingsWrite): boolean {
  const { environment, settings, expectedVersion, events } = write
  const place = settingsPlace(write)
  if ((tables.settings.get(place)?.version ?? 0) !== expectedVersion) return false
  tables.settings.putSync(place, { environment, settings, version: expectedVersion + 1 })
  return append(tables, events)
}
