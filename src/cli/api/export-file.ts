import { createReadStream, existsSync } from 'node:fs'
import { open, truncate } from 'node:fs/promises'
import { UsageError } from '../command'

export type ExportFormat = 'ndjson' | 'csv'

/** What an export file has. */
export interface ExportPart {
  /** Whether its last row is the trailer. */
  readonly isComplete: boolean
  readonly count: number
  readonly firstId: number | null
  readonly lastId: number | null
  /** The size in bytes without a row that was cut off. */
  readonly bytes: number
}

const nothing: ExportPart = { isComplete: false, count: 0, firstId: null, lastId: null, bytes: 0 }
const trailers = { ndjson: '{"trailer":', csv: '#trailer,' }
const idPatterns = { ndjson: /^\{"id":(\d+),/, csv: /^(\d+),/ }
const header = 'id,'
const [lineFeed, quote] = [10, 34]
/** Enough of a row to read its id, and a whole trailer. */
const prefixBytes = 256

/** Reads an export, row by row. @throws UsageError if the file is something else */
export async function readExport(file: string, format: ExportFormat): Promise<ExportPart> {
  if (!existsSync(file)) return nothing
  let part = nothing
  let [offset, isQuoted, rows] = [0, false, 0]
  let prefix: number[] = []
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      offset += 1
      if (byte === quote && format === 'csv') isQuoted = !isQuoted
      if (byte !== lineFeed || isQuoted) {
        if (prefix.length < prefixBytes) prefix.push(byte)
        continue
      }
      part = addRow(part, Buffer.from(prefix).toString(), { format, isFirst: rows === 0, file })
      part = { ...part, bytes: part.isComplete ? part.bytes : offset }
      rows += 1
      prefix = []
    }
  }
  return part
}

function addRow(
  part: ExportPart,
  row: string,
  { format, isFirst, file }: { readonly format: ExportFormat; readonly isFirst: boolean; readonly file: string },
): ExportPart {
  if (row.startsWith(trailers[format])) return { ...part, isComplete: true }
  if (isFirst && format === 'csv' && row.startsWith(header)) return part
  const [, digits] = idPatterns[format].exec(row) ?? []
  if (digits === undefined || part.isComplete)
    throw new UsageError(`--out: ${file} exists and is no export as ${format}.`)
  const id = Number(digits)
  return { ...part, count: part.count + 1, firstId: part.firstId ?? id, lastId: id }
}

/** Removes a row that was cut off. */
export async function keepRows(file: string, { bytes }: ExportPart): Promise<void> {
  if (existsSync(file)) await truncate(file, bytes)
}

/** Replaces the trailer of the second part by one for the whole file. Returns the number of events. */
export async function joinTrailers(file: string, format: ExportFormat, first: ExportPart): Promise<number> {
  const handle = await open(file, 'r+')
  try {
    const { size } = await handle.stat()
    const end = Buffer.alloc(Math.min(size, 2 * prefixBytes))
    await handle.read(end, 0, end.length, size - end.length)
    const at = end.lastIndexOf(lineFeed, end.length - 2) + 1
    const line = end.subarray(at).toString()
    const second = parseTrailer(line, format)
    const joined = {
      count: first.count + second.count,
      firstId: first.firstId ?? second.firstId,
      lastId: second.lastId ?? first.lastId,
    }
    const start = size - end.length + at
    await handle.truncate(start)
    await handle.write(toTrailer(joined, line, format), start)
    return joined.count
  } finally {
    await handle.close()
  }
}

type Trailer = Pick<ExportPart, 'count' | 'firstId' | 'lastId'>

function parseTrailer(line: string, format: ExportFormat): Trailer {
  if (format === 'ndjson') return JSON.parse(line).trailer
  const [count, firstId, lastId] = line
    .split(',')
    .slice(1, 4)
    .map((text) => (text === '' ? null : Number(text)))
  return { count: count ?? 0, firstId: firstId ?? null, lastId: lastId ?? null }
}

/** In CSV, the empty cells at its end stay. */
function toTrailer({ count, firstId, lastId }: Trailer, line: string, format: ExportFormat): string {
  if (format === 'ndjson') return `${JSON.stringify({ trailer: { count, firstId, lastId } })}\n`
  return ['#trailer', count, firstId ?? '', lastId ?? '', ...line.split(',').slice(4)].join()
}
