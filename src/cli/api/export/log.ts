import type { Client, EventQuery } from '../../../client/index'
import { type ExportPart, refuseFile, rowsOfFile } from './export-file'
import {
  type ExportFormat,
  idOf,
  isTrailer,
  parseTrailer,
  type Row,
  readRows,
  type Trailer,
  trailerMarks,
} from './rows'

export interface Log {
  readonly client: Client
  readonly filter: EventQuery
  readonly format: ExportFormat
  readonly signal?: AbortSignal
}

/** An export without rows: the header of CSV, and a trailer with the filter. */
async function readEmptyExport(log: Log): Promise<{ readonly header: Row | undefined; readonly trailer: Trailer }> {
  const rows: Row[] = []
  const aboveAll = Number.MAX_SAFE_INTEGER - 1
  for await (const row of rowsAfter(log, aboveAll)) rows.push(row)
  const end = rows.pop()
  const trailer = end && parseTrailer(end, log.format)
  if (trailer === undefined) throw new Error('The server sent no trailer.')
  return { header: rows[0], trailer }
}

/** The export of everything above an id. @throws ClientError */
export async function* rowsAfter(log: Log, after: number, before?: number): AsyncGenerator<Row> {
  const { client, filter, format, signal } = log
  const bytes = await (format === 'requests'
    ? client.exportChangeRequests(
        { project: filter.project?.length ? [filter.project].flat() : undefined },
        { after, signal },
      )
    : client.exportEvents(filter, { format, order: 'asc', after, before, signal }))
  yield* readRows(bytes as unknown as AsyncIterable<Uint8Array>, format)
}

/** The events from one id to another, both included. In several requests, so that none takes long. */
export async function* eventsBetween(log: Log, from: number, to: number, idsPerRequest = 50_000): AsyncGenerator<Row> {
  for (let after = from - 1; after < to; after += idsPerRequest) {
    const before = Math.min(after + idsPerRequest, to) + 1
    let isHeader = log.format === 'csv'
    for await (const row of rowsAfter(log, after, before)) {
      if (!isHeader && !isTrailer(row, log.format)) yield row
      isHeader = false
    }
  }
}

/**
 * Checks that the file is the beginning of what the log exports now: its header, its filter, and each event byte for byte. Change
 * requests change, so they are not compared.
 * Events that are older than the log, because they were removed from it, cannot be compared. @throws UsageError
 */
export async function checkFile(part: ExportPart, log: Log): Promise<void> {
  const { header, trailer, lastId } = part
  const empty = await readEmptyExport(log)
  if (header !== undefined && !empty.header?.bytes.equals(header.bytes))
    throw refuseFile(part, 'has other columns than the log.')
  const [theirs, ours] = [trailer?.filter, empty.trailer.filter].map((filter) => JSON.stringify(filter))
  if (theirs !== undefined && ours !== undefined && theirs !== ours)
    throw refuseFile(part, `was exported with the filter ${theirs}, not ${ours}.`)
  if (lastId !== null && log.format !== 'requests') await compareEvents(part, log, lastId)
}

async function compareEvents(part: ExportPart, log: Log, lastId: number): Promise<void> {
  // Of any project, as far as the key can read them.
  const [first, last] = await Promise.all([
    log.client.searchEvents({}, { after: 0, limit: 1 }),
    log.client.searchEvents({}, { limit: 1 }),
  ])
  const [oldest, newest] = [first.body.events[0]?.id, last.body.events[0]?.id]
  if (oldest === undefined || newest === undefined)
    throw refuseFile(part, 'cannot be compared: the key can read no event. Check the permission READ_EVENTS.')
  if (lastId > newest) throw refuseFile(part, `has event ${lastId}, but the log ends with event ${newest}.`)
  const logged = eventsBetween(log, oldest, lastId)
  try {
    let compared = 0
    for await (const row of rowsOfFile(part)) {
      const id = row.isWhole ? idOf(row, part.format) : undefined
      if (id === undefined || id < oldest) continue
      const { value } = await logged.next()
      if (!value?.bytes.equals(row.bytes))
        throw refuseFile(part, describeDifference(id, value && idOf(value, part.format)))
      compared += 1
    }
    const { value: missing } = await logged.next()
    if (missing) throw refuseFile(part, `lacks event ${idOf(missing, part.format)} of the log.`)
    if (compared === 0) throw refuseFile(part, 'cannot be compared: the log has none of its events any more.')
  } finally {
    await logged.return(undefined)
  }
}

function describeDifference(id: number, logged: number | undefined): string {
  if (logged === id) return `has another event ${id} than the log.`
  if (logged !== undefined && logged < id) return `lacks event ${logged} of the log.`
  return `has event ${id}, which the log does not export.`
}

/** Checks that the row that was cut off is the beginning of the next row; a change request may have changed. @throws UsageError */
export function checkCut(part: ExportPart, next: Row): void {
  const { cut, format } = part
  if (cut === undefined || format === 'requests') return
  const mark = Buffer.from(trailerMarks[format])
  const common = Math.min(mark.length, cut.bytes.length)
  const isTrailer = mark.subarray(0, common).equals(cut.bytes.subarray(0, common))
  if (isTrailer || next.bytes.subarray(0, cut.bytes.length).equals(cut.bytes)) return
  throw refuseFile(part, 'ends in the middle of a row that the log does not have.')
}
