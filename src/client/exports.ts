import { ClientError } from './client-error'
import type { CallOptions } from './client-options'
import { type EventQuery, toParameters } from './event-calls'
import type { Sender } from './send'

/** The progress of an export. */
export interface ExportProgress {
  /** Events received completely. */
  readonly events: number
  /** Bytes received. */
  readonly bytes: number
}

/** Options of an export. */
export interface ExportOptions extends CallOptions {
  /** `ndjson`: one JSON object per line; `csv`: a table. */
  readonly format: 'ndjson' | 'csv'
  /** By id. @defaultValue 'desc' */
  readonly order?: 'asc' | 'desc' | undefined
  /** Only events below this id. */
  readonly before?: number | undefined
  /** Only events above this id. */
  readonly after?: number | undefined
  /** Called for each received chunk. */
  readonly onProgress?: (progress: ExportProgress) => void
}

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' }
const trailers = { ndjson: '{"trailer":', csv: '#trailer,' }
const [lineFeed, quote] = [10, 34]

/**
 * Exports all matching events as bytes for a file. The stream fails with the ClientError `IncompleteExport` if the last line
 * is not the trailer: the export was cut off. @throws ClientError
 */
export async function exportEvents(
  sender: Sender,
  filter: EventQuery,
  options: ExportOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { format, order, before, after, signal } = options
  const query = { ...toParameters(filter), order, before, after }
  const response = await sender.fetch('/search/events', mediaTypes[format], { query, signal })
  return checkedExport(response, format, options.onProgress)
}

/** Which change requests are exported. The parts combine with AND. */
export interface ChangeRequestExportQuery {
  /** Of one of these projects; absent for all that the caller can read. */
  readonly project?: readonly string[] | undefined
  /** Last changed on this day in UTC or later, `yyyy-MM-dd`; or at this instant or later, `yyyy-MM-ddTHH:mm:ssZ`. */
  readonly changedFrom?: string | undefined
  /** Last changed on this day in UTC or earlier; or before this instant. */
  readonly changedTo?: string | undefined
}

/** Options of an export of change requests. */
export interface ChangeRequestExportOptions extends CallOptions {
  /** Only change requests above this id, to continue an export. */
  readonly after?: number | undefined
}

/**
 * Exports what is stored about all matching change requests, by id and without drafts, as bytes of NDJSON: a line for each, then
 * the trailer. The stream fails as that of events does. @throws ClientError
 */
export async function exportChangeRequests(
  sender: Sender,
  { project, changedFrom, changedTo }: ChangeRequestExportQuery,
  { after, signal }: ChangeRequestExportOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const query = { project, changedFrom, changedTo, after }
  const response = await sender.fetch('/export/change-requests', mediaTypes.ndjson, { query, signal })
  return checkedExport(response, 'ndjson')
}

function checkedExport({ body }: Response, format: 'ndjson' | 'csv', onProgress?: ExportOptions['onProgress']) {
  const bytes = body ?? new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => controller.close() })
  return bytes.pipeThrough(checkTrailer(format, onProgress))
}

function checkTrailer(format: 'ndjson' | 'csv', onProgress: ExportOptions['onProgress']) {
  const rows = readRows(format)
  let bytes = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      const { count } = rows.read(chunk)
      // The header row of CSV and the trailer are no events.
      onProgress?.({ events: Math.max(count - (format === 'csv' ? 2 : 1), 0), bytes })
      controller.enqueue(chunk)
    },
    flush(controller) {
      if (rows.last() === trailers[format]) return
      const message = 'The export is incomplete: its last line is not the trailer. Export again.'
      controller.error(new ClientError({ status: 0, name: 'IncompleteExport', message }))
    },
  })
}

/** Counts complete rows, and keeps the first characters of the last one. */
function readRows(format: 'ndjson' | 'csv') {
  const { length } = trailers[format]
  let count = 0
  let isQuoted = false
  let isEnded = false
  let start: number[] = []
  return {
    read(chunk: Uint8Array) {
      for (const byte of chunk) {
        if (isEnded) start = []
        if (start.length < length) start.push(byte)
        if (byte === quote && format === 'csv') isQuoted = !isQuoted
        isEnded = byte === lineFeed && !isQuoted
        if (isEnded) count += 1
      }
      return { count }
    },
    /** Undefined if the last row has no end. */
    last: () => (isEnded ? String.fromCharCode(...start) : undefined),
  }
}
