import { UsageError } from '../../command'

/** `requests` is NDJSON with change requests; the others have events. */
export type ExportFormat = 'ndjson' | 'csv' | 'requests'

/** What a row of each format has. */
export const nouns = { ndjson: 'event', csv: 'event', requests: 'change request' }

export interface Row {
  readonly bytes: Buffer
  readonly isWhole: boolean
}

export interface Trailer {
  readonly count: number
  readonly firstId: number | null
  readonly lastId: number | null
  /** The filters of the request, by parameter; older servers send none. */
  readonly filter?: unknown
}

export const trailerMarks = { ndjson: '{"trailer":', csv: '#trailer,', requests: '{"trailer":' }
export const headerMark = 'id,createdAt,'

const idPatterns = {
  ndjson: /^\{"id":(\d{1,16}),"(?:createdAt|groupType|groupId)":/,
  csv: /^(\d{1,16}),/,
  requests: /^\{"id":(\d{1,16}),"project":/,
}
/** Enough of a row to read its id. */
const prefixBytes = 40
const csvTrailer = /^#trailer,(\d{1,16}),(\d{0,16}),(\d{0,16}),(?:"((?:[^"]|"")*)"|([^",]*)),*\r\n$/s
const [lineFeed, quote] = [10, 34]
/** Longer than any row. A file without line breaks is no export. */
const maxRowBytes = 1 << 26

/** Splits an export into rows. @throws UsageError for a row that no export has */
export async function* readRows(chunks: AsyncIterable<Uint8Array>, format: ExportFormat): AsyncGenerator<Row> {
  let [pending, size, isQuoted]: [Buffer[], number, boolean] = [[], 0, false]
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    const bytes = Buffer.from(buffer, byteOffset, byteLength)
    let start = 0
    for (let index = 0; index < byteLength; index += 1) {
      if (bytes[index] === quote && format === 'csv') isQuoted = !isQuoted
      if (bytes[index] !== lineFeed || isQuoted) continue
      yield { bytes: Buffer.concat([...pending, bytes.subarray(start, index + 1)]), isWhole: true }
      ;[pending, size, start] = [[], 0, index + 1]
    }
    pending.push(bytes.subarray(start))
    size += byteLength - start
    if (size > maxRowBytes) throw new UsageError('A row is too long for an export.')
  }
  if (size > 0) yield { bytes: Buffer.concat(pending), isWhole: false }
}

/** The id of the event or change request in a row; undefined if the row has none. */
export function idOf({ bytes }: Pick<Row, 'bytes'>, format: ExportFormat): number | undefined {
  const [, digits] = idPatterns[format].exec(bytes.toString('latin1', 0, prefixBytes)) ?? []
  return digits === undefined ? undefined : Number(digits)
}

export function isTrailer({ bytes }: Row, format: ExportFormat): boolean {
  const mark = trailerMarks[format]
  return bytes.toString('latin1', 0, mark.length) === mark
}

export function parseTrailer({ bytes }: Row, format: ExportFormat): Trailer | undefined {
  try {
    if (format !== 'csv') return JSON.parse(bytes.toString()).trailer
    const [, count, firstId, lastId, quoted, plain] = csvTrailer.exec(bytes.toString()) ?? []
    if (count === undefined) return undefined
    const filter = quoted?.replaceAll('""', '"') ?? plain
    return {
      ...{ count: Number(count), firstId: toId(firstId), lastId: toId(lastId) },
      ...(filter && { filter: JSON.parse(filter) }),
    }
  } catch {
    return undefined
  }
}

function toId(cell: string | undefined): number | null {
  return cell ? Number(cell) : null
}

/** The same trailer, for the whole file. */
export function toTrailerRow({ bytes }: Row, format: ExportFormat, { count, firstId, lastId }: Trailer): string {
  const row = bytes.toString()
  if (format === 'csv')
    return row.replace(/^#trailer,\d*,\d*,\d*/, ['#trailer', count, firstId ?? '', lastId ?? ''].join())
  const { trailer } = JSON.parse(row)
  return `${JSON.stringify({ trailer: { ...trailer, count, firstId, lastId } })}\n`
}
