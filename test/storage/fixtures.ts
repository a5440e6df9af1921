import type { ChangeRequest } from '../../src/domain/change-request'
import { listedFacts, summarize } from '../../src/domain/content/summary'
import { dueAt } from '../../src/domain/decisions/schedule'
import { isOpen } from '../../src/domain/lifecycle'
import type { Write } from '../../src/ports/storage/change-requests'
import type { EventRow } from '../../src/ports/storage/events'
import type { IdempotencyRecord } from '../../src/ports/storage/idempotency'
import type { Storage } from '../../src/ports/storage/storage'
import { memoryStorage } from '../../src/storage/memory'
import { postgres, sqlite } from '../support/databases'
import { isNightly } from '../support/nightly'

export const noon = '2026-03-04T12:00:00.000Z'

/** The time this many milliseconds after noon. */
export function afterNoon(ms: number): string {
  return new Date(Date.parse(noon) + ms).toISOString()
}

/** Opens a new store of each kind. */
export const stores: readonly { name: string; open(): Promise<{ storage: Storage; close(): Promise<void> }> }[] = [
  { name: 'memory', open: async () => ({ storage: memoryStorage(), close: async () => {} }) },
  { name: sqlite.name, open: () => sqlite.open() },
  { name: postgres.name, open: () => postgres.open() },
]

/** The same for behaviour that hardly depends on the store: the nightly run adds Postgres. */
export const fewStores = isNightly ? stores : stores.slice(0, 2)

/** A change request of Ann (1) in project shop, environment production; approved, so that everyone can see it. */
export function changeRequest(id: number, properties: Partial<ChangeRequest> & { readonly author?: number } = {}) {
  const { author = id, ...rest } = properties
  return {
    id,
    project: 'shop',
    environment: 'production',
    title: null,
    state: 'Approved',
    minApprovals: 1,
    changes: [],
    approvals: [],
    rejections: [],
    comments: [],
    requestedApprovers: [],
    createdBy: { id: author, username: `user-${author}`, imageUrl: null },
    createdAt: noon,
    updatedAt: noon,
    stateTimestamps: {},
    schedule: null,
    ...rest,
  } satisfies ChangeRequest
}

/** Returns a write of a change request; by default the first one. */
export function write(request: ChangeRequest, properties: Partial<Write> = {}): Write {
  const expectedVersion = properties.expectedVersion ?? 0
  return {
    changeRequest: request,
    summary: summarize(request),
    version: expectedVersion + 1,
    expectedVersion,
    before: expectedVersion === 0 ? null : listedFacts(request),
    searchText: listedFacts(request).searchText,
    open: isOpen(request.state),
    subjects: [],
    dueAt: dueAt(request),
    applyingSince: request.applying?.startedAt ?? null,
    events: [],
    ...properties,
  }
}

export function event(type = 'change-request-created', project: string | null = 'shop'): EventRow {
  return {
    type,
    createdAt: noon,
    project,
    environment: null,
    featureName: null,
    createdByUserId: 1,
    groupType: null,
    groupId: null,
    changeRequestId: null,
    json: JSON.stringify({ type }),
  }
}

export function record(key: string, properties: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  const done = { fingerprint: 'print', project: 'shop', changeRequestId: 1, commentId: null }
  return { userId: 1, key, createdAt: noon, ...done, ...properties }
}

/** A page larger than all samples. */
export const all = { limit: 1_000, bytes: 2 ** 30 }

/** The types of all events, oldest first. */
export async function eventTypes(storage: Storage): Promise<string[]> {
  const { json } = await storage.eventPage({}, { after: 0 }, 1000)
  return (JSON.parse(`[${Buffer.from(json)}]`) as { type: string }[]).map(({ type }) => type)
}
