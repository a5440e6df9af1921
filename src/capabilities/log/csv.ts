import { semicolonJson, toCell } from '../../kernel/log/csv-row'
import { eachEvent } from '../../kernel/log/event-bytes'
import type { EventPage } from '../../ports/storage/events'

/** The columns of an export, in their order; `data`, `preData` and `tags` are JSON text. */
export const csvColumns = [
  'id',
  'createdAt',
  'type',
  'createdBy',
  'createdByUserId',
  'project',
  'environment',
  'featureName',
  'data',
  'preData',
  'tags',
  'label',
  'summary',
  'ip',
  'groupType',
  'groupId',
] as const

/** Yields to other requests after this number of bytes (less than a millisecond). */
const pieceBytes = 1 << 17

export function* csvRows(page: EventPage): Generator<Uint8Array[]> {
  const row = new Row()
  let piece = Buffer.alloc(0)
  let length = 0
  for (const { buffer, byteOffset, byteLength } of eachEvent(page)) {
    const maxBytes = row.read(Buffer.from(buffer, byteOffset, byteLength))
    if (length + maxBytes > piece.length) {
      if (length > 0) yield [piece.subarray(0, length)]
      piece = Buffer.allocUnsafeSlow(Math.max(pieceBytes, maxBytes))
      length = 0
    }
    length = row.write(piece, length)
  }
  yield [piece.subarray(0, length)]
}

const [quote, comma, semicolon, backslash] = [0x22, 0x2c, 0x3b, 0x5c] as const
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const
const [carriageReturn, lineFeed, letterN] = [0x0d, 0x0a, 0x6e] as const
const columnNames = csvColumns.map((name) => Buffer.from(name))

/** Makes what {@link csvRow} returns of an event, in less time, because its JSON is not parsed. */
class Row {
  /** The cells in the order of the event, after an empty one, each with a comma. */
  #cells = Buffer.alloc(0)
  #length = 0
  readonly #begins = new Uint32Array(csvColumns.length)
  readonly #ends = new Uint32Array(csvColumns.length)

  /** Returns the maximum number of bytes of the row. */
  read(event: Buffer): number {
    const maxBytes = (event.length + csvColumns.length) * semicolonJson.length
    if (this.#cells.length < maxBytes) this.#cells = Buffer.alloc(maxBytes, comma)
    this.#length = 1
    this.#begins.fill(0)
    this.#ends.fill(1)
    let column = -1
    for (let index = 1; index < event.length; index += 1) {
      let endOfName = index + 1
      while (event[endOfName] !== quote) endOfName += 1
      column = columnAt(event, index + 1, endOfName, column + 1)
      const begin = this.#length
      index = this.#addCell(event, endOfName + 2)
      this.#cells[this.#length++] = comma
      if (column < 0) continue
      this.#begins[column] = begin
      this.#ends[column] = this.#length
    }
    return this.#length + csvColumns.length
  }

  /** Writes the cells in the order of the columns; those that are already in this order are copied together. */
  write(piece: Buffer, start: number): number {
    let length = start
    for (let column = 0; column < csvColumns.length; ) {
      const begin = this.#begins[column] as number
      let end = this.#ends[column] as number
      for (column += 1; this.#begins[column] === end; column += 1) end = this.#ends[column] as number
      length += this.#cells.copy(piece, length, begin, end)
    }
    piece[length - 1] = carriageReturn
    piece[length] = lineFeed
    return length + 1
  }

  /** Returns the end of the value. */
  #addCell(event: Buffer, begin: number): number {
    const [first, second] = [event[begin], event[begin + 1]]
    if (first === quote) return this.#addText(event, begin)
    const isJson = first === openBrace || first === openBracket
    if (isJson && second !== closeBrace && second !== closeBracket) return this.#addJson(event, begin)
    let end = begin + (isJson ? '{}'.length : 0)
    while (event[end] !== comma && event[end] !== closeBrace) end += 1
    if (first !== letterN) this.#length += event.copy(this.#cells, this.#length, begin, end)
    return end
  }

  /** Almost all texts are their own cell: in ASCII, they begin with a letter, a digit or `*`. For a comma it has the quotes. */
  #addText(event: Buffer, begin: number): number {
    const first = event[begin + 1] as number
    let isPlain = (first >= 0x41 && first < 0x80) || (first >= 0x30 && first < 0x3a) || first === 0x2a
    let quotes = 0
    let end = begin + 1
    for (; event[end] !== quote; end += 1) {
      const byte = event[end]
      if (byte === comma) quotes = 1
      else if (byte === semicolon) isPlain = false
      else if (byte === backslash) {
        isPlain = false
        end += 1
      }
    }
    end += 1
    this.#length += isPlain
      ? event.copy(this.#cells, this.#length, begin + 1 - quotes, end - 1 + quotes)
      : this.#cells.write(toCell(JSON.parse(event.toString('utf8', begin, end))), this.#length)
    return end
  }

  /** In quotes, with each quote doubled. */
  #addJson(event: Buffer, begin: number): number {
    const cells = this.#cells
    let length = this.#length
    let index = begin
    let depth = 0
    let isText = false
    cells[length++] = quote
    do {
      const byte = event[index++] as number
      cells[length++] = byte
      if (byte === quote) {
        cells[length++] = quote
        isText = !isText
      } else if (byte === backslash) {
        const escaped = event[index++] as number
        cells[length++] = escaped
        if (escaped === quote) cells[length++] = quote
      } else if (byte === semicolon) length += cells.write(semicolonJson, length - 1) - 1
      else if (isText) continue
      else if (byte === openBrace || byte === openBracket) depth += 1
      else if (byte === closeBrace || byte === closeBracket) depth -= 1
    } while (depth > 0)
    cells[length++] = quote
    this.#length = length
    return index
  }
}

/** Tries the expected column first: most properties of an event are in the order of the columns. */
function columnAt(event: Uint8Array, begin: number, end: number, expected: number): number {
  for (let tried = 0; tried < columnNames.length; tried += 1) {
    const column = (expected + tried) % columnNames.length
    const name = columnNames[column] as Buffer
    let same = 0
    while (same < name.length && event[begin + same] === name[same]) same += 1
    if (same === name.length && begin + same === end) return column
  }
  return -1
}
