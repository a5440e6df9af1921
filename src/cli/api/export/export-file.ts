import { createReadStream, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { UsageError } from '../../command'
import {
  type ExportFormat,
  headerMark,
  idOf,
  isTrailer,
  nouns,
  parseTrailer,
  type Row,
  readRows,
  type Trailer,
  toTrailerRow,
} from './rows'

export interface ExportPart {
  readonly file: string
  readonly format: ExportFormat
  /** The first row of CSV. */
  readonly header: Row | undefined
  readonly count: number
  readonly firstId: number | null
  readonly lastId: number | null
  /** The size of the header and of the rows before the trailer, in bytes. */
  readonly bytes: number
  /** Undefined for an interrupted export. */
  readonly trailer: Trailer | undefined
  /** The row at the end that was cut off. */
  readonly cut: Row | undefined
}

/** @throws UsageError that names the file, which stays as it is */
export function refuseFile({ file }: Pick<ExportPart, 'file'>, reason: string): UsageError {
  return new UsageError(`--out: ${file} exists and ${reason} Export into another file.`)
}

export function rowsOfFile({ file, format }: Pick<ExportPart, 'file' | 'format'>): AsyncGenerator<Row> {
  return readRows(createReadStream(file) as AsyncIterable<Buffer>, format)
}

/** Reads an export, row by row. @throws UsageError if the file is something else, such as a directory or a pipe */
export async function readExport(file: string, format: ExportFormat): Promise<ExportPart> {
  const nothing = { file, format, count: 0, firstId: null, lastId: null, bytes: 0 }
  let part: ExportPart = { ...nothing, header: undefined, trailer: undefined, cut: undefined }
  const stats = statSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return part
  // A device or a pipe cannot be compared and continued, and reading it might never end.
  if (!stats.isFile()) throw new UsageError(`--out: ${file} is not a regular file. Export into a file.`)
  try {
    for await (const row of rowsOfFile(part)) part = addRow(part, row)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--out: ${(error as Error).message}`)
  }
  return part
}

function addRow(part: ExportPart, row: Row): ExportPart {
  const { format, trailer } = part
  if (trailer !== undefined) throw refuseFile(part, 'has rows after its trailer.')
  if (!row.isWhole) return { ...part, cut: row }
  if (isTrailer(row, format)) {
    const read = parseTrailer(row, format)
    if (read?.count === part.count && read.firstId === part.firstId && read.lastId === part.lastId)
      return { ...part, trailer: read }
    throw refuseFile(part, `has a trailer that does not match its ${part.count} ${nouns[format]}s.`)
  }
  const bytes = part.bytes + row.bytes.length
  if (format === 'csv' && part.bytes === 0 && row.bytes.toString().startsWith(headerMark))
    return { ...part, header: row, bytes }
  const id = idOf(row, format)
  if (id === undefined || (format === 'csv' && part.header === undefined))
    throw refuseFile(part, format === 'requests' ? 'is no export of change requests.' : `is no export as ${format}.`)
  if (id <= (part.lastId ?? 0))
    throw refuseFile(part, `has ${nouns[format]} ${id} after ${nouns[format]} ${part.lastId}.`)
  return { ...part, count: part.count + 1, firstId: part.firstId ?? id, lastId: id, bytes }
}

const blockBytes = 1 << 16

/**
 * Writes the rows behind those of the file, and a trailer for the whole file. If an error ends the rows, the file has those
 * before it. Returns the number of new rows. @throws Error if another process wrote the file at the same time
 */
export async function appendRows(part: ExportPart, rows: AsyncIterable<Row>): Promise<number> {
  const { file, format } = part
  let { count, firstId, lastId } = part
  const handle = await open(file, 'a')
  try {
    await handle.truncate(part.bytes)
    const blocks = blockWriter(handle)
    try {
      for await (const row of rows) {
        const id = idOf(row, format)
        if (id !== undefined) [count, firstId, lastId] = [count + 1, firstId ?? id, id]
        const isEnd = isTrailer(row, format)
        await blocks.add(isEnd ? Buffer.from(toTrailerRow(row, format, { count, firstId, lastId })) : row.bytes)
      }
    } finally {
      await blocks.flush()
    }
    const { size } = await handle.stat()
    if (size !== part.bytes + blocks.written()) {
      throw new Error(`${file} was written by another process at the same time. Export into another file.`)
    }
  } finally {
    await handle.close()
  }
  return count - part.count
}

function blockWriter(handle: FileHandle) {
  const block: Buffer[] = []
  let [pending, written] = [0, 0]
  async function flush(): Promise<void> {
    await handle.appendFile(Buffer.concat(block.splice(0)))
    written += pending
    pending = 0
  }
  return {
    async add(bytes: Buffer): Promise<void> {
      block.push(bytes)
      pending += bytes.length
      if (pending >= blockBytes) await flush()
    },
    flush,
    written: () => written,
  }
}
