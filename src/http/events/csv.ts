import { eachEvent } from '../../operations/events/event-bytes'
import type { EventPage } from '../../ports/storage'

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

/** Other requests get their turn after so much text, a fraction of a millisecond: a page takes ten. */
const pieceLength = 1 << 14

/**
 * What spreadsheet programs take for a formula: they read over blanks and quotes in front, and know the full-width signs
 * too. Tab and line breaks lead into a cell of its own.
 */
const formula = /^(?:["'\s\u200b-\u200f\u2060]*[=+\-@\uff0b\uff0d\uff1d\uff20]|["' ]*[\t\r\n])/

/** The same within a text: a program that separates by `;` or tab takes no notice of the quotes between two commas. */
const formulaWithin = /[;\t\r\n](?=(?:["'\u200b-\u200f\u2060]|[^\S\t\r\n])*[=+\-@\uff0b\uff0d\uff1d\uff20])/g

/**
 * A row of RFC 4180, line break included, that is read alike by programs that separate by `;` or tab as well. Texts are
 * guarded, so that no spreadsheet program runs them; numbers stay.
 */
export function csvRow(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

/** The events of a page as rows, some at a time. */
export function* csvRows(page: EventPage): Generator<Uint8Array[]> {
  let text = ''
  for (const { buffer, byteOffset, byteLength } of eachEvent(page)) {
    const event = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
    text += csvRow(csvColumns.map((column) => event[column]))
    if (text.length < pieceLength) continue
    yield [Buffer.from(text)]
    text = ''
  }
  yield text === '' ? [] : [Buffer.from(text)]
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? guarded(value) : jsonWithoutSemicolon(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** An apostrophe in front makes a text of it; without the apostrophes it is what it was. */
function guarded(text: string): string {
  // Hardly any text has one, and to look for that alone is cheaper.
  const within = /[;\t\r\n]/.test(text) ? text.replace(formulaWithin, "$&'") : text
  return formula.test(text) ? `'${within}` : within
}

/** The same JSON: `;` stands in its texts alone. */
function jsonWithoutSemicolon(value: unknown): string {
  return JSON.stringify(value).replaceAll(';', '\\u003b')
}
