import type { InspectedCounts, InspectedEvent } from '../ports/storage/inspection'
import { checkEvent, expectedColumns, isRecorded, parsedObject } from './check-event'
import { EventCounts } from './event-counts'
import { IdSet } from './id-set'
import type { Verification } from './verification'

/** What the log says, for the comparison with change requests. */
export interface ScannedLog {
  /** When the oldest event was written; null for an empty log. */
  readonly oldest: string | null
  /** The change requests that it created and did not discard. */
  readonly created: IdSet
  /** The change requests of events that were found: their state does not follow from the others. */
  readonly damaged: ReadonlySet<unknown>
}

/** Reads the log up to an id, and compares events with their columns, and their number with the stored counts. */
export async function verifyEvents(verification: Verification, newestId: number): Promise<ScannedLog> {
  const { storage, reader, findings, checked, skipped, codes, pause } = verification
  const stored: InspectedCounts[] = []
  if (!codes.has('counts')) {
    for await (const page of reader.counts()) {
      stored.push(...page)
      await pause('counts', stored.length)
    }
    compareStates(verification, stored)
  }
  const counts = new EventCounts(stored, newestId, storage.inspect === undefined)
  const end = Math.max(newestId, ...stored.map((one) => one.newestId))
  const created = new IdSet()
  const damaged = new Set<unknown>()
  let oldest: string | null = null
  let before = Number.MIN_SAFE_INTEGER
  for await (const page of reader.events()) {
    for (const event of page) {
      if (event.id > end) break
      const total = findings.total
      if (event.id <= before) findings.add('events', event.id, `an id greater than ${before}`, `${event.id}`)
      before = event.id
      checkEvent(event, findings)
      if (findings.total > total) for (const id of changeRequestsOf(event)) damaged.add(id)
      counts.add(event)
      checked.events += 1
      oldest ??= String(event.columns.createdAt)
      if (isRecorded(event.columns.type)) skipped.recorded += 1
      noteLife(event, created)
    }
    await pause('events', checked.events)
    if (before >= end) break
  }
  if (!codes.has('counts')) counts.compare(findings)
  return { oldest, created, damaged }
}

function compareStates({ findings }: Verification, all: readonly InspectedCounts[]): void {
  for (const { project, changeRequests } of all) {
    for (const { name, stored, counted } of changeRequests) {
      if (stored === counted) continue
      const what = `change requests of ${project} (${name})`
      findings.add('counts', null, `${what}: ${counted}`, `${what}: ${stored}`)
    }
  }
}

function noteLife({ columns: { type, changeRequestId: id } }: InspectedEvent, created: IdSet): void {
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) return
  if (type === 'change-request-created') created.add(id)
  else if (type === 'change-request-discarded') created.delete(id)
}

/** That of the columns, and that of the body. */
function changeRequestsOf({ columns, json }: InspectedEvent): unknown[] {
  const body = parsedObject(json)
  return [columns.changeRequestId, ...(body === undefined ? [] : [expectedColumns(body).changeRequestId])]
}
