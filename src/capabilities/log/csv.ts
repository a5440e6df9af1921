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
const pieceBytes = 1 << 16

/**
 * Matches what spreadsheet programs run as a formula: they skip leading blanks and quotes, and accept full-width signs. A
 * tab or a line break starts a new cell.
 */
const formula = /^(?:["'\s\u200b-\u200f\u2060]*[=+\-@\uff0b\uff0d\uff1d\uff20]|["' ]*[\t\r\n])/

/** A formula inside a text: a program that separates by `;` or tab ignores the quotes around it. */
const formulaWithin = /[;\t\r\n](?=(?:["'\u200b-\u200f\u2060]|[^\S\t\r\n])*[=+\-@\uff0b\uff0d\uff1d\uff20])/g

/**
 * A row of RFC 4180 with its line break. Programs that separate by `;` or tab read the same cells. No spreadsheet program
 * runs a text as a formula; numbers are unchanged.
 */
export function csvRow(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

export function* csvRows(page: EventPage): Generator<Uint8Array[]> {
  let piece = Buffer.alloc(0)
  let length = 0
  for (const { buffer, byteOffset, byteLength } of eachEvent(page)) {
    // A separator, two quotes or a line break around each cell.
    const maxBytes = byteLength * semicolonJson.length + csvColumns.length * 3
    if (length + maxBytes > piece.length) {
      if (length > 0) yield [piece.subarray(0, length)]
      piece = Buffer.allocUnsafeSlow(Math.max(pieceBytes, maxBytes))
      length = 0
    }
    length = writeRow(Buffer.from(buffer, byteOffset, byteLength), piece, length)
  }
  yield [piece.subarray(0, length)]
}

const columnsByName = new Map<string, number>(csvColumns.map((name, column) => [name, column]))

/** Writes what {@link csvRow} returns, in a quarter of the time, because the JSON in an event is not parsed. */
function writeRow(event: Buffer, piece: Buffer, start: number): number {
  const values = new Uint32Array(2 * csvColumns.length)
  for (let index = 1; index < event.length; index += 1) {
    const begin = endOfText(event, index) + 1
    const column = columnsByName.get(event.toString('latin1', index + 1, begin - 2))
    index = endOfValue(event, begin)
    if (column !== undefined) values.set([begin, index], 2 * column)
  }
  let end = start
  for (let column = 0; column < values.length; column += 2) {
    end = writeCell(event, values[column] as number, values[column + 1] as number, piece, end)
    piece[end++] = comma
  }
  return end - 1 + piece.write('\r\n', end - 1)
}

const [quote, comma, semicolon, backslash] = [0x22, 0x2c, 0x3b, 0x5c] as const
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const
const semicolonJson = '\\u003b'

function writeCell(event: Buffer, begin: number, to: number, piece: Buffer, start: number): number {
  const first = event[begin]
  const isText = first === quote
  if (isText && !isPlain(event, begin + 1, to - 1)) {
    return start + piece.write(toCell(JSON.parse(event.toString('utf8', begin, to))), start)
  }
  if (isText) return start + event.copy(piece, start, begin + 1, to - 1)
  const isJson = (first === openBrace || first === openBracket) && to - begin > '{}'.length
  if (!isJson)
    return event.toString('latin1', begin, to) === 'null' ? start : start + event.copy(piece, start, begin, to)
  let end = start
  piece[end++] = quote
  for (let index = begin; index < to; index += 1) {
    const byte = event[index] as number
    if (byte === semicolon) end += piece.write(semicolonJson, end)
    else {
      if (byte === quote) piece[end++] = quote
      piece[end++] = byte
    }
  }
  piece[end++] = quote
  return end
}

/** Whether a text is its own cell, as almost all are: in ASCII, it begins with a letter, a digit or `*`. */
function isPlain(event: Uint8Array, begin: number, to: number): boolean {
  const first = event[begin] as number
  for (let index = begin; index < to; index += 1) {
    const byte = event[index]
    if (byte === backslash || byte === comma || byte === semicolon) return false
  }
  return (first >= 0x41 && first < 0x80) || (first >= 0x30 && first < 0x3a) || first === 0x2a
}

function endOfValue(json: Uint8Array, start: number): number {
  let depth = 0
  for (let index = start; index < json.length; index += 1) {
    const byte = json[index]
    if (depth === 0 && (byte === comma || byte === closeBrace)) return index
    if (byte === quote) index = endOfText(json, index) - 1
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
  }
  return json.length
}

function endOfText(json: Uint8Array, start: number): number {
  let index = start + 1
  while (index < json.length && json[index] !== quote) index += json[index] === backslash ? 2 : 1
  return index + 1
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? withApostrophe(value) : jsonWithoutSemicolon(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A leading apostrophe turns a formula into a text; without its apostrophes the text is unchanged. */
function withApostrophe(text: string): string {
  // Few texts have a separator, and this check is cheaper.
  const within = /[;\t\r\n]/.test(text) ? text.replace(formulaWithin, "$&'") : text
  return formula.test(text) ? `'${within}` : within
}

/** The same JSON: `;` occurs only in its texts. */
function jsonWithoutSemicolon(value: unknown): string {
  return JSON.stringify(value).replaceAll(';', semicolonJson)
}
