import type { Change, ChangeRequest, Person } from '../domain/change-request'
import type { ChangeRequestSummary } from '../domain/content/summary'
import type {
  ChangeRequestFilter,
  OpenKey,
  StoredChangeRequest,
  Write,
  WriteBefore,
} from '../ports/storage/change-requests'
import type { EventPage, EventRow, EventScope } from '../ports/storage/events'
import type { IdempotencyRecord } from '../ports/storage/idempotency'
import type { Storage } from '../ports/storage/storage'

export const moment = '2026-03-01T12:00:00.000Z'

export const day = 24 * 60 * 60 * 1000

/** The time `ms` milliseconds after `moment`; before it if negative. */
export function later(ms: number): string {
  return new Date(Date.parse(moment) + ms).toISOString()
}

/** Characters of one to four bytes, and those that JSON escapes. */
export const oddText = 'naïve "quoted" back\\slash / 漢字 👩‍🚀 \u{10ffff} \t\n\r\b\f\u0001\u2028 %_\'$1;--'

const ann: Person = { id: 7, username: 'ann', imageUrl: 'https://example.com/ann.png' }

export const key: OpenKey = { project: 'shop', environment: 'production', userId: ann.id }

/** The properties of a change request that a test sets; the others have fixed values. */
export interface Sample extends Partial<OpenKey> {
  readonly id?: number
  readonly title?: string
  readonly state?: ChangeRequest['state']
  readonly changes?: readonly Change[]
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly schedule?: ChangeRequest['schedule']
}

export function sampleChangeRequest({ userId = key.userId, ...sample }: Sample = {}): ChangeRequest {
  return {
    id: 1,
    project: key.project,
    environment: key.environment,
    title: null,
    state: 'Draft',
    minApprovals: 1,
    changes: [sampleChange(1)],
    approvals: [],
    rejections: [],
    comments: [],
    requestedApprovers: [],
    createdBy: { ...ann, id: userId },
    createdAt: moment,
    updatedAt: sample.createdAt ?? moment,
    stateTimestamps: { Draft: moment },
    schedule: null,
    ...sample,
  }
}

export function sampleChange(id: number, payload: Change['payload'] = { enabled: true }): Change {
  return { id, action: 'updateEnabled', feature: 'checkout', payload, createdBy: ann, createdAt: moment }
}

/** Returns an event with the given `data`. */
export function sampleEvent(data: unknown, project: string | null = key.project): EventRow {
  const columns = {
    ...{ createdAt: moment, type: 'feature-updated', project, environment: null, featureName: 'checkout' },
    createdByUserId: ann.id,
  }
  return {
    ...columns,
    groupType: null,
    groupId: null,
    changeRequestId: null,
    json: JSON.stringify({ ...columns, data }),
  }
}

/** An event that every storage must reject: its JSON is truncated. */
export const brokenEvent: EventRow = { ...sampleEvent('broken'), json: '{"a":' }

/** Returns the first write of a change request. */
export function creation(changeRequest: ChangeRequest, events: readonly EventRow[] = []): Write {
  const summary = sampleSummary(changeRequest)
  return {
    changeRequest,
    summary,
    version: 1,
    expectedVersion: 0,
    before: null,
    searchText: 'of the summary',
    open: true,
    subjects: [],
    dueAt: null,
    applyingSince: null,
    events,
  }
}

/** Returns a summary that a storage cannot derive from the change request. */
export function sampleSummary({
  id,
  project,
  environment,
  title,
  state,
  createdBy,
  createdAt,
  schedule,
}: ChangeRequest): ChangeRequestSummary {
  const columns = { id, project, environment, title, state, createdBy, createdAt, schedule }
  return {
    ...columns,
    stateSince: createdAt,
    features: ['of the summary'],
    segments: [{ id: 4, name: null }],
    reviewedBy: [8, 9],
    scope: 'project',
  }
}

/** Returns the facts of a change request that {@link update} replaces. */
export function listedBefore(changeRequest: ChangeRequest): WriteBefore {
  const { state, scope, reviewedBy } = sampleSummary(changeRequest)
  return { state, scope, reviewedBy, searchText: 'of the summary' }
}

/** Returns the next write of a change request that was read. */
export function update(
  { version, changeRequest }: StoredChangeRequest,
  sample: Sample = {},
  events: readonly EventRow[] = [],
): Write {
  const next = { ...changeRequest, ...sample }
  return {
    changeRequest: next,
    summary: sampleSummary(next),
    version: version + 1,
    expectedVersion: version,
    before: listedBefore(changeRequest),
    searchText: 'of the summary',
    open: true,
    subjects: [],
    dueAt: null,
    applyingSince: null,
    events,
  }
}

/** Stores a change request with a new id; open by default. */
export async function stored(
  storage: Storage,
  sample: Sample = {},
  write: Partial<Write> = {},
): Promise<StoredChangeRequest> {
  const changeRequest = sampleChangeRequest({ id: await freshId(storage), ...sample })
  const won = await storage.commit({ ...creation(changeRequest), ...write })
  if (won !== true)
    throw new Error(
      `commit(write) returned ${won} for a new change request without concurrent writes. It must return true.`,
    )
  return { version: 1, changeRequest }
}

/** Stores a change request that is not open. Its author may have any number of them. */
export async function storedClosed(storage: Storage, sample: Sample, subjects: readonly string[] = []) {
  return stored(storage, { state: 'Approved', ...sample }, { open: false, subjects })
}

export async function findOpen(storage: Storage, key: OpenKey): Promise<StoredChangeRequest | undefined> {
  return (await storage.loadProposal(key, 0)).open
}

export async function freshId(storage: Storage): Promise<number> {
  const [id] = await storage.nextIds('changeRequest', 1)
  if (!Number.isSafeInteger(id)) throw new Error(`nextIds('changeRequest', 1) returned ${id}. It must return an id.`)
  return id as number
}

/** A page larger than all samples. */
export const wholeList = { limit: 1_000, bytes: 2 ** 30 }

/** Returns the ids of all matches, in the order of the list. Throws if the summaries have other ids. */
export async function listedIds(storage: Storage, filter: Partial<ChangeRequestFilter> = {}): Promise<number[]> {
  const list = await storage.list({ viewer: null, ...filter }, wholeList)
  const summaries = await storage.summaries({ viewer: null, ...filter }, wholeList)
  const ids = list.items.map(({ changeRequest }) => changeRequest.id)
  const summarized = summaries.items.map(({ id }) => id)
  if (summarized.join() !== ids.join())
    throw new Error(`list: ${ids}; summaries: ${summarized}; ${JSON.stringify(filter)}`)
  return ids
}

export function sampleRecord(key: string, properties: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  const done = { fingerprint: 'of this call', project: 'shop', changeRequestId: 1, commentId: null }
  return { userId: ann.id, key, createdAt: moment, ...done, ...properties }
}

export interface SeenEvent {
  readonly id: number
  readonly project: string | null
  readonly data: unknown
}

/** Parses the events of a page as a client would. */
export function eventsOf({ json }: EventPage): SeenEvent[] {
  return JSON.parse(`[${textOf(json)}]`)
}

/** Decodes UTF-8; throws if the bytes are invalid. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** Returns all events of the scope, oldest first, from one page. */
export async function allEvents(storage: Storage, scope: EventScope = {}): Promise<SeenEvent[]> {
  return eventsOf(await storage.eventPage(scope, { after: 0 }, 10_000))
}

/** Returns the `data` of all events, oldest first. */
export async function allData(storage: Storage, scope: EventScope = {}): Promise<unknown[]> {
  return (await allEvents(storage, scope)).map(({ data }) => data)
}
