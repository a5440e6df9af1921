import { ClientError } from './client-error'
import type { CallOptions } from './client-options'
import { type EventFilter, toEventQuery } from './event-calls'
import type { Sender } from './send'

/**
 * The progress of an export.
 *
 * @example
 * ```ts
 * const onProgress = ({ events }: ExportProgress) => console.log(`${events} events`)
 * ```
 */
export interface ExportProgress {
  /** Events received completely. */
  readonly events: number
  /** Bytes received. */
  readonly bytes: number
}

/**
 * Options of an export.
 *
 * @example
 * ```ts
 * const options: ExportOptions = { format: 'csv', onProgress: ({ events }) => console.log(events) }
 * const file = await client.exportEvents({ project: 'shop' }, options)
 *
 * declare const client: Client
 * ```
 */
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
const lineFeed = 10
const quote = 34

/**
 * Exports all matching events as bytes for a file. The stream fails with the ClientError `IncompleteExport` if the last line
 * is not the trailer: the export was cut off. @throws ClientError
 */
export async function exportEvents(
  sender: Sender,
  filter: EventFilter,
  options: ExportOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { format, order, before, after, signal } = options
  const response = await sender.fetch('/search/events', {
    query: { ...toEventQuery(filter), order, before, after },
    headers: { Accept: mediaTypes[format] },
    signal,
  })
  const body = response.body ?? new ReadableStream({ start: (controller) => controller.close() })
  return body.pipeThrough(checkedExport(format, options.onProgress))
}

function checkedExport(format: 'ndjson' | 'csv', onProgress: ExportOptions['onProgress']) {
  const count = rowCounter(format)
  let bytes = 0
  let lastRow: Uint8Array = new Uint8Array()
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      lastRow = tail(lastRow, chunk)
      onProgress?.({ events: count(chunk), bytes })
      controller.enqueue(chunk)
    },
    flush(controller) {
      const text = new TextDecoder().decode(lastRow)
      const last = text.trimEnd().split('\n').at(-1) ?? ''
      if (text.endsWith('\n') && last.startsWith(trailers[format])) return
      const message = 'The export is incomplete: its last line is not the trailer. Export again.'
      controller.error(new ClientError({ status: 0, name: 'IncompleteExport', message }))
    },
  })
}

/** Counts received events: complete rows, without the header row of CSV and the trailer. */
function rowCounter(format: 'ndjson' | 'csv'): (chunk: Uint8Array) => number {
  let rows = format === 'csv' ? -2 : -1
  let isQuoted = false
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === quote && format === 'csv') isQuoted = !isQuoted
      if (byte === lineFeed && !isQuoted) rows += 1
    }
    return Math.max(rows, 0)
  }
}

/** The last bytes of a file, more than the longest trailer. */
function tail(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  const length = 512
  if (chunk.length >= length) return chunk.slice(-length)
  const both = new Uint8Array(before.length + chunk.length)
  both.set(before)
  both.set(chunk, before.length)
  return both.slice(-length)
}
