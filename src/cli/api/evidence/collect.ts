import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportedChangeRequestView } from '../../../generated/index'
import { eventsBetween } from '../export/log'
import { idOf } from '../export/rows'
import { requestOf, skipOf } from './exceptions'
import { folderSink } from './folder'
import { type LoggedEvent, parsed, readLines } from './lines'
import { isWithin, type Period, shifted } from './period'
import { RequestTable } from './request-table'
import type { Source } from './source'

/** The change requests as they were read, and which of them were read again. */
interface ReadRequests {
  readonly table: RequestTable
  readonly again: Map<number, Buffer>
  /** When the oldest one was created, in milliseconds; at most the first instant of the period. */
  oldest: number
}

/** No clock of the host app runs back by more. */
const dayMs = 86_400_000
const rawRequests = 'requests.tmp'
const rawEvents = 'events.tmp'

/**
 * Writes `requests.ndjson` and `events.ndjson`, consistent with each other next to writers: change requests are read first,
 * then the events, and each change request again that has newer events than its line. Returns the id of the last event of the
 * log that was read. Only a change request that was read again can have newer ones, up to its `lastEvent`.
 */
export async function collect(source: Source, period: Period, folder: string): Promise<number> {
  let begin = Date.parse(period.start) - dayMs
  for (;;) {
    const [oldest, asOf] = await collectFrom(source, period, folder, begin)
    if (oldest >= begin) return asOf
    // One was submitted meanwhile that is older than what was read of the log.
    begin = oldest
  }
}

async function collectFrom(source: Source, period: Period, folder: string, earliest: number) {
  const requests = await readRequests(source, period, folder)
  const begin = Math.min(earliest, requests.oldest - dayMs)
  const asOf = await readEvents(source, period, folder, { requests, begin })
  const oldest = requests.oldest - dayMs
  if (oldest >= begin) {
    await writeRequests(folder, requests, source.signal)
    await writeEvents(folder, requests.table, source.signal)
  }
  rmSync(join(folder, rawRequests))
  rmSync(join(folder, rawEvents))
  return [oldest >= begin ? earliest : oldest, asOf] as const
}

async function readRequests(source: Source, period: Period, folder: string): Promise<ReadRequests> {
  const requests = { table: new RequestTable(period), again: new Map(), oldest: Date.parse(period.start) }
  const file = folderSink(folder, source.signal).create(rawRequests)
  try {
    for await (const bytes of source.requests({ changedFrom: shifted(period.start, -1) })) {
      addLine(requests, parsed(bytes))
      file.write(bytes)
      source.progress('requests')
    }
  } finally {
    file.close()
  }
  return requests
}

function addLine(requests: ReadRequests, { id, createdAt, lastEvent }: ExportedChangeRequestView): void {
  requests.table.addLine(id, lastEvent)
  requests.oldest = Math.min(requests.oldest, Date.parse(createdAt))
}

/** Writes the events that can be part of the evidence, and reads stale change requests again. */
async function readEvents(
  source: Source,
  period: Period,
  folder: string,
  { requests, begin }: { readonly requests: ReadRequests; readonly begin: number },
): Promise<number> {
  const { table } = requests
  const file = folderSink(folder, source.signal).create(rawEvents)
  try {
    const asOf = await source.newestEvent()
    const first = (await source.firstEventSince(new Date(begin).toISOString())) ?? asOf + 1
    for await (const { bytes } of eventsBetween(source, first, asOf)) {
      const event = parsed<LoggedEvent>(bytes)
      const isOfRequest = requestOf(event) !== null
      if (isOfRequest) table.addEvent(event)
      if (isOfRequest || (belongsToNoRequest(event) && isWithin(period, event.createdAt))) file.write(bytes)
      source.progress('events')
    }
    const limits = new Map<number, number>()
    for (const { id, project } of table.stale(asOf)) {
      await readAgain(source, id, project, requests)
      limits.set(id, table.lastEventOf(id))
    }
    // Those that changed again have their events up to then. All others end with `asOf`.
    for await (const { bytes } of eventsBetween(source, asOf + 1, Math.max(0, ...limits.values()))) {
      const event = parsed<LoggedEvent>(bytes)
      if (event.id > (limits.get(requestOf(event) ?? 0) ?? 0)) continue
      table.addEvent(event)
      file.write(bytes)
    }
    return asOf
  } finally {
    file.close()
  }
}

/** Whether the evidence has it although it is about no change request. */
export function belongsToNoRequest(event: LoggedEvent): boolean {
  return event.type === 'change-request-configuration-updated' || skipOf(event) !== undefined
}

async function readAgain(source: Source, id: number, project: string, requests: ReadRequests): Promise<void> {
  for await (const bytes of source.requests({ after: id - 1 })) {
    const line = parsed<ExportedChangeRequestView>(bytes)
    if (line.id !== id) break
    addLine(requests, line)
    requests.again.set(id, bytes)
    return
  }
  await source.requireReadable(project)
  requests.table.remove(id)
}

/** By id: what was read first, with what was read again in its place. */
async function* latest(folder: string, { again }: ReadRequests): AsyncGenerator<readonly [id: number, bytes: Buffer]> {
  const later = [...again].sort(([one], [other]) => one - other)
  for await (const bytes of readLines(join(folder, rawRequests))) {
    const id = idOf({ bytes }, 'requests') ?? 0
    while ((later[0]?.[0] ?? id) < id) yield later.shift() as [number, Buffer]
    yield later[0]?.[0] === id ? (later.shift() as [number, Buffer]) : [id, bytes]
  }
  yield* later
}

async function writeRequests(folder: string, requests: ReadRequests, signal: AbortSignal): Promise<void> {
  const { table } = requests
  const file = folderSink(folder, signal).create('requests.ndjson')
  for await (const [id, bytes] of latest(folder, requests)) {
    if (!table.isIncluded(id)) continue
    const events = table.eventsOf(id)
    if (events.at(-1) !== table.lastEventOf(id)) throw new Error(`The log lacks events of the change request ${id}.`)
    const line = bytes.toString().trimEnd()
    file.write(`${line.slice(0, -1)},"events":${JSON.stringify(events)}}\n`)
  }
  file.close()
}

async function writeEvents(folder: string, table: RequestTable, signal: AbortSignal): Promise<void> {
  const file = folderSink(folder, signal).create('events.ndjson')
  for await (const bytes of readLines(join(folder, rawEvents))) {
    const request = requestOf(parsed(bytes))
    if (request !== null && !table.isIncluded(request)) continue
    file.write(bytes)
    file.write('\n')
  }
  file.close()
}
