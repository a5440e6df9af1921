import { ClientError } from './client-error'
import type { CallOptions } from './client-options'
import { type EventFilter, toEventQuery } from './event-calls'
import type { Sender } from './send'

/**
 * How far an export is.
 *
 * @example
 * ```ts
 * const onProgress = ({ events }: ExportProgress) => console.log(`${events} events`)
 * ```
 */
export interface ExportProgress {
  /** Events of which all has arrived. */
  readonly events: number
  /** Bytes that have arrived. */
  readonly bytes: number
}

/**
 * How events are exported.
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
  /** One JSON a line, or a table. */
  readonly format: 'ndjson' | 'csv'
  /** By id. @defaultValue 'desc' */
  readonly order?: 'asc' | 'desc' | undefined
  /** Only events below this id. */
  readonly before?: number | undefined
  /** Only events above this id. */
  readonly after?: number | undefined
  /** Called for each piece that arrives. */
  readonly onProgress?: (progress: ExportProgress) => void
}

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' }
const trailers = { ndjson: '{"trailer":', csv: '#trailer,' }
const lineFeed = 10
const quote = 34

/**
 * All events that match, as bytes for a file. The stream fails with the ClientError `IncompleteExport` when the file has no
 * trailer in its last line, that is, when it was cut off. @throws ClientError
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
      const message = 'The export was cut off: its last line is no trailer.'
      controller.error(new ClientError({ status: 0, name: 'IncompleteExport', message }))
    },
  })
}

/** Counts the events in what arrives: whole rows, but for the names of the columns and the last one, which is the trailer. */
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

/** The end of a file: longer than any trailer. */
function tail(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  const length = 512
  if (chunk.length >= length) return chunk.slice(-length)
  const both = new Uint8Array(before.length + chunk.length)
  both.set(before)
  both.set(chunk, before.length)
  return both.slice(-length)
}
