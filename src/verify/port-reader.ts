import { eachEvent, idOf } from '../kernel/log/event-bytes'
import type { ListCursor, StoredChangeRequest } from '../ports/storage/change-requests'
import type { InspectedChangeRequest, InspectedCounts, InspectedEvent } from '../ports/storage/inspection'
import type { Storage } from '../ports/storage/storage'
import { expectedColumns, parsedObject } from './check-event'
import { pageBounds, type Reader } from './reader'

/** How often a change request is read again if it changes meanwhile. */
const maxReads = 100

/** Reads a storage without `inspect`: drafts, and what is stored next to documents and events, are missing. */
export function portReader(storage: Storage): Reader {
  return {
    async *changeRequests() {
      let after: ListCursor | null | undefined
      while (after !== null) {
        const read = () => storage.list({ viewer: null }, { ...(after && { after }), ...pageBounds })
        const page = await read()
        yield await withLastEvents(storage, page.items, async () => (await read()).items)
        after = page.next
      }
    },
    async *events() {
      let after = Number.MIN_SAFE_INTEGER
      for (;;) {
        const page = await storage.eventPage({}, { after }, pageBounds.limit)
        if (page.count === 0) return
        yield eachEvent(page).map(toEvent)
        after = page.lastId
      }
    },
    async *counts() {
      for (const project of ['', ...(await storage.projects())]) yield [await eventCount(storage, project)]
    },
    async *consumers() {
      yield (await storage.consumers?.list()) ?? []
    },
  }
}

/**
 * The newest event of the log between two reads of a change request is not older than its own newest one if it is the same in
 * both. One that changes is read again.
 */
async function withLastEvents(
  storage: Storage,
  first: readonly StoredChangeRequest[],
  readAgain: () => Promise<readonly StoredChangeRequest[]>,
): Promise<InspectedChangeRequest[]> {
  const { lastId } = await storage.eventHead({})
  const again = new Map((await readAgain()).map((one) => [one.changeRequest.id, one.version]))
  const found: InspectedChangeRequest[] = []
  for (const one of first) {
    const { id } = one.changeRequest
    const settled = again.get(id) === one.version ? toInspected(one, lastId) : await readSettled(storage, id)
    if (settled !== undefined) found.push(settled)
  }
  return found
}

async function readSettled(storage: Storage, id: number): Promise<InspectedChangeRequest | undefined> {
  let before = await storage.find({}, id)
  for (let reads = 0; before !== undefined && reads < maxReads; reads += 1) {
    const { lastId } = await storage.eventHead({})
    const after = await storage.find({}, id)
    if (after?.version === before.version) return toInspected(before, lastId)
    before = after
  }
  return undefined
}

function toInspected({ version, changeRequest }: StoredChangeRequest, lastEventId: number): InspectedChangeRequest {
  const { id } = changeRequest
  const sha256 = { stored: null, computed: '' }
  const columns = {} as InspectedChangeRequest['columns']
  return { id, version, changeRequest, sha256, columns, summary: '', searchText: null, subjects: [], lastEventId }
}

function toEvent(bytes: Uint8Array): InspectedEvent {
  const body = parsedObject(bytes)
  const columns = (body === undefined ? {} : expectedColumns(body)) as InspectedEvent['columns']
  return { id: idOf(bytes), columns, json: Buffer.from(bytes).toString() }
}

async function eventCount(storage: Storage, project: string): Promise<InspectedCounts> {
  const { lastId, total } = await storage.eventHead(project === '' ? {} : { projects: [project] })
  const events = total === 0 ? [] : [{ term: '', total, firstId: null, lastId }]
  return { project, newestId: lastId, events, changeRequests: [] }
}
